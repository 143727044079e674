// SPDX-License-Identifier: MIT
// AMD's Instruction Based Sampling of operations: IbsOpCtl, MSR C001_1033 (AMD64 APM volume 2,
// "Instruction-Based Sampling"; PPR of each family), as exposed by Linux' PMU ibs_op
// (arch/x86/events/amd/ibs.c). It samples retired operations at a fixed period, and each sample records what
// happened to the operation. Software has to select the samples that had the event. Zen 5 can also drop loads
// below a latency (`ldlat`), and later generations operations other than streaming stores (`strmst`). No
// event is defined by these, so hardmeter does not set them.
#include "event/hardware/event_row.h"
#include "event/hardware/families.h"

namespace hm::event {
namespace {

using enum EventId;

constexpr uint64_t kCountOperations = 1ull << 19;  // IbsOpCntCtl: counts operations instead of cycles
constexpr uint64_t kL3MissOnly = 1ull << 16;       // IbsOpL3MissOnly, since Zen 4
constexpr uint64_t kSoftwareFilter = 1;            // config2, in newer kernels
constexpr uint32_t kPeriodMultiple = 16;           // IbsOpMaxCnt holds bits 4 and up

constexpr SampleFilter kLoads{.stores = false, .others = false};
constexpr SampleFilter kStores{.loads = false, .others = false};
constexpr SampleFilter kAccesses{.others = false};

constexpr SampleFilter beyond(SampleFilter filter, uint8_t level) {
  filter.missed_cache_level = level;
  return filter;
}

constexpr SampleFilter without_translation(SampleFilter filter) {
  filter.missed_tlb = true;
  return filter;
}

constexpr SampleFilter modified_elsewhere(SampleFilter filter) {
  filter.modified_elsewhere = true;
  return filter;
}

// Returns nullopt if a sample's contents do not identify the event.
std::optional<SampleFilter> filter_for(EventId id) {
  switch (id) {
    case kUopRetired:
      return SampleFilter{};
    case kMemoryLoads:
      return kLoads;
    case kMemoryStores:
      return kStores;
    case kMemoryMoves:
      return kAccesses;
    case kL1CacheMiss:
      return beyond(kLoads, 1);
    case kL2CacheMiss:
      return beyond(kLoads, 2);
    case kL3CacheMiss:
      return beyond(kLoads, 3);
    case kL1StoreMiss:
      return beyond(kStores, 1);
    case kDtlbLoadMiss:
      return without_translation(kLoads);
    case kDtlbStoreMiss:
      return without_translation(kStores);
    case kDtlbAllMiss:
      return without_translation(kAccesses);
    case kSharedLineHit:
      return modified_elsewhere(kLoads);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Encoding> encode_ibs(EventId id, const KnownCpu& known) {
  std::optional<SampleFilter> filter = filter_for(id);
  if (!filter) return std::nullopt;
  Encoding encoding;
  encoding.pmu = "ibs_op";
  encoding.config = kCountOperations;
  encoding.precise = true;
  encoding.data_address = encoding.weight = encoding.data_source = true;
  encoding.privilege_filter = false;
  encoding.privilege_bits = {.format = "swfilt", .config2 = kSoftwareFilter};
  encoding.period_unit = PeriodUnit::kOperations;
  encoding.period_multiple = kPeriodMultiple;
  encoding.exclusive = true;
  encoding.keep = *filter;
  encoding.native = "IBS_OP";
  encoding.note =
      "the period counts operations, and software picks those that had the event; no user or kernel filter in hardware; one IBS event a core at a time, without branch stack";
  if (id == kL3CacheMiss && is_zen4_or_later(known.generation)) {
    encoding.fewer_samples_bits = {.format = "l3missonly", .config = kL3MissOnly};
  }
  return encoding;
}

}  // namespace hm::event
