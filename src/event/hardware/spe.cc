// SPDX-License-Identifier: MIT
// Arm's Statistical Profiling Extension (Arm ARM, D14 and PMSFCR_EL1, PMSEVFR_EL1), as exposed by Linux' PMU
// arm_spe_0 (drivers/perf/arm_spe_pmu.c, `format`). The hardware samples operations at a fixed interval and
// writes those that pass its filters into the AUX area.
#include <fmt/format.h>

#include "event/hardware/families.h"

namespace hm::event {
namespace {

using enum EventId;

// config
constexpr uint64_t kTimestamps = 1ull << 0;  // ts_enable
constexpr uint64_t kJitter = 1ull << 16;     // jitter
constexpr uint64_t kBranches = 1ull << 32;   // branch_filter
constexpr uint64_t kLoads = 1ull << 33;      // load_filter
constexpr uint64_t kStores = 1ull << 34;     // store_filter

// config1, event_filter: all of these bits must be set in the operation's Events packet.
constexpr uint64_t kRetired = 1ull << 1;
constexpr uint64_t kL1Refill = 1ull << 3;
constexpr uint64_t kTlbWalk = 1ull << 5;
constexpr uint64_t kMispredicted = 1ull << 7;

struct Filter {
  uint64_t operations;
  uint64_t events;
  // Levels that software has to filter: the Events packet of Armv8.2 has no further levels.
  uint8_t missed_cache_level = 0;
  std::string_view note = "";
};

constexpr std::string_view kWalks =
    "accesses that walked the page table: hits in the second-level TLB are not counted";

// Returns nullopt if a sample does not identify the event.
std::optional<Filter> filter_for(EventId id) {
  switch (id) {
    case kUopRetired:
      return Filter{0, kRetired};
    case kMemoryLoads:
      return Filter{kLoads, kRetired};
    case kMemoryStores:
      return Filter{kStores, kRetired};
    case kMemoryMoves:
      return Filter{kLoads | kStores, kRetired};
    case kL1CacheMiss:
      return Filter{kLoads, kRetired | kL1Refill};
    case kL2CacheMiss:
      return Filter{kLoads, kRetired | kL1Refill, 2};
    case kL3CacheMiss:
      return Filter{kLoads, kRetired | kL1Refill, 3};
    case kL1StoreMiss:
      return Filter{kStores, kRetired | kL1Refill};
    case kDtlbLoadMiss:
      return Filter{kLoads, kRetired | kTlbWalk, 0, kWalks};
    case kDtlbStoreMiss:
      return Filter{kStores, kRetired | kTlbWalk, 0, kWalks};
    case kDtlbAllMiss:
      return Filter{kLoads | kStores, kRetired | kTlbWalk, 0, kWalks};
    case kBranchRetired:
      return Filter{kBranches, kRetired};
    case kBranchMispredict:
      return Filter{kBranches, kRetired | kMispredicted};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Encoding> encode_spe(EventId id) {
  std::optional<Filter> filter = filter_for(id);
  if (!filter) return std::nullopt;
  Encoding encoding;
  encoding.pmu = "arm_spe_0";
  encoding.config = kTimestamps | kJitter | filter->operations;
  encoding.config1 = filter->events;
  encoding.precise = true;
  bool accesses = (filter->operations & (kLoads | kStores)) != 0;
  encoding.data_address = encoding.data_source = accesses;
  encoding.weight = true;
  encoding.period_unit = PeriodUnit::kOperations;
  encoding.delivery = Delivery::kAux;
  encoding.exclusive = true;
  encoding.keep.missed_cache_level = filter->missed_cache_level;
  encoding.native = "SPE";
  encoding.note = "the period counts operations, and the hardware keeps those that had the event";
  if (filter->missed_cache_level > 0) encoding.note += "; software picks the level by the data source";
  if (!filter->note.empty()) encoding.note += fmt::format("; {}", filter->note);
  return encoding;
}

}  // namespace hm::event
