// SPDX-License-Identifier: MIT
// The regions that a program marks to be measured (ring/region_call.h), and their counts in the session.
// Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/region_call.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/system_call.h"
#include "pmu/soft/sampling/elf_functions.h"

namespace hm::soft {

// struct iovec
struct Piece {
  void* start;
  uint64_t bytes;
};

// Counts one more entry to the region. If there are too many regions, some are not counted.
inline void count_region(Session& session, const char* name) {
  for (CollectedRegion& region : session.regions) {
    uint32_t state = kRegionFree;
    if (__atomic_compare_exchange_n(&region.state, &state, kRegionTaken, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      for (uint32_t i = 0; i + 1 < kMaxRegionName && name[i] != '\0'; ++i) region.name[i] = name[i];
      __atomic_store_n(&region.state, kRegionNamed, __ATOMIC_RELEASE);
      state = kRegionNamed;
    }
    // If another thread is still writing a slot's name, this takes another slot instead of waiting. The
    // recorder adds slots of equal names.
    bool same = state == kRegionNamed;
    for (uint32_t i = 0; same && i + 1 < kMaxRegionName; ++i) {
      same = region.name[i] == name[i];
      if (name[i] == '\0') break;
    }
    if (!same) continue;
    __atomic_fetch_add(&region.entered, 1, __ATOMIC_RELAXED);
    return;
  }
}

// Whether a starting program marks regions itself, and the session uses them.
inline bool begins_with_regions(Session& session, const ElfFunctions& file) {
  if (session.obeys_regions == 0 || !file.names(kRegionFunction)) return false;
  __atomic_fetch_add(&session.region_programs, 1, __ATOMIC_RELAXED);
  return true;
}

// Reads and answers a RegionCall in the program's memory; the address may be invalid.
inline bool read_region_call(uint64_t address, RegionCall& call) {
  constexpr int64_t kSysProcessVmReadv = 310;
  Piece here{&call, sizeof(call)}, there{reinterpret_cast<void*>(address), sizeof(call)};
  int64_t copied = system_call(kSysProcessVmReadv, system_call(kSysGettid), pointer_argument(&here), 1,
                               pointer_argument(&there), 1, 0);
  call.name[kMaxRegionName - 1] = '\0';
  return copied == sizeof(call) && call.magic == kRegionTag;
}
inline void answer_region_call(uint64_t address, RegionAnswer answer) {
  constexpr int64_t kSysProcessVmWritev = 311;
  Piece here{&answer, sizeof(answer)}, there{&reinterpret_cast<RegionCall*>(address)->answer, sizeof(answer)};
  system_call(kSysProcessVmWritev, system_call(kSysGettid), pointer_argument(&here), 1,
              pointer_argument(&there), 1, 0);
}

// The effects of a thread's call. `depth`: number of regions the thread is in.
struct RegionStep {
  RegionAnswer answer;
  bool begins;  // start collecting the thread,
  bool ends;    // or stop
};
inline RegionStep take_region_step(Session& session, const RegionCall& call, uint32_t& depth) {
  if (session.obeys_regions == 0) return {RegionAnswer::kIgnored, false, false};
  if (call.operation == RegionOperation::kBegin) {
    count_region(session, call.name);
    return {RegionAnswer::kObeyed, depth++ == 0, false};
  }
  if (call.operation == RegionOperation::kEnd && depth != 0)
    return {RegionAnswer::kObeyed, false, --depth == 0};
  return {RegionAnswer::kObeyed, false, false};
}

}  // namespace hm::soft
