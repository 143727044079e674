// SPDX-License-Identifier: MIT
// Names and groups are those of the original `ebs`. At-retirement events are the Pentium 4's, as described in
// the Intel SDM volume 3, "Performance monitoring (processors based on NetBurst)".
#include "event/event_template.h"

#include <algorithm>
#include <array>

#include "event/perf_names.h"

namespace hm::event {
namespace {

using enum EventId;
using enum EventGroup;
using enum SoftSupport;

constexpr std::array<EventTemplate, kEventCount> kEvents{{
    {kInstrRetired, "instr_retired", "", "instructions that retired", kAtRetirement, true, kExact,
     "a repeated string instruction counts once for each iteration, and once more if it tests for the end"},
    {kUopRetired, "uop_retired", "", "micro-operations that retired", kAtRetirement, true, kApproximate,
     "approximated: 1 for each instruction, 1 more if it also loads, 2 more for a store"},
    {kMemoryLoads, "memory_loads", "", "loads that retired", kFrontEnd, true, kExact,
     "one for each memory operand read (xsave and similar: one for each component); Valgrind drops a load whose register is overwritten unused a few instructions later"},
    {kMemoryStores, "memory_stores", "", "stores that retired", kFrontEnd, true, kExact,
     "one for each memory operand written (xsave and similar: one for each component)"},
    {kMemoryMoves, "memory_moves", "", "loads and stores that retired", kFrontEnd, true, kExact, ""},
    {kPackedSpRetired, "packed_sp_retired", "", "packed single-precision instructions (SSE, AVX)", kExecution,
     true, kExact,
     "arithmetic, logic, compare, convert and shuffle; moves are in x87_simd_memory_moves_retired"},
    {kPackedDpRetired, "packed_dp_retired", "", "packed double-precision instructions (SSE2, AVX)",
     kExecution, true, kExact, "as packed_sp_retired"},
    {kScalarSpRetired, "scaler_sp_retired", "scalar_sp_retired",
     "scalar single-precision instructions (SSE, AVX)", kExecution, true, kExact, "as packed_sp_retired"},
    {kScalarDpRetired, "scaler_dp_retired", "scalar_dp_retired",
     "scalar double-precision instructions (SSE2, AVX)", kExecution, true, kExact, "as packed_sp_retired"},
    {kMmx64Retired, "64bit_mmx_retired", "", "64-bit SIMD integer instructions (MMX)", kExecution, true,
     kExact, "without moves"},
    {kSimd128Retired, "128bit_mmx_retired", "", "128-bit SIMD integer instructions (SSE2 and later)",
     kExecution, true, kExact, "without moves; 256-bit AVX2 integer instructions count once"},
    {kX87FpRetired, "x87_fp_retired", "", "x87 floating-point instructions", kExecution, true, kExact,
     "without loads, stores and register moves"},
    {kX87SimdMemoryMovesRetired, "x87_simd_memory_moves_retired", "",
     "x87, MMX, SSE and AVX loads, stores and register moves", kExecution, true, kExact, ""},
    {kL1CacheMiss, "l1_cache_miss", "", "loads that missed the first-level data cache", kMemory, true, kExact,
     "one for each missed line; no prefetcher, no speculation"},
    {kL2CacheMiss, "l2_cache_miss", "", "loads that missed the second-level cache", kMemory, true, kExact,
     "one for each missed line; no prefetcher, no speculation"},
    {kL3CacheMiss, "l3_cache_miss", "", "loads that missed the last-level cache", kMemory, true, kExact,
     "each process has its own last-level cache; unavailable if the geometry has no third level"},
    {kL1StoreMiss, "l1_store_miss", "", "stores that missed the first-level data cache", kMemory, true,
     kExact, "one for each missed line; write-allocate"},
    {kDtlbLoadMiss, "dtlb_load_miss", "", "loads that missed the data TLB", kMemory, true, kExact,
     "the first-level data TLB; the sample's data source states whether the second level had the page"},
    {kDtlbStoreMiss, "dtlb_stor_miss", "dtlb_store_miss", "stores that missed the data TLB", kMemory, true,
     kExact, "as dtlb_load_miss"},
    {kDtlbAllMiss, "dtlb_all_miss", "", "loads and stores that missed the data TLB", kMemory, true, kExact,
     "as dtlb_load_miss"},
    {kMobLoadReplayRetired, "mob_load_replay_retired", "",
     "loads replayed by the memory order buffer (blocked store forward, 4K alias)", kMemory, true, kExact,
     "a load that partly overlaps one of the last stores, or has the same low 12 address bits on another page"},
    {kSplitLoadRetired, "split_load_retired", "", "loads over two cache lines", kMemory, true, kExact, ""},
    {kSplitLoadMiss, "split_load_miss", "", "loads over two cache lines that missed L1 in both", kMemory,
     true, kExact,
     "each counts as two of l1_cache_miss; simulators that count accesses instead of lines count one"},
    {kSplitStoreMiss, "split_store_miss", "", "stores over two cache lines that missed L1 in both", kMemory,
     true, kExact, "as split_load_miss, of l1_store_miss"},
    {kSharedLineHit, "shared_line_hit", "", "loads of a line that another core had modified (HITM)", kMemory,
     true, kExact,
     "between the threads of a process, each on its own core if there are enough cores; not under the Valgrind engine, which runs all threads on one core"},
    {kICacheMiss, "icache_miss", "", "instruction fetches that missed the first-level instruction cache",
     kCode, true, kExact, "one for each missed line"},
    {kSplitFetchMiss, "split_fetch_miss", "",
     "instructions over two cache lines that missed the instruction cache in both", kCode, true, kExact,
     "as split_load_miss, of icache_miss"},
    {kItlbMiss, "itlb_miss", "", "instruction fetches that missed the instruction TLB", kCode, true, kExact,
     ""},
    {kBranchRetired, "branch_retired", "", "branches that retired, taken or not", kCode, true, kExact, ""},
    {kBranchMispredict, "branch_mispredict", "", "branches that were predicted wrongly", kCode, true, kExact,
     "on the modelled predictor: TAGE for conditions, ITTAGE for indirect jumps, a return stack"},
    {kClock, "clock", "", "processor time: a sample every N ns (software PMU: modelled cycles)", kTime, false,
     kApproximate, "cycles of the stated cost model: 1 an instruction plus what each level of memory costs"},
    {kMemoryWait, "memory_wait", "", "cycles that a core waits for data", kWait, true, kApproximate,
     "estimated by the cost model; the sum of l2_wait, l3_wait, dram_wait, peer_wait and tlb_wait"},
    {kL2Wait, "l2_wait", "", "cycles that a core waits for data from L2", kWait, true, kApproximate,
     "as memory_wait"},
    {kL3Wait, "l3_wait", "", "cycles that a core waits for data from L3", kWait, true, kApproximate,
     "as memory_wait"},
    {kDramWait, "dram_wait", "", "cycles that a core waits for data from memory", kWait, true, kApproximate,
     "as memory_wait"},
    {kPeerWait, "peer_wait", "", "cycles that a core waits for lines that another core had modified", kWait,
     true, kApproximate, "as memory_wait"},
    {kTlbWait, "tlb_wait", "", "cycles that a core waits for translations of data addresses", kWait, true,
     kApproximate, "as memory_wait"},
    {kFetchWait, "fetch_wait", "", "cycles that a core waits for instructions", kWait, true, kApproximate,
     "estimated by the cost model"},
    {kBranchWait, "branch_wait", "", "cycles lost to mispredicted branches", kWait, true, kApproximate,
     "estimated by the cost model; without --as, a mispredicted branch costs the stated cycles"},
}};

constexpr bool in_order() {
  for (unsigned i = 0; i < kEvents.size(); ++i) {
    if (index_of(kEvents[i].id) != i) return false;
  }
  return true;
}
static_assert(in_order(), "the table must be in the order of EventId");

std::vector<std::string_view> table_names() {
  std::vector<std::string_view> names;
  names.reserve(kEvents.size());
  for (const EventTemplate& event : kEvents) names.push_back(event.name);
  return names;
}

}  // namespace

std::span<const EventTemplate> all_events() { return kEvents; }

const EventTemplate& event_template(EventId id) { return kEvents[index_of(id)]; }

const EventTemplate* find_event(std::string_view name) {
  if (name.empty()) return nullptr;
  auto found = std::ranges::find_if(kEvents, [&](const EventTemplate& candidate) {
    return candidate.name == name || candidate.alias == name;
  });
  return found == kEvents.end() ? nullptr : &*found;
}

Result<std::vector<EventId>> parse_event_list(std::string_view list) {
  std::vector<EventId> ids;
  while (true) {
    std::string_view name = list.substr(0, list.find(','));
    const EventTemplate* found = find_event(name);
    if (found == nullptr) return unknown_event(name, table_names());
    if (std::ranges::find(ids, found->id) != ids.end()) {
      return make_error(ErrorCode::kInvalidArgument, "event '{}' is given twice", name);
    }
    ids.push_back(found->id);
    if (name.size() == list.size()) return ids;
    list.remove_prefix(name.size() + 1);
  }
}

std::string_view group_title(EventGroup group) {
  switch (group) {
    case kAtRetirement:
      return "at retirement";
    case kFrontEnd:
      return "loads and stores";
    case kExecution:
      return "floating point and SIMD";
    case kMemory:
      return "caches and TLBs";
    case kCode:
      return "instruction fetch and branches";
    case kTime:
      return "time";
    case kWait:
      return "waits";
  }
  return "";
}

}  // namespace hm::event
