// SPDX-License-Identifier: MIT
// Source files of this machine for the paths in debug information, which may name another machine's folders.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "symbol/files/debuginfod.h"

namespace hm::symbol {

// Rules "FROM=TO", which replace the folder FROM at the beginning of a path by TO.
using SourceRules = std::vector<std::string>;

// Returns an error sentence, or an empty string if the rule is valid.
[[nodiscard]] std::string check_source_rule(const std::string& rule);

// Applies the rule with the longest FROM that is the path or a folder above it; of several equal ones the
// last.
[[nodiscard]] std::string apply_source_rules(const SourceRules& rules, const std::string& path);

// A source file on this machine.
struct SourceFile {
  std::string path;
  bool guessed = false;    // by a part of the recorded path: the file may be another one of the same name
  int64_t modified_s = 0;  // time of its last change; 0 if it is a copy, as from a server
};

// Finds source files. Looks at the recorded path itself, then in Go's module cache, then queries the servers
// in DEBUGINFOD_URLS. If none has the file, guesses: looks in the sources of the Go and Rust toolchains, and
// then below the current folder for the file whose path has the most last components in common. Thread-safe.
class SourceFiles {
 public:
  struct Options {
    SourceRules rules{};
    std::string folder = ".";  // searched for files with a common tail
  };
  // `servers` must outlive this object.
  SourceFiles(Options options, Debuginfod& servers);

  // Returns the path with the rules applied.
  [[nodiscard]] std::string mapped(std::string path) const;
  // Returns nullopt if the file is not found. `path` is as mapped() returns it, `build_id` that of the object
  // with the debug information, empty if it is unknown; both are untrusted.
  [[nodiscard]] std::optional<SourceFile> find(const std::string& path, const std::string& build_id);

 private:
  [[nodiscard]] std::optional<SourceFile> look_for(const std::string& path, const std::string& build_id)
      HM_REQUIRES(mutex_);
  [[nodiscard]] std::optional<SourceFile> by_common_tail(const std::string& path) HM_REQUIRES(mutex_);
  void list_folder() HM_REQUIRES(mutex_);

  const Options options_;
  Debuginfod& servers_;
  mutable Mutex mutex_;  // guards the members below
  mutable std::map<std::string, std::string> recorded_
      HM_GUARDED_BY(mutex_);  // recorded paths by what the rules made of them
  std::map<std::pair<std::string, std::string>, std::optional<SourceFile>> found_ HM_GUARDED_BY(mutex_);
  bool is_listed_ HM_GUARDED_BY(mutex_) = false;
  std::multimap<std::string, std::string> listed_
      HM_GUARDED_BY(mutex_);  // files below the folder by their names
};

}  // namespace hm::symbol
