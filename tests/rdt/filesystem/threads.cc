// SPDX-License-Identifier: MIT
#include "rdt/filesystem/threads.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "base/text_file.h"

namespace hm::resctrl_filesystem {
namespace {

std::string folder_of(pid_t thread) { return "/proc/" + std::to_string(thread); }

// Returns the numeric names in the folder.
std::vector<pid_t> numbers_in(const std::string& path) {
  std::vector<pid_t> numbers;
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    if (int number = std::atoi(entry->d_name); number > 0) numbers.push_back(number);
  }
  return numbers;
}

pid_t field(const std::string& status, const std::string& name) {
  size_t at = status.find('\n' + name + ':');
  return at == status.npos ? 0 : std::atoi(status.c_str() + at + name.size() + 2);
}

std::string status_of(pid_t thread) { return read_text(folder_of(thread) + "/status").value_or(""); }

// Returns the process of a thread, the parent of a process, or 0.
pid_t origin_of(pid_t thread) {
  std::string status = status_of(thread);
  pid_t process = field(status, "Tgid");
  return process != thread ? process : field(status, "PPid");
}

// Processes determine the groups of other threads.
bool is_process(pid_t thread) { return field(status_of(thread), "Tgid") == thread; }

// Returns the end of "0.10 0.20 0.30 2/345 6789": it changes whenever a thread starts or ends.
std::string count_and_last_thread() {
  std::string load = read_text("/proc/loadavg").value_or("");
  return load.substr(std::min(load.find('/'), load.size()));
}

}  // namespace

bool Threads::exists(pid_t thread) { return ::access(folder_of(thread).c_str(), F_OK) == 0; }

ThreadGroups Threads::groups_of(pid_t thread) {
  std::vector<pid_t> unknown;
  ThreadGroups groups;
  for (pid_t each = thread; each > 0; each = origin_of(each)) {
    if (auto found = known_.find(each); found != known_.end()) {
      groups = found->second;
      break;
    }
    unknown.push_back(each);
  }
  for (pid_t each : unknown) known_[each] = groups;
  return groups;
}

void Threads::keep_places_of_children(pid_t process) {
  for (pid_t thread : numbers_in(folder_of(process) + "/task")) {
    (void)groups_of(thread);
    std::string path = folder_of(process) + "/task/" + std::to_string(thread) + "/children";
    std::istringstream children(read_text(path).value_or(""));
    for (pid_t child = 0; children >> child;) (void)groups_of(child);
  }
}

void Threads::move(pid_t thread, ThreadGroups groups) {
  if (is_process(thread)) keep_places_of_children(thread);
  known_[thread] = groups;
}

void Threads::look_at_process(pid_t process, std::unordered_set<pid_t>& seen) {
  constexpr nlink_t kLinksOfOneThread = 3;
  std::string folder = folder_of(process) + "/task";
  struct stat found;
  if (::stat(folder.c_str(), &found) != 0) return;
  seen.insert(process);
  if (found.st_nlink <= kLinksOfOneThread) return;
  for (pid_t thread : numbers_in(folder)) seen.insert(thread);
}

void Threads::look_at_all() {
  std::string now = count_and_last_thread();
  if (now == last_look_) return;
  last_look_ = now;
  std::unordered_set<pid_t> seen;
  for (pid_t process : numbers_in("/proc")) look_at_process(process, seen);
  for (pid_t thread : seen) (void)groups_of(thread);
  std::erase_if(known_, [&](const auto& each) { return !seen.contains(each.first); });
}

std::vector<pid_t> Threads::in(const Group& group) {
  look_at_all();
  std::vector<pid_t> threads;
  for (const auto& [thread, groups] : known_) {
    GroupId of = group.is_control() ? groups.control : groups.monitor;
    if (of == group.id) threads.push_back(thread);
  }
  std::ranges::sort(threads);
  return threads;
}

void Threads::leave(const Group& group) {
  for (auto& [thread, groups] : known_) {
    if (groups.monitor == group.id) groups.monitor = 0;
    if (group.is_control() && groups.control == group.id) groups = {};
  }
}

}  // namespace hm::resctrl_filesystem
