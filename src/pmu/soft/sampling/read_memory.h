// SPDX-License-Identifier: MIT
// Reads this process's memory at addresses that may be unmapped, through the kernel (process_vm_readv(2)).
// The process is named by the calling thread: once its first thread has ended, the process's ID finds no
// memory. The same holds for /proc/self, but not for /proc/thread-self. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

// Returns how many of `bytes` bytes, which span at most two pages, could be read.
inline uint64_t read_memory(uint64_t address, void* to, uint64_t bytes) {
  constexpr int64_t kSysProcessVmReadv = 310;
  constexpr uint64_t kPage = 4096;
  struct Piece {
    uint64_t address;
    uint64_t bytes;
  };
  // A piece is read as a whole or not at all.
  uint64_t in_page = kPage - address % kPage;
  uint64_t first = bytes < in_page ? bytes : in_page;
  Piece local{reinterpret_cast<uint64_t>(to), bytes};
  Piece remote[] = {{address, first}, {address + first, bytes - first}};
  int64_t count = bytes > first ? 2 : 1;
  int64_t own = system_call(kSysGettid);
  int64_t read =
      system_call(kSysProcessVmReadv, own, pointer_argument(&local), 1, pointer_argument(remote), count, 0);
  return read < 0 ? 0 : static_cast<uint64_t>(read);
}

}  // namespace hm::soft
