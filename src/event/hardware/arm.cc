// SPDX-License-Identifier: MIT
// Arm's Neoverse N1 to N3 and V1 to V3: the core's counters. libpfm4 has their tables only if it is built for
// Arm. The numbers are those of the architecture's common events (Arm ARM, D13 "Common event numbers"). Each
// Technical Reference Manual and github.com/ARM-software/data (pmu/neoverse-*.json) list the events of a
// core.
#include <linux/perf_event.h>

#include "event/hardware/event_row.h"
#include "event/hardware/families.h"

namespace hm::event {
namespace {

using enum EventId;
using enum Sampling;

constexpr std::string_view kSpeculative = "operations executed, also on wrong paths";
constexpr std::string_view kRefills = "lines filled, also for wrong paths";
constexpr std::string_view kTlbRefills = "refills, also for prefetches and wrong paths";
constexpr std::string_view kNoPrecision =
    "no event distinguishes floating-point instructions by width and precision; the nearest are VFP_SPEC (scalar) and ASE_SPEC (Advanced SIMD)";
constexpr std::string_view kNoX87 = "Arm has neither x87 nor MMX; the nearest are VFP_SPEC and ASE_SPEC";
constexpr std::string_view kNoLineCrossing =
    "no event counts accesses over two lines; the nearest is UNALIGNED_LD_SPEC, which counts unaligned loads";

constexpr EventRow kCommon[] = {
    {kInstrRetired, "INST_RETIRED", kSkids, "", 0x08},
    {kUopRetired, "OP_RETIRED", kSkids, "", 0x3a},
    {kMemoryLoads, "LD_SPEC", kSkids, kSpeculative, 0x70},
    {kMemoryStores, "ST_SPEC", kSkids, kSpeculative, 0x71},
    {kMemoryMoves, "LD_SPEC", kSkids, kSpeculative, 0x70},
    {kMemoryMoves, "ST_SPEC", kSkids, kSpeculative, 0x71},
    {kPackedSpRetired, "", kSkids, kNoPrecision},
    {kPackedDpRetired, "", kSkids, kNoPrecision},
    {kScalarSpRetired, "", kSkids, kNoPrecision},
    {kScalarDpRetired, "", kSkids, kNoPrecision},
    {kMmx64Retired, "", kSkids, kNoX87},
    {kSimd128Retired, "", kSkids,
     "no event distinguishes integer Advanced SIMD from floating-point; the nearest is ASE_SPEC, which counts both"},
    {kX87FpRetired, "", kSkids, kNoX87},
    {kX87SimdMemoryMovesRetired, "", kSkids, kNoMoves},
    {kL1CacheMiss, "L1D_CACHE_REFILL_RD", kSkids, kRefills, 0x42},
    {kL2CacheMiss, "L2D_CACHE_REFILL_RD", kSkids, kRefills, 0x52},
    {kL3CacheMiss, "LL_CACHE_MISS_RD", kSkids, "of the system's last-level cache, also on wrong paths", 0x37},
    {kL1StoreMiss, "L1D_CACHE_REFILL_WR", kSkids, kRefills, 0x43},
    {kDtlbLoadMiss, "L1D_TLB_REFILL_RD", kSkids, kTlbRefills, 0x4c},
    {kDtlbStoreMiss, "L1D_TLB_REFILL_WR", kSkids, kTlbRefills, 0x4d},
    {kDtlbAllMiss, "L1D_TLB_REFILL", kSkids, kTlbRefills, 0x05},
    {kMobLoadReplayRetired, "", kSkids, "no event counts replayed loads; the nearest is memory_loads"},
    {kSplitLoadRetired, "", kSkids, kNoLineCrossing},
    {kSplitLoadMiss, "", kSkids, kNoLineCrossing},
    {kSplitStoreMiss, "", kSkids, kNoLineCrossing},
    {kSharedLineHit, "", kSkids,
     "no event counts lines that another core had modified; the nearest is l2_cache_miss"},
    {kICacheMiss, "L1I_CACHE_REFILL", kSkids, kRefills, 0x01},
    {kSplitFetchMiss, "", kSkids, "Arm's instructions lie in one line; the nearest is icache_miss"},
    {kItlbMiss, "L1I_TLB_REFILL", kSkids, kRefills, 0x02},
    {kBranchRetired, "BR_RETIRED", kSkids, "", 0x21},
    {kBranchMispredict, "BR_MIS_PRED_RETIRED", kSkids, kThatRetired, 0x22},
    {kClock, "CPU_CYCLES", kSkids, kCoreCycles, 0x11},
};

// The event OP_RETIRED was added by Armv8.4's PMU.
constexpr EventRow kNeoverseN1Rows[] = {
    {kUopRetired, "", kSkids, "no event counts retired micro-operations; the nearest is INST_SPEC"},
};

constexpr std::string_view kNoLoadsOrStores =
    "no event distinguishes refills for loads from refills for stores; the nearest is L1D_CACHE_REFILL, which counts both";
constexpr std::string_view kTlbNoLoadsOrStores =
    "no event distinguishes refills for loads from refills for stores; the nearest is dtlb_all_miss";
constexpr std::string_view kNoLineCrossingN3 =
    "no event counts accesses over two lines; the nearest is LDST_ALIGN_LAT, which counts slow unaligned accesses";

// The Neoverse N3 lacks the events that distinguish loads from stores.
constexpr EventRow kNeoverseN3Rows[] = {
    {kL1CacheMiss, "L1D_CACHE_LMISS_RD", kSkids, "reads that waited for another cache, also on wrong paths",
     0x39},
    {kL1StoreMiss, "", kSkids, kNoLoadsOrStores},
    {kDtlbLoadMiss, "", kSkids, kTlbNoLoadsOrStores},
    {kDtlbStoreMiss, "", kSkids, kTlbNoLoadsOrStores},
    {kSplitLoadRetired, "", kSkids, kNoLineCrossingN3},
    {kSplitLoadMiss, "", kSkids, kNoLineCrossingN3},
    {kSplitStoreMiss, "", kSkids, kNoLineCrossingN3},
};

constexpr EventTable kN1Tables[] = {kNeoverseN1Rows, kCommon};
constexpr EventTable kN3Tables[] = {kNeoverseN3Rows, kCommon};
constexpr EventTable kTables[] = {kCommon};

std::span<const EventTable> tables_of(Generation generation) {
  switch (generation) {
    case Generation::kNeoverseN1:
      return kN1Tables;
    case Generation::kNeoverseN3:
      return kN3Tables;
    default:
      return kTables;
  }
}

}  // namespace

Result<std::vector<Encoding>> encode_neoverse(EventId id, const KnownCpu& known, Use use) {
  if (use == Use::kSample) {
    if (std::optional<Encoding> sampled = encode_spe(id)) return std::vector{*std::move(sampled)};
  }
  EventTable rows = find_rows(tables_of(known.generation), id);
  return encode_rows(rows, known.title, [](const EventRow& row) -> Result<Encoding> {
    Encoding encoding = encoding_of(row);
    encoding.pmu = "armv8_pmuv3_0";
    encoding.type = PERF_TYPE_RAW;
    encoding.branch_stack = false;
    return encoding;
  });
}

}  // namespace hm::event
