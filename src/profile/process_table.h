// SPDX-License-Identifier: MIT
// Which threads and mappings there are, while the records go by in order of time.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/address_space.h"
#include "profile/profile.h"

namespace hm::profile {

class ProcessTable {
 public:
  explicit ProcessTable(std::vector<Thread>& threads) : threads_(threads) {}

  // The row of the thread as it is called now.
  uint32_t thread(uint32_t pid, uint32_t tid);

  void rename(uint32_t pid, uint32_t tid, std::string comm);
  // The process replaced its program: its mappings are gone.
  void exec(uint32_t pid) { spaces_[pid].clear(); }
  void fork(uint32_t pid, uint32_t tid, uint32_t parent_pid, uint32_t parent_tid);
  void map_user(uint32_t pid, const Mapping& mapping);
  void map_kernel(const Mapping& mapping) { kernel_.add(mapping); }

  [[nodiscard]] const Mapping* find_user(uint32_t pid, uint64_t address) const;
  [[nodiscard]] const Mapping* find_kernel(uint64_t address) const { return kernel_.find(address); }
  // Some mappings of forked processes were not followed, because the recording has unreasonably many.
  [[nodiscard]] bool gave_up() const { return copied_mappings_ > kMaxCopiedMappings; }

 private:
  static constexpr size_t kMaxCopiedMappings = size_t{1} << 22;

  std::vector<Thread>& threads_;
  std::unordered_map<uint64_t, uint32_t> rows_;  // by pid and tid
  std::unordered_map<uint32_t, AddressSpace> spaces_;
  AddressSpace kernel_;
  size_t copied_mappings_ = 0;
};

}  // namespace hm::profile
