// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "symbol/files/debuginfod.h"

namespace hm::symbol {

// Where the debug information that was split off an ELF file is looked for: by build-id
// (ROOT/.build-id/xx/yyyy.debug) and by .gnu_debuglink (beside the file, in .debug there, in ROOT with the
// file's own folder behind it), then at the servers of DEBUGINFOD_URLS. Safe to use from several threads.
class DebugFiles {
 public:
  struct Options {
    std::filesystem::path root = "/usr/lib/debug";  // absolute
    std::chrono::milliseconds patience = Debuginfod::usual_patience();
  };
  DebugFiles();
  explicit DebugFiles(const Options& options);

  // For who has none of its own.
  [[nodiscard]] static DebugFiles& usual();

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  // As libdwfl wants it: libdwfl.h, "debuginfo_path".
  [[nodiscard]] char* path() { return path_.data(); }
  [[nodiscard]] Debuginfod& servers() { return servers_; }
  // The debug file of a build whose own file is not here; empty where there is none. `build_id`: untrusted.
  [[nodiscard]] std::string file_of_build(const std::string& build_id);
  // What could not be looked for, a sentence each.
  [[nodiscard]] std::vector<std::string> problems() const { return servers_.problems(); }

 private:
  std::filesystem::path root_;
  std::string path_;
  Debuginfod servers_;
};

}  // namespace hm::symbol
