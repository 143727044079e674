// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hm::resctrl_filesystem {

// Capabilities of the processor.
struct Processor {
  size_t monitoring_ids = 4;  // RMIDs: each group takes one, including the root
  size_t control_ids = 4;     // CLOSIDs: each control group takes one, including the root
  uint32_t domains = 1;       // last-level caches
  unsigned ways = 16;
  uint64_t cache_bytes = uint64_t{32} << 20;
};

using GroupId = uint32_t;  // never reused; 0 means none
inline constexpr GroupId kRootId = 1;

struct Group {
  GroupId id = 0;
  GroupId control = 0;  // the control group that contains it; a control group's own id
  std::string name;     // of the group's folder; "" for the root
  std::string path;     // relative to the root
  std::set<uint32_t> cpus;
  std::map<uint32_t, uint32_t> ways_of;  // by domain; only for control groups
  std::chrono::steady_clock::time_point made;

  [[nodiscard]] bool is_control() const { return id == control; }
};

// The existing groups. Functions that can fail return 0, or the kernel's negative error number, and set
// `status` to the text of info/last_cmd_status.
class Groups {
 public:
  explicit Groups(const Processor& processor);

  [[nodiscard]] const Processor& processor() const { return processor_; }

  // Return null if there is no such group.
  [[nodiscard]] Group* at(const std::string& path);
  [[nodiscard]] Group* by_id(GroupId id);
  [[nodiscard]] std::vector<Group*> controls();
  [[nodiscard]] std::vector<Group*> monitors_of(GroupId control);

  int make_control(const std::string& name, size_t ids_in_limbo);
  int make_monitor(Group& control, const std::string& name, size_t ids_in_limbo);
  // Removes the group and the monitor groups in it.
  void remove(GroupId id);

  int set_cpus(Group& group, const std::set<uint32_t>& cpus);
  [[nodiscard]] const std::set<uint32_t>& online_cpus() const { return online_cpus_; }

  std::string status = "ok\n";

 private:
  int take_monitoring_id(size_t ids_in_limbo);
  Group& add(const std::string& path, const std::string& name);
  int set_cpus_of_control(Group& group, const std::set<uint32_t>& cpus);
  int set_cpus_of_monitor(Group& group, const std::set<uint32_t>& cpus);

  Processor processor_;
  std::set<uint32_t> online_cpus_;
  std::map<GroupId, Group> groups_;
  std::map<std::string, GroupId> ids_;
  GroupId made_ = 0;
};

}  // namespace hm::resctrl_filesystem
