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
#include "base/text_file.h"
#include "record/comm.h"
#include "record/task.h"

namespace hm::app {
namespace {

constexpr std::array<const char*, 8> kNamespaces{"cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts"};

// Parses the target of a link in /proc/PID/ns, such as "mnt:[4026531841]".
uint64_t inode_in(std::string_view link) {
  uint64_t inode = 0;
  size_t begin = link.find('[') + 1;  // 0 if there is none
  std::from_chars(link.data() + begin, link.data() + link.size(), inode);
  return inode;
}

std::map<std::string, uint64_t> namespaces_in(const std::string& process) {
  std::map<std::string, uint64_t> inodes;
  for (const char* kind : kNamespaces) {
    std::error_code error;  // the kernel is older, or another user's process
    std::string link = std::filesystem::read_symlink(fmt::format("{}/ns/{}", process, kind), error).string();
    if (uint64_t inode = inode_in(link); inode != 0) inodes[kind] = inode;
  }
  return inodes;
}

}  // namespace

void IsolationLog::see(const record::Record& record) {
  if (record.type == PERF_RECORD_COMM) see_name(record);
  if (record.type == PERF_RECORD_FORK) see_fork(record);
}

void IsolationLog::see_name(const record::Record& record) {
  auto comm = record::decode_comm(record);
  if (comm && (comm->by_exec || !known_.contains(comm->pid))) read(comm->pid);
}

void IsolationLog::see_fork(const record::Record& record) {
  auto task = record::decode_task(record);
  if (!task || task->pid == task->parent_pid) return;  // a thread
  auto parent = known_.find(task->parent_pid);
  if (parent != known_.end() && known_.size() < kMaxProcesses)
    known_[task->pid] = record::Isolation(parent->second);
}

void IsolationLog::read(uint32_t pid) {
  std::string process = fmt::format("{}/{}", proc_, pid);
  std::optional<std::string> cgroups = read_text(process + "/cgroup");
  if (!cgroups || known_.size() >= kMaxProcesses) return;  // nullopt: the process has ended
  std::string cgroup = cgroup_in(*cgroups);
  known_[pid] = {cgroup, container_of(cgroup), namespaces_in(process)};
}

// Returns the name of the innermost container.
std::string IsolationLog::container_of(const std::string& cgroup) {
  for (std::string_view path = cgroup; !path.empty(); path = path.substr(0, path.rfind('/'))) {
    std::optional<Container> container = container_in(path.substr(path.rfind('/') + 1));
    if (container) return containers_.name(container->id);
  }
  return {};
}

record::IsolatedProcesses IsolationLog::processes() const {
  record::IsolatedProcesses processes;
  for (const auto& [pid, isolation] : known_) processes[isolation].push_back(pid);
  for (auto& [isolation, pids] : processes) std::ranges::sort(pids);
  return processes;
}

}  // namespace hm::app
