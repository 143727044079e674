// SPDX-License-Identifier: MIT
// Intel's cores since Skylake. Names and numbers come from libpfm4. Definitions and the support for precise
// sampling come from Intel's event lists (github.com/intel/perfmon, one folder for each processor) and SDM
// volume 3, chapter "Performance monitoring". libpfm4 (4.13) ends at Sapphire Rapids. The lists of later
// cores have the same numbers, and those of the rows with a code: umask << 8 | event.
#include "event/hardware/event_row.h"
#include "event/hardware/families.h"

namespace hm::event {
namespace {

using enum EventId;
using enum Sampling;

constexpr std::string_view kArithmeticOnly =
    "arithmetic only: no logic, compare, shuffle or move; a fused multiply-add counts twice";
constexpr std::string_view kRetiredFetch =
    "instructions that retired after such a fetch, not fetches; wrong paths and prefetches are not seen";
constexpr std::string_view kLineUnderWay =
    "a load of a line that is already under way counts as MEM_LOAD_RETIRED:FB_HIT, not here";

constexpr EventRow kCommon[] = {
    {kInstrRetired, "INST_RETIRED:PREC_DIST", kDistributed, kRepeatedString},
    {kUopRetired, "UOPS_RETIRED:SLOTS", kSkids, "retirement slots: fused micro-operations count once"},
    {kMemoryLoads, "MEM_INST_RETIRED:ALL_LOADS", kAccess, ""},
    {kMemoryStores, "MEM_INST_RETIRED:ALL_STORES", kAccess, ""},
    {kMemoryMoves, "MEM_INST_RETIRED:ANY", kAccess, "instructions: one that loads and stores counts once"},
    {kPackedSpRetired, "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", kSkids, kArithmeticOnly},
    {kPackedSpRetired, "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", kSkids, kArithmeticOnly},
    {kPackedDpRetired, "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", kSkids, kArithmeticOnly},
    {kPackedDpRetired, "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", kSkids, kArithmeticOnly},
    {kScalarSpRetired, "FP_ARITH_INST_RETIRED:SCALAR_SINGLE", kSkids, kArithmeticOnly},
    {kScalarDpRetired, "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", kSkids, kArithmeticOnly},
    {kMmx64Retired, "", kSkids, "no event counts MMX instructions; the nearest is instr_retired"},
    {kSimd128Retired, "", kSkids, "no event counts integer SIMD instructions; the nearest is instr_retired"},
    {kX87FpRetired, "", kSkids,
     "no event counts x87 instructions at retirement; the nearest is UOPS_EXECUTED:X87, which counts micro-operations, also on wrong paths"},
    {kX87SimdMemoryMovesRetired, "", kSkids, kNoMoves},
    {kL1CacheMiss, "MEM_LOAD_RETIRED:L1_MISS", kAccess, kLineUnderWay},
    {kL2CacheMiss, "MEM_LOAD_RETIRED:L2_MISS", kAccess, kLineUnderWay},
    {kL3CacheMiss, "MEM_LOAD_RETIRED:L3_MISS", kAccess, kLineUnderWay},
    {kL1StoreMiss, "L2_RQSTS:ALL_RFO", kSkids,
     "lines requested for writing from the second level, not stores: also prefetched ones, and on wrong paths"},
    {kDtlbLoadMiss, "MEM_INST_RETIRED:STLB_MISS_LOADS", kAccess, kSecondLevelTlb},
    {kDtlbStoreMiss, "MEM_INST_RETIRED:STLB_MISS_STORES", kAccess, kSecondLevelTlb},
    {kDtlbAllMiss, "MEM_INST_RETIRED:STLB_MISS_LOADS", kAccess, kSecondLevelTlb},
    {kDtlbAllMiss, "MEM_INST_RETIRED:STLB_MISS_STORES", kAccess, kSecondLevelTlb},
    {kMobLoadReplayRetired, "LD_BLOCKS:STORE_FORWARD", kSkids, "counted when blocked, also on wrong paths"},
    {kMobLoadReplayRetired, "LD_BLOCKS_PARTIAL:ADDRESS_ALIAS", kSkids,
     "counted when blocked, also on wrong paths"},
    {kSplitLoadRetired, "MEM_INST_RETIRED:SPLIT_LOADS", kAccess, ""},
    {kSplitLoadMiss, "", kSkids, kNoSplitLoadMiss},
    {kSplitStoreMiss, "", kSkids, kNoSplitStoreMiss},
    {kSharedLineHit, "MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM", kAccess, ""},
    {kICacheMiss, "FRONTEND_RETIRED:L1I_MISS", kPrecise, kRetiredFetch},
    {kSplitFetchMiss, "", kSkids, kNoSplitFetch},
    {kItlbMiss, "FRONTEND_RETIRED:ITLB_MISS", kPrecise, kRetiredFetch},
    {kBranchRetired, "BR_INST_RETIRED:ALL_BRANCHES", kPrecise, kFarBranches},
    {kBranchMispredict, "BR_MISP_RETIRED:ALL_BRANCHES", kPrecise, kThatRetired},
    {kClock, "UNHALTED_CORE_CYCLES", kSkids, kCoreCycles},
};

constexpr EventRow kSkylakeRows[] = {
    {kUopRetired, "UOPS_RETIRED:RETIRE_SLOTS", kSkids, "retirement slots: fused micro-operations count once"},
};

constexpr EventRow kAvx512Rows[] = {
    {kPackedSpRetired, "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", kSkids, kArithmeticOnly},
    {kPackedSpRetired, "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", kSkids, kArithmeticOnly},
    {kPackedSpRetired, "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", kSkids, kArithmeticOnly},
    {kPackedDpRetired, "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", kSkids, kArithmeticOnly},
    {kPackedDpRetired, "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", kSkids, kArithmeticOnly},
    {kPackedDpRetired, "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", kSkids, kArithmeticOnly},
};

// With several sockets, a line modified by a core of another socket comes from that socket.
constexpr EventRow kServerRows[] = {
    {kSharedLineHit, "MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM", kAccess, ""},
    {kSharedLineHit, "MEM_LOAD_L3_MISS_RETIRED:REMOTE_HITM", kAccess, ""},
};

constexpr std::string_view kForwarded = "also lines that another core had clean and forwarded";
constexpr std::string_view kSomeIntegerSimd =
    "only additions, subtractions, sums of differences, multiplications and VNNI: no logic, shift or compare";

constexpr EventRow kGoldenCoveRows[] = {
    {kMobLoadReplayRetired, "LD_BLOCKS:STORE_FORWARD", kSkids, "counted when blocked, also on wrong paths"},
    {kMobLoadReplayRetired, "LD_BLOCKS:ADDRESS_ALIAS", kSkids, "counted when blocked, also on wrong paths"},
    {kSharedLineHit, "MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD", kAccess, kForwarded},
    {kSimd128Retired, "INT_VEC_RETIRED:128BIT", kSkids, kSomeIntegerSimd},
    {kSimd128Retired, "INT_VEC_RETIRED:256BIT", kSkids, kSomeIntegerSimd},
};

constexpr EventRow kSapphireRapidsRows[] = {
    {kSharedLineHit, "MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD", kAccess, kForwarded},
    {kSharedLineHit, "MEM_LOAD_L3_MISS_RETIRED:REMOTE_HITM", kAccess, ""},
};

// config1 holds MSR_PEBS_FRONTEND (3F7H).
constexpr EventRow kRedwoodCoveRows[] = {
    {kICacheMiss, "FRONTEND_RETIRED.L1I_MISS", kPrecise, kRetiredFetch, 0x03c6, {}, 0x12},
    {kItlbMiss, "FRONTEND_RETIRED.ITLB_MISS", kPrecise, kRetiredFetch, 0x03c6, {}, 0x14},
};

constexpr std::string_view kBothLevels =
    "the first-level data cache has two levels, and the load missed both; a load of a line that is already under way counts as MEM_LOAD_RETIRED.FB_HIT, not here";
constexpr std::string_view kWriteRequests =
    "lines requested for writing from the second level, not stores: also on wrong paths";

// Lion Cove and Cougar Cove.
constexpr EventRow kLionCoveRows[] = {
    {kMemoryMoves, "MEM_INST_RETIRED.ALL_LOADS", kAccess, "", 0x81d0},
    {kMemoryMoves, "MEM_INST_RETIRED.ALL_STORES", kAccess, "", 0x82d0},
    {kPackedSpRetired, "FP_ARITH_OPS_RETIRED.128B_PACKED_SINGLE", kSkids, kArithmeticOnly, 0x08c7},
    {kPackedSpRetired, "FP_ARITH_OPS_RETIRED.256B_PACKED_SINGLE", kSkids, kArithmeticOnly, 0x20c7},
    {kPackedDpRetired, "FP_ARITH_OPS_RETIRED.128B_PACKED_DOUBLE", kSkids, kArithmeticOnly, 0x04c7},
    {kPackedDpRetired, "FP_ARITH_OPS_RETIRED.256B_PACKED_DOUBLE", kSkids, kArithmeticOnly, 0x10c7},
    {kScalarSpRetired, "FP_ARITH_OPS_RETIRED.SCALAR_SINGLE", kSkids, kArithmeticOnly, 0x02c7},
    {kScalarDpRetired, "FP_ARITH_OPS_RETIRED.SCALAR_DOUBLE", kSkids, kArithmeticOnly, 0x01c7},
    {kL1CacheMiss, "MEM_LOAD_RETIRED.L1_MISS", kAccess, kBothLevels, 0x08d1},
    {kL1StoreMiss, "L2_RQSTS.RFO_HIT", kSkids, kWriteRequests, 0x4224},
    {kL1StoreMiss, "L2_RQSTS.RFO_MISS", kSkids, kWriteRequests, 0x2224},
    {kSharedLineHit, "MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM", kAccess, "", 0x04d2},
};

// For sampling. For stores Linux only reports whether the first level had the line
// (arch/x86/events/intel/ds.c, precise_datala_hsw()).
constexpr EventRow kSampledRows[] = {
    {kL1StoreMiss,
     "MEM_INST_RETIRED:ALL_STORES",
     kAccess,
     "the period counts stores, and software picks those that missed",
     0,
     {.loads = false, .others = false, .missed_cache_level = 1}},
};

struct Core {
  std::string_view pfm_tables;
  std::vector<EventTable> rows;  // the first table with an event overrides later ones
};

Core core_of(Generation generation) {
  switch (generation) {
    case Generation::kSkylake:
      return {"skl", {kSkylakeRows, kCommon}};
    case Generation::kSkylakeX:
      return {"skx", {kSkylakeRows, kAvx512Rows, kServerRows, kCommon}};
    case Generation::kCascadeLakeX:
      return {"clx", {kSkylakeRows, kAvx512Rows, kServerRows, kCommon}};
    case Generation::kIceLake:
      return {"icl", {kCommon}};
    case Generation::kIceLakeX:
      return {"icx", {kAvx512Rows, kServerRows, kCommon}};
    case Generation::kSapphireRapids:
      return {"spr", {kSapphireRapidsRows, kAvx512Rows, kGoldenCoveRows, kCommon}};
    case Generation::kGraniteRapids:
      return {"spr", {kRedwoodCoveRows, kSapphireRapidsRows, kAvx512Rows, kGoldenCoveRows, kCommon}};
    case Generation::kMeteorLake:
      return {"spr", {kRedwoodCoveRows, kGoldenCoveRows, kCommon}};
    case Generation::kArrowLake:
    case Generation::kLunarLake:
    case Generation::kPantherLake:
      return {"spr", {kLionCoveRows, kRedwoodCoveRows, kGoldenCoveRows, kCommon}};
    default:  // Alder Lake's Golden Cove: Sapphire Rapids' core without AVX-512, with one socket
      return {"spr", {kGoldenCoveRows, kCommon}};
  }
}

}  // namespace

Result<std::vector<Encoding>> encode_intel(EventId id, const KnownCpu& known, Use use, std::string_view pmu,
                                           std::optional<uint32_t> type) {
  Core core = core_of(known.generation);
  if (use == Use::kSample) core.rows.insert(core.rows.begin(), kSampledRows);
  return encode_rows(find_rows(core.rows, id), known.title, [&](const EventRow& row) -> Result<Encoding> {
    Result<Encoding> encoding = encoding_of(row, core.pfm_tables);
    if (!encoding) return encoding;
    encoding->pmu = pmu;
    encoding->type = type;
    return encoding;
  });
}

}  // namespace hm::event
