// SPDX-License-Identifier: MIT
// Some hardware samples every operation, and software has to select those that had the event (AMD IBS, Arm
// SPE). The selection uses the sample's data source: PERF_SAMPLE_DATA_SRC, union perf_mem_data_src in
// linux/perf_event.h.
#pragma once

#include <cstdint>

namespace hm::event {

struct SampleFilter {
  bool loads = true;                // keep loads
  bool stores = true;               // keep stores
  bool others = true;               // keep operations that access no memory
  uint8_t missed_cache_level = 0;   // keep misses of the caches up to this level (1 to 3); 0: keep all
  bool missed_tlb = false;          // keep only misses of the first-level data TLB
  bool modified_elsewhere = false;  // keep only lines that another core's cache had modified (HITM)

  [[nodiscard]] bool keeps_all() const { return *this == SampleFilter{}; }
  friend bool operator==(const SampleFilter&, const SampleFilter&) = default;
};

// Returns whether a sample with this data source had the event. Samples with missing information are dropped,
// with one exception: a level that AMD's driver leaves open is beyond the first two levels, because it always
// reports their hits (Linux, arch/x86/events/amd/ibs.c). An access to a line that is already being fetched is
// not a miss.
[[nodiscard]] bool keeps(const SampleFilter& filter, uint64_t data_source);

}  // namespace hm::event
