// SPDX-License-Identifier: MIT
#include "profile/data_source.h"

#include <linux/perf_event.h>

#include <span>
#include <string_view>

namespace hm::profile {
namespace {

struct Word {
  uint64_t bit;
  std::string_view text;
};

constexpr Word kAccesses[] = {{PERF_MEM_OP_LOAD, "load"},
                              {PERF_MEM_OP_STORE, "store"},
                              {PERF_MEM_OP_PFETCH, "prefetch"},
                              {PERF_MEM_OP_EXEC, "fetch"}};
constexpr Word kLevels[] = {{PERF_MEM_LVL_L1, "L1"},
                            {PERF_MEM_LVL_LFB, "LFB/MAB"},
                            {PERF_MEM_LVL_L2, "L2"},
                            {PERF_MEM_LVL_L3, "L3"},
                            {PERF_MEM_LVL_LOC_RAM, "RAM"},
                            {PERF_MEM_LVL_REM_RAM1, "remote RAM (1 hop)"},
                            {PERF_MEM_LVL_REM_RAM2, "remote RAM (2 hops)"},
                            {PERF_MEM_LVL_REM_CCE1, "remote cache (1 hop)"},
                            {PERF_MEM_LVL_REM_CCE2, "remote cache (2 hops)"},
                            {PERF_MEM_LVL_IO, "I/O"},
                            {PERF_MEM_LVL_UNC, "uncached"}};
// Enumeration values, not bits.
constexpr Word kLevelNumbers[] = {{PERF_MEM_LVLNUM_L1, "L1"},
                                  {PERF_MEM_LVLNUM_L2, "L2"},
                                  {PERF_MEM_LVLNUM_L3, "L3"},
                                  {PERF_MEM_LVLNUM_L4, "L4"},
                                  {0x08, "uncached"},  // PERF_MEM_LVLNUM_UNC, since Linux 6.3
                                  {0x09, "CXL"},
                                  {0x0a, "I/O"},
                                  {PERF_MEM_LVLNUM_ANY_CACHE, "any cache"},
                                  {PERF_MEM_LVLNUM_LFB, "LFB/MAB"},
                                  {PERF_MEM_LVLNUM_RAM, "RAM"},
                                  {PERF_MEM_LVLNUM_PMEM, "PMEM"}};
constexpr Word kSnoops[] = {{PERF_MEM_SNOOP_NONE, "none"},
                            {PERF_MEM_SNOOP_HIT, "hit"},
                            {PERF_MEM_SNOOP_MISS, "miss"},
                            {PERF_MEM_SNOOP_HITM, "HitM"}};
constexpr Word kMoreSnoops[] = {{PERF_MEM_SNOOPX_FWD, "forward"}, {PERF_MEM_SNOOPX_PEER, "peer"}};
constexpr Word kTlbs[] = {{PERF_MEM_TLB_L1, "L1"},
                          {PERF_MEM_TLB_L2, "L2"},
                          {PERF_MEM_TLB_WK, "walker"},
                          {PERF_MEM_TLB_OS, "fault"}};

perf_mem_data_src fields_of(uint64_t source) {
  perf_mem_data_src fields{};
  fields.val = source;
  return fields;
}

std::string joined(uint64_t bits, std::span<const Word> words, std::string_view separator) {
  std::string text;
  for (const Word& word : words) {
    if ((bits & word.bit) == 0) continue;
    if (!text.empty()) text += separator;
    text += word.text;
  }
  return text;
}

// The hit and miss bits are the same for cache levels and TLBs.
std::string with_outcome(const std::string& what, uint64_t bits) {
  if (what.empty()) return kNotTold;
  if ((bits & PERF_MEM_LVL_HIT) != 0) return what + " hit";
  return (bits & PERF_MEM_LVL_MISS) != 0 ? what + " miss" : what;
}

}  // namespace

static_assert(PERF_MEM_LVL_HIT == PERF_MEM_TLB_HIT && PERF_MEM_LVL_MISS == PERF_MEM_TLB_MISS);

bool has_access_kind(uint64_t source) { return (fields_of(source).mem_op & ~uint64_t{PERF_MEM_OP_NA}) != 0; }

// The older bit mask covers recordings of older perf versions; the newer level number is used only if the
// mask is empty.
std::string level_of(uint64_t source) {
  perf_mem_data_src fields = fields_of(source);
  std::string level = joined(fields.mem_lvl, kLevels, " or ");
  for (const Word& number : kLevelNumbers) {
    if (level.empty() && fields.mem_lvl_num == number.bit)
      level = (fields.mem_remote != 0 ? "remote " : "") + std::string(number.text);
  }
  return with_outcome(level, fields.mem_lvl);
}

std::string access_of(uint64_t source) {
  std::string access = joined(fields_of(source).mem_op, kAccesses, "+");
  return access.empty() ? kNotTold : access;
}

std::string snoop_of(uint64_t source) {
  perf_mem_data_src fields = fields_of(source);
  std::string snoop = joined(fields.mem_snoop, kSnoops, " or ");
  if (snoop.empty()) snoop = joined(fields.mem_snoopx, kMoreSnoops, " or ");
  return snoop.empty() ? kNotTold : snoop;
}

std::string tlb_of(uint64_t source) {
  uint64_t bits = fields_of(source).mem_dtlb;
  return with_outcome(joined(bits, kTlbs, " or "), bits);
}

std::string locked_of(uint64_t source) {
  perf_mem_data_src fields = fields_of(source);
  if ((fields.mem_lock & PERF_MEM_LOCK_NA) != 0) return kNotTold;
  return (fields.mem_lock & PERF_MEM_LOCK_LOCKED) != 0 ? "yes" : "no";
}

}  // namespace hm::profile
