// SPDX-License-Identifier: MIT
// What a recording reports about source lines, as texts for an editor.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/query/load.h"
#include "base/result.h"

namespace hm::lsp {

// Values of the protocol's DiagnosticSeverity.
enum class Severity { kInformation = 3, kHint = 4 };

struct Finding {
  Severity severity = Severity::kHint;
  std::string pattern;  // name in the catalogue of patterns; empty if the place has no advice
  std::string message;
};

// Of one line.
struct Note {
  std::string lens;               // the share of each event
  std::string hover;              // the line's places as `explain` prints them
  std::vector<Finding> findings;  // of the hottest places only
};

// By path on this machine, without links, and by line.
using Notes = std::map<std::string, std::map<uint32_t, Note>>;

// Reads the recording. Source files are found as the commands find them.
[[nodiscard]] Result<Notes> read_notes(const std::string& recording, const query::Reading& reading);

}  // namespace hm::lsp
