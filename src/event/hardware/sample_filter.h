// SPDX-License-Identifier: MIT
// Some hardware samples every operation and leaves it to software to pick those that had the event (AMD IBS,
// Arm SPE). What to pick is told from the sample's data source: PERF_SAMPLE_DATA_SRC, union perf_mem_data_src
// in linux/perf_event.h.
#pragma once

#include <cstdint>

namespace hm::event {

struct SampleFilter {
  bool loads = true;                // keep loads
  bool stores = true;               // keep stores
  bool others = true;               // keep what accesses no memory
  uint8_t missed_cache_level = 0;   // keep what was not found in the caches up to this level (1 to 3); 0: all
  bool missed_tlb = false;          // keep only what missed the first-level data TLB
  bool modified_elsewhere = false;  // keep only what another core's cache held modified (HITM)

  [[nodiscard]] bool keeps_all() const { return *this == SampleFilter{}; }
  friend bool operator==(const SampleFilter&, const SampleFilter&) = default;
};

// Whether a sample with this data source had the event. What the data source does not tell is not kept, with
// one exception: a level that AMD's driver leaves open is beyond the first two, whose hits it always names
// (Linux, arch/x86/events/amd/ibs.c). A line that another access had already asked for is not missed again.
[[nodiscard]] bool keeps(const SampleFilter& filter, uint64_t data_source);

}  // namespace hm::event
