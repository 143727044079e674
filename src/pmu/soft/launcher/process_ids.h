// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace hm::soft {

// The IDs of a process in another PID namespace (a container), and of its threads. Two containers have
// processes of the same ID, so recordings get the IDs that the recorder's namespace has for them.
class ProcessIds {
 public:
  // The recorder's ID of the process is `outside`, the process's own is `inside`. `parent` is the ID outside
  // of the process that forked it. 0 for `outside` or `parent`: unknown.
  ProcessIds(pid_t outside, uint32_t inside, uint32_t parent)
      : outside_(outside == 0 ? inside : static_cast<uint32_t>(outside)), inside_(inside), parent_(parent) {}

  [[nodiscard]] bool differ() const { return outside_ != inside_; }
  [[nodiscard]] uint32_t outside() const { return outside_; }

  // Returns the thread's ID outside; the ID inside if the thread has ended before it was looked up.
  [[nodiscard]] uint32_t thread(uint32_t inside);

  // Replaces the IDs in one whole record of the process.
  void translate(std::span<std::byte> record);

 private:
  void look_up_threads();
  void replace(std::span<std::byte> record, size_t process_offset, size_t thread_offset);

  uint32_t outside_;
  uint32_t inside_;
  uint32_t parent_;
  std::map<uint32_t, uint32_t> threads_;  // outside, by the ID inside
};

}  // namespace hm::soft
