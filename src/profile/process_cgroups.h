// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "record/features.h"

namespace hm::profile {

// The control groups of the recorded processes by their common names.
class ProcessCgroups {
 public:
  explicit ProcessCgroups(const record::Features& features);

  // Returns the name of the innermost container, "docker 0123456789ab" if its name is unknown, else the
  // systemd unit or the group's path; "[unknown]" if the recording does not have it.
  [[nodiscard]] const std::string& of(uint32_t pid) const;
  // Returns true if `wanted` is this name, the path of the process's control group or of one above it, or the
  // beginning of its container's ID, at least 12 digits.
  [[nodiscard]] bool is_in(const std::string& wanted, uint32_t pid) const;
  [[nodiscard]] bool has(uint32_t pid) const { return groups_.contains(pid); }
  [[nodiscard]] bool empty() const { return groups_.empty(); }

 private:
  struct Group {
    std::string path;
    std::string name;
  };

  std::map<uint32_t, Group> groups_;  // by process
};

}  // namespace hm::profile
