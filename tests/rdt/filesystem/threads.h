// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rdt/filesystem/groups.h"

namespace hm::resctrl_filesystem {

struct ThreadGroups {
  GroupId control = kRootId;
  GroupId monitor = 0;  // 0: none
};

// The groups of the system's threads. The kernel copies the group to each new thread. Here a look-up derives
// the group from the thread's process, or from the process's parent, and stores it. A thread started before a
// move keeps its group, as in the kernel. Two cases differ from the kernel. A thread started by another
// thread than its process's first has the first one's group. If no look-up happens while a process's parent
// lives, the process has its new parent's group.
class Threads {
 public:
  [[nodiscard]] static bool exists(pid_t thread);

  [[nodiscard]] ThreadGroups groups_of(pid_t thread);
  void move(pid_t thread, ThreadGroups groups);

  // Returns the group's threads in ascending order. Includes a control group's monitor groups.
  [[nodiscard]] std::vector<pid_t> in(const Group& group);

  // Moves a group's threads to its control group, and a control group's to the root.
  void leave(const Group& group);

 private:
  void keep_places_of_children(pid_t process);
  void look_at_all();
  void look_at_process(pid_t process, std::unordered_set<pid_t>& seen);

  std::unordered_map<pid_t, ThreadGroups> known_;
  std::string last_look_;  // the kernel's number of threads and last new thread id at that time
};

}  // namespace hm::resctrl_filesystem
