// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "symbol/files/debug_files.h"
#include "symbol/files/frame.h"
#include "symbol/source_files.h"

namespace hm::symbol {

// Names code of files that are missing on this machine if their debug files are here or on a server in
// DEBUGINFOD_URLS.
class BuildNames {
 public:
  BuildNames() = default;
  explicit BuildNames(const DebugFiles::Options& debug_files) : debug_files_(debug_files) {}

  struct Name {
    std::string function;  // demangled; empty: unknown
    SourceLine line;
  };

  // Returns one name for each address in the file of that build; nullopt if there is no debug file of the
  // build. Does not keep the file open.
  [[nodiscard]] std::optional<std::vector<Name>> names_of(const std::string& build_id,
                                                          const std::vector<uint64_t>& addresses);
  // Returns true if servers are searched for debug files, too.
  [[nodiscard]] bool queries_servers() { return debug_files_.servers().has_servers(); }
  // Returns files that could not be fetched or read so far, one sentence each.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  DebugFiles debug_files_;
  SourceFiles source_files_{{}, debug_files_.servers()};
  std::vector<std::string> unreadable_;
};

}  // namespace hm::symbol
