// SPDX-License-Identifier: MIT
// Table of the running processes from /proc (proc(5)), with incremental updates. A process is read when it
// first appears and then periodically, because it may execute another program, get another parent, or move to
// another control group.
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
  std::string cgroup;  // relative to the root of the control groups: "/system.slice/cron.service"
};

class TaskTable {
 public:
  explicit TaskTable(std::string proc = "/proc") : proc_(std::move(proc)) {}

  void refresh();

  // Processes by ID, without zombies and kernel threads.
  [[nodiscard]] const std::map<pid_t, Process>& processes() const { return processes_; }
  [[nodiscard]] bool is_there(pid_t process) const { return processes_.contains(process); }

  // Returns the current threads; empty if the process has ended.
  [[nodiscard]] std::vector<pid_t> threads(pid_t process) const;
  [[nodiscard]] std::string thread_name(pid_t process, pid_t thread) const;
  // Returns the words of the command line; empty if the process has ended.
  [[nodiscard]] std::vector<std::string> command_line(pid_t process) const;

 private:
  [[nodiscard]] std::string file(pid_t process, const char* name) const;
  // Returns false if the process does not exist or cannot be measured.
  bool read(pid_t pid, Process& process) const;

  std::string proc_;
  std::map<pid_t, Process> processes_;
  std::set<pid_t> passed_over_;  // zombies and kernel threads
  uint64_t refreshes_ = 0;
};

}  // namespace hm::llc
