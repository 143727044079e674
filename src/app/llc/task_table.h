// SPDX-License-Identifier: MIT
// The processes that there are, as /proc tells them (proc(5)), kept up to date at little cost: a process is
// read when it is first seen, and again every some refreshes, as it may become another program, get another
// parent, or move to another control group.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hm::llc {

struct Process {
  pid_t parent = 0;
  std::string name;
  std::string cgroup;  // below the root of the control groups, "/system.slice/cron.service"
};

class TaskTable {
 public:
  explicit TaskTable(std::string proc = "/proc") : proc_(std::move(proc)) {}

  void refresh();

  // By number; without zombies and the kernel's own threads.
  [[nodiscard]] const std::map<pid_t, Process>& processes() const { return processes_; }
  [[nodiscard]] bool is_there(pid_t process) const { return processes_.contains(process); }

  // Its threads now; none where it has ended.
  [[nodiscard]] std::vector<pid_t> threads(pid_t process) const;
  [[nodiscard]] std::string thread_name(pid_t process, pid_t thread) const;
  // The words of its command line; none where it has ended.
  [[nodiscard]] std::vector<std::string> command_line(pid_t process) const;

 private:
  [[nodiscard]] std::string file(pid_t process, const char* name) const;
  // False where there is no such process, or nothing of it can be measured.
  bool read(pid_t pid, Process& process) const;

  std::string proc_;
  std::map<pid_t, Process> processes_;
  std::set<pid_t> passed_over_;  // zombies and kernel threads
  uint64_t refreshes_ = 0;
};

}  // namespace hm::llc
