// SPDX-License-Identifier: MIT
// Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/decimal.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {

// Writes the path of an open descriptor to `path`, without a NUL, and at most `size` bytes of it. Returns the
// number of bytes, or a negated error number.
inline int64_t read_descriptor_path(uint32_t descriptor, char* path, uint64_t size) {
  constexpr char kFolder[] = "/proc/thread-self/fd/";
  char link[sizeof(kFolder) + kMaxDecimalDigits];
  __builtin_memcpy(link, kFolder, sizeof(kFolder));
  *write_decimal(link + sizeof(kFolder) - 1, descriptor) = '\0';
  return system_call(kReadlink, pointer_argument(link), pointer_argument(path), static_cast<int64_t>(size));
}

}  // namespace hm::soft::direct
