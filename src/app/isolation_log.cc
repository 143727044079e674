// SPDX-License-Identifier: MIT
#include "app/isolation_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/cgroup.h"
#include "base/maps_path.h"
#include "base/text_file.h"
#include "record/comm.h"
#include "record/task.h"

namespace hm::app {
namespace {

constexpr const char* kMounts = "mnt";
constexpr std::array kOtherNamespaces{"cgroup", "ipc", "net", "pid", "time", "user", "uts"};

// Parses the target of a link in /proc/PID/ns, for example "mnt:[4026531841]".
uint64_t inode_in(std::string_view link) {
  uint64_t inode = 0;
  size_t begin = link.find('[') + 1;  // 0 if there is none
  std::from_chars(link.data() + begin, link.data() + link.size(), inode);
  return inode;
}

uint64_t namespace_of(const std::string& process, const char* kind, std::error_code& error) {
  return inode_in(std::filesystem::read_symlink(fmt::format("{}/ns/{}", process, kind), error).string());
}

}  // namespace

void IsolationLog::see(const record::Record& record) {
  if (record.type == PERF_RECORD_COMM) see_name(record);
  if (record.type == PERF_RECORD_FORK) see_fork(record);
}

void IsolationLog::see_name(const record::Record& record) {
  auto comm = record::decode_comm(record);
  if (comm && (comm->by_exec || !known_.contains(comm->pid))) (void)read(comm->pid);
}

// If the child is known already, its records came from another CPU before this one, or an earlier process had
// its number.
void IsolationLog::see_fork(const record::Record& record) {
  auto task = record::decode_task(record);
  if (!task || task->pid == task->parent_pid) return;  // a thread
  auto parent = known_.find(task->parent_pid);
  if (parent == known_.end() || known_.contains(task->pid))
    (void)read(task->pid);
  else
    keep(task->pid, *parent->second);
}

// A zombie process still has a control group, but no namespaces.
bool IsolationLog::read(uint32_t pid) {
  std::string process = fmt::format("{}/{}", proc_, pid);
  std::optional<std::string> cgroups = read_text(process + "/cgroup");
  std::error_code error;
  uint64_t mounts = namespace_of(process, kMounts, error);
  if (!cgroups || error == std::errc::no_such_file_or_directory) return false;
  std::string shown = cgroup_in(*cgroups);
  std::string cgroup(without_mark_of_deleted(shown));
  if (has(pid, cgroup, mounts)) return true;  // most programs are started where their parent is
  record::Isolation isolation{cgroup, container_of(cgroup), {}};
  if (mounts != 0) isolation.namespaces[kMounts] = mounts;
  for (const char* kind : kOtherNamespaces) {
    // The kernel may be older, and another user's processes cannot be examined.
    if (uint64_t inode = namespace_of(process, kind, error); inode != 0) isolation.namespaces[kind] = inode;
  }
  keep(pid, isolation);
  return true;
}

bool IsolationLog::has(uint32_t pid, const std::string& cgroup, uint64_t mounts) const {
  auto known = known_.find(pid);
  if (known == known_.end() || known->second->cgroup != cgroup) return false;
  auto found = known->second->namespaces.find(kMounts);
  return mounts == (found == known->second->namespaces.end() ? 0 : found->second);
}

void IsolationLog::keep(uint32_t pid, const record::Isolation& isolation) {
  if (known_.size() >= kMaxProcesses && !known_.contains(pid)) return;
  known_[pid] = &*distinct_.insert(isolation).first;
}

std::string IsolationLog::container_of(const std::string& cgroup) {
  std::optional<Container> container = innermost_container(cgroup);
  return container ? containers_.name(container->id) : std::string();
}

record::IsolatedProcesses IsolationLog::processes() const {
  record::IsolatedProcesses processes;
  for (const auto& [pid, isolation] : known_) processes[*isolation].push_back(pid);
  for (auto& [isolation, pids] : processes) std::ranges::sort(pids);
  return processes;
}

}  // namespace hm::app
