// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "profile/address_space.h"
#include "record/build_id.h"
#include "record/mmap.h"

namespace hm::profile {

// The build-ids that a recording lists by path, in hex.
class BuildIds {
 public:
  void add(const record::BuildId& id);
  // Of a mapping: its own, else the listed one; empty where neither is there.
  [[nodiscard]] std::string of(const record::Mmap& mmap) const;

 private:
  std::unordered_map<std::string, std::string> by_path_;
};

// The object behind a user's mapping, as symbol/files/dso.h names it: code in memory that is no file's
// belongs to "/tmp/perf-PID.map", as with perf.
[[nodiscard]] std::string user_dso_path(const record::Mmap& mmap);
[[nodiscard]] inline bool is_jit_code(std::string_view path) { return path.starts_with("/tmp/perf-"); }

// Where the mapping lies, and the offset in its object of its start, as symbol/files/dso.h defines it.
[[nodiscard]] Mapping to_mapping(const record::Mmap& mmap, std::string_view dso_path, uint32_t dso);

}  // namespace hm::profile
