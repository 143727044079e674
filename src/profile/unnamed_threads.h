// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace hm::profile {

// A thread without a name in the recording before its sample.
struct UnnamedThread {
  uint32_t pid = 0;
  uint32_t tid = 0;
  std::optional<uint32_t>
      leader;  // row of the first named thread of its process; it inherits that thread's name
  bool operator<(const UnnamedThread& other) const {
    return std::tie(pid, tid, leader) < std::tie(other.pid, other.tid, other.leader);
  }
};

// Numbers the threads from 0, in order of appearance.
class UnnamedThreads {
 public:
  uint32_t number(const UnnamedThread& thread) {
    auto [found, is_new] = numbers_.try_emplace(thread, static_cast<uint32_t>(threads_.size()));
    if (is_new) threads_.push_back(thread);
    return found->second;
  }
  [[nodiscard]] const std::vector<UnnamedThread>& threads() const { return threads_; }

 private:
  std::map<UnnamedThread, uint32_t> numbers_;
  std::vector<UnnamedThread> threads_;
};

}  // namespace hm::profile
