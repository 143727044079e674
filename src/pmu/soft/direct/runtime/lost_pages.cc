// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/lost_pages.h"

#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/runtime.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {

bool replace_lost_page(uint64_t address) {
  constexpr int64_t kPageBytes = 4096, kPrivate = 2, kFixed = 0x10, kAnonymous = 0x20;
  if (!is_own_mapping(address)) return false;
  int64_t page = static_cast<int64_t>(address) & ~(kPageBytes - 1);
  int64_t mapped = system_call(kMmap, page, kPageBytes, kReadWrite, kPrivate | kFixed | kAnonymous, -1, 0);
  if (mapped != page) return false;
  if (uint32_t* count = runtime().lost_pages) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  return true;
}

}  // namespace hm::soft::direct
