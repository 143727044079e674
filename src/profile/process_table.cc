// SPDX-License-Identifier: MIT
#include "profile/process_table.h"

#include <fmt/format.h>

#include <utility>

namespace hm::profile {
namespace {

uint64_t key(uint32_t pid, uint32_t tid) { return uint64_t{pid} << 32 | tid; }

// Tasks 0 are the idle tasks of the CPUs; a task that the recording never names is called as perf calls it.
std::string default_comm(uint32_t tid) { return tid == 0 ? "swapper" : fmt::format(":{}", tid); }

}  // namespace

uint32_t ProcessTable::thread(uint32_t pid, uint32_t tid) {
  auto [found, is_new] = rows_.try_emplace(key(pid, tid), static_cast<uint32_t>(threads_.size()));
  if (is_new) {
    auto leader = rows_.find(key(pid, pid));
    std::string comm =
        leader != rows_.end() && tid != pid ? threads_[leader->second].comm : default_comm(tid);
    threads_.push_back({pid, tid, std::move(comm)});
  }
  return found->second;
}

void ProcessTable::rename(uint32_t pid, uint32_t tid, std::string comm) {
  auto [found, is_new] = rows_.try_emplace(key(pid, tid), static_cast<uint32_t>(threads_.size()));
  if (!is_new && threads_[found->second].comm == comm) return;
  found->second = static_cast<uint32_t>(threads_.size());
  threads_.push_back({pid, tid, std::move(comm)});
}

void ProcessTable::fork(uint32_t pid, uint32_t tid, uint32_t parent_pid, uint32_t parent_tid) {
  rename(pid, tid, std::string(threads_[thread(parent_pid, parent_tid)].comm));
  if (pid != parent_pid) spaces_[pid] = AddressSpace(spaces_[parent_pid]);
}

void ProcessTable::map_user(uint32_t pid, const Mapping& mapping) {
  if (!gave_up()) copied_mappings_ += spaces_[pid].add(mapping);
}

const Mapping* ProcessTable::find_user(uint32_t pid, uint64_t address) const {
  auto space = spaces_.find(pid);
  return space == spaces_.end() ? nullptr : space->second.find(address);
}

}  // namespace hm::profile
