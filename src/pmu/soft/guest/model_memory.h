// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>

#include <cstdint>

namespace hm::soft::guest {

// Returns zeroed memory for the models, never freed; null if there is none.
inline void* model_memory(uint64_t bytes) {
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace hm::soft::guest
