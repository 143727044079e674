// SPDX-License-Identifier: MIT
// Reads and writes the target's memory at addresses from the target, as the kernel does for its system calls.
// At an inaccessible address the copy fails, and the target's call returns EFAULT. The caller must hold no
// lock that the handler of writes to watched code takes (code/copies.h).
#pragma once

#include <stdint.h>

extern "C" bool hm_copy(void* to, const void* from, uint64_t bytes);

namespace hm::soft::direct {

inline constexpr int64_t kBadAddress = -14;  // EFAULT

[[nodiscard]] inline bool read_program(uint64_t from, void* to, uint64_t bytes) {
  return hm_copy(to, reinterpret_cast<const void*>(from), bytes);
}
// On failure, the bytes before the first unwritable byte are written.
[[nodiscard]] inline bool write_program(uint64_t to, const void* from, uint64_t bytes) {
  return hm_copy(reinterpret_cast<void*>(to), from, bytes);
}

template <typename T>
[[nodiscard]] bool read_program(uint64_t from, T& value) {
  return read_program(from, &value, sizeof(value));
}
template <typename T>
[[nodiscard]] bool write_program(uint64_t to, const T& value) {
  return write_program(to, &value, sizeof(value));
}

}  // namespace hm::soft::direct
