// SPDX-License-Identifier: MIT
// Pentium 4, the processor of the original `ebs`. Events: Intel SDM volume 3, "Performance monitoring
// (processors based on Intel NetBurst microarchitecture)" and its lists of at-retirement events, with the
// replay metrics and the tagging of micro-operations. Format: Linux' arch/x86/include/asm/perf_event_p4.h:
// ESCR in the upper half of config, CCCR in the lower half. There the event select is an index of the driver,
// and the lowest six bits, which are reserved in the CCCR, hold a replay metric.
#include <linux/perf_event.h>

#include "event/hardware/event_row.h"
#include "event/hardware/families.h"
#include "event/hardware/pfm.h"

namespace hm::event {
namespace {

using enum EventId;
using enum Sampling;

// Bits of a raw config that the driver accepts (P4_CONFIG_MASK): ESCR event, mask and tag; CCCR edge,
// threshold, complement, compare, thread, and the metric.
constexpr uint64_t kEscrBits = 0x7e000000 | 0x01fffe00 | 0x000001e0 | 0x00000010;
constexpr uint64_t kCccrBits = 0x01000000 | 0x00f00000 | 0x00080000 | 0x00040000 | 0x00030000 | 0x00000fff;
constexpr uint64_t kDriverBits = kEscrBits << 32 | kCccrBits;

// enum P4_PEBS_METRIC
constexpr uint64_t kL1LoadMissMetric = 1;
constexpr uint64_t kL2LoadMissMetric = 2;
constexpr uint64_t kDtlbLoadMissMetric = 3;
constexpr uint64_t kDtlbStoreMissMetric = 4;
constexpr uint64_t kDtlbAllMissMetric = 5;
constexpr uint64_t kMobLoadReplayMetric = 7;
constexpr uint64_t kSplitLoadMetric = 8;

constexpr std::string_view kReplay = "replay_event:NBOGUS";
constexpr std::string_view kFrontEnd = "front_end_event:NBOGUS";
constexpr std::string_view kExecution = "execution_event:NBOGUS0";

struct Tagged {
  EventRow row;
  std::string_view helper = "";  // event that tags the micro-operations which this event counts at retirement
};

constexpr Tagged kRows[] = {
    {{kInstrRetired, "instr_retired:NBOGUSNTAG:NBOGUSTAG", kSkids, ""}},
    {{kUopRetired, "uops_retired:NBOGUS", kSkids, ""}},
    {{kMemoryLoads, kFrontEnd, kSkids, kMicroOperations}, "uops_type:TAGLOADS"},
    {{kMemoryStores, kFrontEnd, kSkids, kMicroOperations}, "uops_type:TAGSTORES"},
    {{kMemoryMoves, kFrontEnd, kSkids, kMicroOperations}, "uops_type:TAGLOADS:TAGSTORES"},
    {{kPackedSpRetired, kExecution, kSkids, kMicroOperations}, "packed_SP_uop:ALL:TAG0"},
    {{kPackedDpRetired, kExecution, kSkids, kMicroOperations}, "packed_DP_uop:ALL:TAG0"},
    {{kScalarSpRetired, kExecution, kSkids, kMicroOperations}, "scalar_SP_uop:ALL:TAG0"},
    {{kScalarDpRetired, kExecution, kSkids, kMicroOperations}, "scalar_DP_uop:ALL:TAG0"},
    {{kMmx64Retired, kExecution, kSkids, kMicroOperations}, "64bit_MMX_uop:ALL:TAG0"},
    {{kSimd128Retired, kExecution, kSkids, kMicroOperations}, "128bit_MMX_uop:ALL:TAG0"},
    {{kX87FpRetired, kExecution, kSkids, kMicroOperations}, "x87_FP_uop:ALL:TAG0"},
    {{kX87SimdMemoryMovesRetired, "", kSkids,
      "Linux' driver has no x87_SIMD_moves_uop, with which the original tagged them; the nearest is memory_moves"}},
    {{kL1CacheMiss, kReplay, kSkids, "", kL1LoadMissMetric}},
    {{kL2CacheMiss, kReplay, kSkids, "", kL2LoadMissMetric}},
    {{kL3CacheMiss, "", kSkids,
      "no event counts retired loads that missed a third level; the nearest is BSQ_cache_reference:RD_3rdL_MISS, which counts the bus unit's reads"}},
    {{kL1StoreMiss, "", kSkids,
      "no event counts stores that missed the first level; the nearest is memory_stores"}},
    {{kDtlbLoadMiss, kReplay, kSkids, "", kDtlbLoadMissMetric}},
    {{kDtlbStoreMiss, kReplay, kSkids, "", kDtlbStoreMissMetric}},
    {{kDtlbAllMiss, kReplay, kSkids, "", kDtlbAllMissMetric}},
    {{kMobLoadReplayRetired, kReplay, kSkids, "", kMobLoadReplayMetric},
     "MOB_load_replay:PARTIAL_DATA:UNALGN_ADDR"},
    {{kSplitLoadRetired, kReplay, kSkids, "", kSplitLoadMetric}, "load_port_replay:SPLIT_LD"},
    {{kSplitLoadMiss, "", kSkids, kNoSplitLoadMiss}},
    {{kSplitStoreMiss, "", kSkids, kNoSplitStoreMiss}},
    {{kSharedLineHit, "", kSkids,
      "no event counts loads of lines that another core had modified; the nearest is l2_cache_miss"}},
    {{kICacheMiss, "BPU_fetch_request:TCMISS", kSkids,
      "misses of the trace cache, which holds decoded instructions"}},
    {{kSplitFetchMiss, "", kSkids, kNoSplitFetch}},
    {{kItlbMiss, "ITLB_reference:MISS", kSkids, kFetches}},
    {{kBranchRetired, "branch_retired:MMNP:MMNM:MMTP:MMTM", kSkids, ""}},
    {{kBranchMispredict, "mispred_branch_retired", kSkids, ""}},
    {{kClock, "global_power_events:RUNNING", kSkids, kCoreCycles}},
};

Result<Encoding> encode_row(const EventRow& row, std::string_view pfm_tables) {
  Result<PfmCode> code = pfm_encode(pfm_tables, row.native);
  if (!code) return code.error();
  Encoding encoding = encoding_of(row);
  encoding.pmu = "cpu";
  encoding.type = PERF_TYPE_RAW;
  encoding.config = (code->config & kDriverBits) | row.config;
  encoding.branch_stack = false;
  // The tags and the registers that select a replay metric belong to the core, not to a counter.
  encoding.exclusive = row.native == kFrontEnd || row.native == kExecution || row.native == kReplay;
  if (!encoding.note.empty()) encoding.note += "; ";
  encoding.note += "Linux does not offer this processor's PEBS: samples skid";
  return encoding;
}

}  // namespace

Result<std::vector<Encoding>> encode_pentium4(EventId id, const KnownCpu& known) {
  std::string_view tables = known.generation == Generation::kPentium4 ? "netburst" : "netburst_p";
  std::vector<Encoding> encodings;
  for (const Tagged& tagged : kRows) {
    if (tagged.row.id != id) continue;
    if (tagged.row.native.empty()) return not_to_be_had(id, known.title, tagged.row.note);
    Result<Encoding> encoding = encode_row(tagged.row, tables);
    if (!encoding) return encoding.error();
    encodings.push_back(*std::move(encoding));
    if (tagged.helper.empty()) continue;
    Result<Encoding> helper = encode_row({id, tagged.helper, kSkids, ""}, tables);
    if (!helper) return helper.error();
    helper->helper = true;
    helper->note = "only tags the micro-operations that the event before it counts";
    encodings.push_back(*std::move(helper));
  }
  return encodings;
}

}  // namespace hm::event
