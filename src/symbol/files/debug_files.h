// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "symbol/files/debuginfod.h"

namespace hm::symbol {

// Finds separate debug files of ELF files. Searches first by build ID (ROOT/.build-id/xx/yyyy.debug). Then
// follows .gnu_debuglink: next to the file, in .debug next to it, and in ROOT followed by the file's own
// folder. Last queries the servers in DEBUGINFOD_URLS. Thread-safe.
class DebugFiles {
 public:
  struct Options {
    std::filesystem::path root = "/usr/lib/debug";  // absolute
    std::chrono::milliseconds patience = Debuginfod::usual_patience();
  };
  DebugFiles();
  explicit DebugFiles(const Options& options);

  // Returns the instance for callers without one of their own.
  [[nodiscard]] static DebugFiles& usual();

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  // Returns the search path in libdwfl's format: libdwfl.h, "debuginfo_path".
  [[nodiscard]] char* path() { return path_.data(); }
  [[nodiscard]] Debuginfod& servers() { return servers_; }
  // Returns the debug file of a build that is itself not on this machine; empty if there is none. `build_id`
  // is untrusted.
  [[nodiscard]] std::string file_of_build(const std::string& build_id);
  // Returns files that could not be searched for, one sentence each.
  [[nodiscard]] std::vector<std::string> problems() const { return servers_.problems(); }

 private:
  std::filesystem::path root_;
  std::string path_;
  Debuginfod servers_;
};

}  // namespace hm::symbol
