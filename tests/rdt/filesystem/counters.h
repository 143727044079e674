// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include "rdt/filesystem/groups.h"

namespace hm::resctrl_filesystem {

// Values of counters, from a file that tests write. The file is read again when it has changed. Its lines:
//   GROUP DOMAIN COUNTER TEXT   "mon_groups/a 0 llc_occupancy 65536", "- 0 mbm_total_bytes Unavailable"
//   rate GROUP DOMAIN COUNTER BYTES   adds BYTES each second since the group was made
//   limbo N          N of the free ids still have lines in the cache
//   offline DOMAIN   the domain has no online CPU
// GROUP is the path below the root, "-" the root's own, "*" each monitor group without a line of its own.
// Other counters are 0. A writer replaces the file by a rename: it may be read at any moment.
class Counters {
 public:
  explicit Counters(std::string file) : file_(std::move(file)) {}

  // Returns the text that the kernel prints. A control group's value includes its monitor groups', except
  // unreadable ones.
  [[nodiscard]] std::string text(Groups& groups, const Group& group, uint32_t domain,
                                 const std::string& counter);

  [[nodiscard]] size_t ids_in_limbo();
  [[nodiscard]] bool is_online(uint32_t domain);

 private:
  struct Value {
    std::string text = "0";
    double bytes_each_second = 0;
  };

  void look();
  void take_line(const std::string& line);
  [[nodiscard]] const Value* value_of(const Group& group, const std::string& domain_and_counter) const;

  std::string file_;
  struct stat seen_ = {};
  std::unordered_map<std::string, Value> values_;  // by "GROUP DOMAIN COUNTER"
  size_t limbo_ = 0;
  std::set<uint32_t> offline_;
};

}  // namespace hm::resctrl_filesystem
