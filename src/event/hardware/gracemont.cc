// SPDX-License-Identifier: MIT
// Intel's Gracemont, the efficient core of Alder Lake and Raptor Lake. libpfm4 (4.13) has no tables of it;
// the numbers are those of Intel's event list (github.com/intel/perfmon,
// ADL/events/alderlake_gracemont_core.json), as umask << 8 | event.
#include "event/hardware/event_row.h"
#include "event/hardware/families.h"

namespace hm::event {
namespace {

using enum EventId;
using enum Sampling;

constexpr std::string_view kSupplied = "the sum of the loads that each level beyond supplied";
constexpr std::string_view kNoFloatingPoint =
    "no event tells floating-point instructions by width or precision; the nearest is uop_retired";
constexpr std::string_view kNoSplitMiss =
    "nothing counts accesses over two lines by whether they missed; the nearest is split_load_retired, which "
    "counts "
    "them all";

constexpr EventRow kRows[] = {
    {kInstrRetired, "INST_RETIRED.ANY_P", kPrecise, "a repeated string instruction counts once", 0x00c0},
    {kUopRetired, "UOPS_RETIRED.ALL", kPrecise, "", 0x00c2},
    {kMemoryLoads, "MEM_UOPS_RETIRED.ALL_LOADS", kAccess, "micro-operations", 0x81d0},
    {kMemoryStores, "MEM_UOPS_RETIRED.ALL_STORES", kAccess, "micro-operations", 0x82d0},
    {kMemoryMoves, "MEM_UOPS_RETIRED.ALL_LOADS", kAccess, "micro-operations", 0x81d0},
    {kMemoryMoves, "MEM_UOPS_RETIRED.ALL_STORES", kAccess, "micro-operations", 0x82d0},
    {kPackedSpRetired, "", kSkids, kNoFloatingPoint},
    {kPackedDpRetired, "", kSkids, kNoFloatingPoint},
    {kScalarSpRetired, "", kSkids, kNoFloatingPoint},
    {kScalarDpRetired, "", kSkids, kNoFloatingPoint},
    {kMmx64Retired, "", kSkids, "no event counts MMX instructions; the nearest is uop_retired"},
    {kSimd128Retired, "", kSkids, "no event counts integer SIMD instructions; the nearest is uop_retired"},
    {kX87FpRetired, "UOPS_RETIRED.X87", kPrecise, "micro-operations, also of x87 loads, stores and moves",
     0x02c2},
    {kX87SimdMemoryMovesRetired, "", kSkids,
     "no event tells such moves from others; the nearest is memory_moves"},
    {kL1CacheMiss, "MEM_LOAD_UOPS_RETIRED.L2_HIT", kAccess, kSupplied, 0x02d1},
    {kL1CacheMiss, "MEM_LOAD_UOPS_RETIRED.L3_HIT", kAccess, kSupplied, 0x04d1},
    {kL1CacheMiss, "MEM_LOAD_UOPS_RETIRED.DRAM_HIT", kAccess, kSupplied, 0x80d1},
    {kL2CacheMiss, "MEM_LOAD_UOPS_RETIRED.L3_HIT", kAccess, kSupplied, 0x04d1},
    {kL2CacheMiss, "MEM_LOAD_UOPS_RETIRED.DRAM_HIT", kAccess, kSupplied, 0x80d1},
    {kL3CacheMiss, "MEM_LOAD_UOPS_RETIRED.DRAM_HIT", kAccess, "", 0x80d1},
    {kL1StoreMiss, "", kSkids,
     "no event counts stores by the level that had their line; the nearest is memory_stores"},
    {kDtlbLoadMiss, "DTLB_LOAD_MISSES.WALK_COMPLETED", kSkids,
     "page walks that a load began and that found a translation, also on wrong paths", 0x0e08},
    {kDtlbStoreMiss, "DTLB_STORE_MISSES.WALK_COMPLETED", kSkids,
     "page walks that a store began and that found a translation, also on wrong paths", 0x0e49},
    {kDtlbAllMiss, "DTLB_LOAD_MISSES.WALK_COMPLETED", kSkids, "as dtlb_load_miss", 0x0e08},
    {kDtlbAllMiss, "DTLB_STORE_MISSES.WALK_COMPLETED", kSkids, "as dtlb_stor_miss", 0x0e49},
    {kMobLoadReplayRetired, "LD_BLOCKS.ADDRESS_ALIAS", kPrecise,
     "4K aliases only: no event counts blocked store forwards", 0x0403},
    {kSplitLoadRetired, "MEM_UOPS_RETIRED.SPLIT_LOADS", kAccess, "micro-operations", 0x41d0},
    {kSplitLoadMiss, "", kSkids, kNoSplitMiss},
    {kSplitStoreMiss, "", kSkids,
     "nothing counts accesses over two lines by whether they missed; the nearest is memory_stores"},
    {kSharedLineHit, "", kSkids,
     "no event counts lines that another core had modified; the nearest is l2_cache_miss, whose samples' "
     "data source "
     "tells"},
    {kICacheMiss, "ICACHE.MISSES", kSkids, "fetches, also on wrong paths", 0x0280},
    {kSplitFetchMiss, "", kSkids, "nothing counts instructions over two lines; the nearest is icache_miss"},
    {kItlbMiss, "ITLB_MISSES.WALK_COMPLETED", kSkids,
     "page walks that a fetch began and that found a translation, also on wrong paths", 0x0e85},
    {kBranchRetired, "BR_INST_RETIRED.ALL_BRANCHES", kPrecise,
     "far branches (system calls, interrupts) count too", 0x00c4},
    {kBranchMispredict, "BR_MISP_RETIRED.ALL_BRANCHES", kPrecise, "branches that retired", 0x00c5},
    {kClock, "CPU_CLK_UNHALTED.CORE", kSkids, "core cycles: they change with the frequency and stop in idle",
     0x003c},
};

constexpr EventTable kTables[] = {kRows};

}  // namespace

Result<std::vector<Encoding>> encode_gracemont(EventId id, const KnownCpu& known) {
  return encode_rows(find_rows(kTables, id), known.title, [](const EventRow& row) -> Result<Encoding> {
    Encoding encoding = encoding_of(row);
    encoding.pmu = "cpu_atom";
    return encoding;
  });
}

}  // namespace hm::event
