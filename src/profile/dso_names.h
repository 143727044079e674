// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "profile/address_space.h"
#include "record/build_id.h"
#include "record/file_builds.h"
#include "record/mmap.h"

namespace hm::profile {

// The build IDs that a recording lists by path, in hex.
class BuildIds {
 public:
  void add(const record::BuildId& id);
  // A build of one of several files of a path goes before the one listed for the path.
  void add(const record::FileBuild& build);
  // Returns the build ID in the mapping's record, else the one listed for its path; empty if there is
  // neither.
  [[nodiscard]] std::string of(const record::Mmap& mmap) const;
  // Returns the build ID listed for the object; empty if there is none.
  [[nodiscard]] std::string of(const std::string& dso_path) const;

 private:
  using File = std::tuple<std::string, uint32_t, uint32_t, uint64_t>;  // path, device, inode

  std::unordered_map<std::string, std::string> by_path_;
  std::map<File, std::string> by_file_;
};

// Returns the object file of a user-space mapping, named as in symbol/files/dso.h. Like perf, assigns code in
// anonymous memory to "/tmp/perf-PID.map".
[[nodiscard]] std::string user_dso_path(const record::Mmap& mmap);
[[nodiscard]] inline bool is_jit_code(std::string_view path) { return path.starts_with("/tmp/perf-"); }

// Returns true for executable memory into which a program may have copied its code: anonymous memory, memory
// files, and files of huge pages.
[[nodiscard]] bool may_hold_copied_code(std::string_view path);

// Returns the mapping with the offset in its object file that corresponds to its start, as symbol/files/dso.h
// defines it.
[[nodiscard]] Mapping to_mapping(const record::Mmap& mmap, std::string_view dso_path, uint32_t dso);

}  // namespace hm::profile
