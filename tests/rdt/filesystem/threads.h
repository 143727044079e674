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

// Which groups the threads of the system are in. The kernel copies that to each new thread; here it is found
// when it is asked for, from the thread's process, else from the process's parent, and kept. What a thread
// started before it was moved keeps its place, as in the kernel. Where this differs: a thread that another
// than its process's first one started is where the first one is; what nobody asked about while its parent
// lived is where its new parent is.
class Threads {
 public:
  [[nodiscard]] static bool exists(pid_t thread);

  [[nodiscard]] ThreadGroups groups_of(pid_t thread);
  void move(pid_t thread, ThreadGroups groups);

  // In ascending order. Of a control group also those in its monitor groups.
  [[nodiscard]] std::vector<pid_t> in(const Group& group);

  // A group's threads go to its control group; a control group's to the root's.
  void leave(const Group& group);

 private:
  void keep_places_of_children(pid_t process);
  void look_at_all();
  void look_at_process(pid_t process, std::unordered_set<pid_t>& seen);

  std::unordered_map<pid_t, ThreadGroups> known_;
  std::string last_look_;  // what the kernel said of how many threads there are, and of the last one made
};

}  // namespace hm::resctrl_filesystem
