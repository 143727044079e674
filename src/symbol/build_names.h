// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "symbol/files/debug_files.h"
#include "symbol/files/frame.h"

namespace hm::symbol {

// Names places of files that are not here, but whose debug files are, or are at a server of DEBUGINFOD_URLS.
class BuildNames {
 public:
  BuildNames() = default;
  explicit BuildNames(const DebugFiles::Options& debug_files) : debug_files_(debug_files) {}

  struct Name {
    std::string function;  // demangled; empty: not known
    SourceLine line;
  };

  // Of addresses in the file of that build, one each; nullopt where there is no debug file of it. The file is
  // not kept open.
  [[nodiscard]] std::optional<std::vector<Name>> names_of(const std::string& build_id,
                                                          const std::vector<uint64_t>& addresses);
  // Whether debug files are looked for at servers, too.
  [[nodiscard]] bool asks_servers() { return debug_files_.servers().has_servers(); }
  // What could not be looked for or read so far, a sentence each.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  DebugFiles debug_files_;
  std::vector<std::string> unreadable_;
};

}  // namespace hm::symbol
