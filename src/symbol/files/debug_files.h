// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/unique_fd.h"
#include "symbol/files/debuginfod.h"
#include "symbol/files/file_archive.h"

namespace hm::symbol {

// Finds separate debug files of ELF files. Searches first by build ID (ROOT/.build-id/xx/yyyy.debug). Then
// follows .gnu_debuglink: next to the file, in .debug next to it, and in ROOT followed by the file's own
// folder. ROOT is each folder of --debug-dir, usr/lib/debug in each folder of --symfs, and /usr/lib/debug.
// Last queries the servers in DEBUGINFOD_URLS. Thread-safe.
class DebugFiles {
 public:
  struct Options {
    std::filesystem::path root = "/usr/lib/debug";  // absolute
    std::vector<std::string> system_roots{};        // --symfs: folders with the recorded paths
    std::vector<std::string> debug_folders{};       // --debug-dir
    std::chrono::milliseconds patience = Debuginfod::usual_patience();
  };
  DebugFiles();
  explicit DebugFiles(const Options& options);

  // Returns the instance for callers without one of their own.
  [[nodiscard]] static DebugFiles& usual();

  // Returns every ROOT, in the order of the search.
  [[nodiscard]] const std::vector<std::filesystem::path>& roots() const { return roots_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& system_roots() const { return system_roots_; }
  // Returns the search path in libdwfl's format: libdwfl.h, "debuginfo_path".
  [[nodiscard]] char* path() { return path_.data(); }
  [[nodiscard]] Debuginfod& servers() { return servers_; }
  // Returns the debug file of a build that is itself not on this machine; empty if there is none. `build_id`
  // is untrusted.
  [[nodiscard]] std::string file_of_build(const std::string& build_id);
  // Returns the existing files in the folders of --debug-dir and --symfs that may be the program or library
  // of a build: by the build ID (xx/yyyy or .build-id/xx/yyyy, also as in perf's cache), or by the last part
  // of its path. `build_id` is untrusted.
  [[nodiscard]] std::vector<std::string> programs_of_build(const std::string& build_id,
                                                           const std::string& path) const;
  // Makes the files of an archive known. An archive has the recorded files, so it goes before all folders.
  void add_archive(std::shared_ptr<const FileArchive> archive);
  // Returns the file of an archive; not valid if no archive has it.
  [[nodiscard]] UniqueFd open_archived(ArchivedKind kind, const std::string& path,
                                       const std::string& build_id) const;
  [[nodiscard]] std::optional<std::string> archived_source(const std::string& path) const;
  // Returns files that could not be searched for, one sentence each.
  [[nodiscard]] std::vector<std::string> problems() const { return servers_.problems(); }

 private:
  std::vector<std::filesystem::path> roots_;
  std::vector<std::filesystem::path> system_roots_;
  std::vector<std::filesystem::path> debug_folders_;
  std::string path_;
  Debuginfod servers_;
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<const FileArchive>> archives_ HM_GUARDED_BY(mutex_);
};

}  // namespace hm::symbol
