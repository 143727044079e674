// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/own_memory.h"

#include <linux/mman.h>
#include <linux/shm.h>

#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

bool acts_on_range(uint64_t number) {
  switch (number) {
    case kMunmap:
    case kMprotect:
    case kPkeyMprotect:
    case kMadvise:
    case kMlock:
    case kMlock2:
    case kMunlock:
    case kMseal:
      return true;
    default:
      return false;
  }
}

bool is_own(uint64_t start, uint64_t bytes) {
  OwnPart found = first_own_part(start, start + bytes);
  return found.start != found.end;
}

}  // namespace

bool includes_own_memory(const Context& context, uint64_t number) {
  const uint64_t* r = context.registers;
  return acts_on_range(number) && is_own(r[kDi], r[kSi]);
}

bool replaces_own_memory(const Context& context, uint64_t number) {
  const uint64_t* r = context.registers;
  switch (number) {
    case kMmap:
      return (r[kR10] & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0 && is_own(r[kDi], r[kSi]);
    case kMremap:
      return (r[kR10] & MREMAP_FIXED) != 0 && is_own(r[kR8], r[kDx]);
    case kShmat:  // the call does not contain the segment's length
      return (r[kDx] & SHM_REMAP) != 0 && is_own(r[kSi], 1);
    default:
      return false;
  }
}

CallPart part_beside_own_memory(uint64_t start, uint64_t end) {
  while (start < end) {
    OwnPart own = first_own_part(start, end);
    if (own.start != start) return {start, own.start - start};
    start = own.end;
  }
  return {end, 0};
}

}  // namespace hm::soft::direct
