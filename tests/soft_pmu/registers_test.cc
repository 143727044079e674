// SPDX-License-Identifier: MIT
// All registers of all samples, the accesses they describe, and their cost: tests/programs/registers.S
// documents each register's value.
#include <asm/perf_regs.h>
#include <gtest/gtest.h>

#include <set>

#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

constexpr uint64_t kLines = 64;

// zen4's assumptions: cycles for L1, for memory and for a page walk.
const Words kZen4 = {"--cpu", "zen4"};
constexpr uint64_t kMemoryCycles = 250;
constexpr uint64_t kPageWalkCycles = 30;

struct AccessSite {
  std::string event;
  std::string label;
  uint64_t offset;  // from rsi
  uint32_t bytes;
  record::AccessKind kind;
};

const std::vector<AccessSite> kAccessSites = {
    {"l1_cache_miss", "load4", 4, 4, record::AccessKind::kLoad},
    {"l1_cache_miss", "load8", 0x4008, 8, record::AccessKind::kLoad},
    {"l1_cache_miss", "load16", 0x8000, 16, record::AccessKind::kLoad},
    {"l1_store_miss", "store8", 0xc010, 8, record::AccessKind::kStore},
};

class RegistersOfSamples : public ::testing::Test {
 protected:
  // Checks a sample of turn `c` of the loop.
  void expect_registers(const Sample& sample, uint64_t c) {
    const std::map<int, uint64_t> expected = {
        {PERF_REG_X86_AX, 3 * c},
        {PERF_REG_X86_BX, c + 7},
        {PERF_REG_X86_CX, c},
        {PERF_REG_X86_DX, c ^ 0x55},
        {PERF_REG_X86_SI, buffer_ + 64 * c},
        {PERF_REG_X86_DI, 5 * c},
        {PERF_REG_X86_BP, c + 0x1000},
        {PERF_REG_X86_SP, labels_["stack"] + 4096},
        {PERF_REG_X86_IP, sample.ip},
        {PERF_REG_X86_R8, 9 * c},
        {PERF_REG_X86_R9, 10 * c},
        {PERF_REG_X86_R10, 11 * c},
        {PERF_REG_X86_R11, 12 * c},
        {PERF_REG_X86_R12, 13 * c},
        {PERF_REG_X86_R13, 14 * c},
        {PERF_REG_X86_R14, 15 * c},
        {PERF_REG_X86_R15, ~c},
    };
    for (auto [number, value] : expected) {
      auto found = sample.registers.find(number);
      ASSERT_NE(found, sample.registers.end()) << "no register " << number;
      ASSERT_EQ(found->second, value) << "register " << number << " at turn " << c;
    }
    uint64_t flags = sample.registers.at(PERF_REG_X86_FLAGS);
    ASSERT_EQ(flags & 1, c < 32 ? 1 : 0) << "carry at turn " << c;
    ASSERT_EQ(flags >> 6 & 1, c == 32 ? 1 : 0) << "zero at turn " << c;
    ASSERT_EQ(flags >> 7 & 1, c < 32 ? 1 : 0) << "sign at turn " << c;
  }

  void expect_access(const Sample& sample, uint64_t c, const AccessSite& site) {
    ASSERT_EQ(sample.addr, buffer_ + 64 * c + site.offset);
    ASSERT_EQ(sample.access_bytes, site.bytes);
    ASSERT_EQ(sample.access_kind, site.kind);
    bool store = site.kind == record::AccessKind::kStore;
    ASSERT_EQ(sample.source.mem_op, store ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD);
  }

  // Every line is cold: it comes from memory. Each page has one walk, at its first line.
  void expect_cost(const Sample& sample) {
    bool first_of_page = pages_.insert(sample.addr >> 12).second;
    ASSERT_EQ(sample.weight, kMemoryCycles + (first_of_page ? kPageWalkCycles : 0));
    ASSERT_EQ(sample.source.mem_lvl, PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_HIT);
    ASSERT_EQ(sample.source.mem_lvl_num, PERF_MEM_LVLNUM_RAM);
    ASSERT_EQ(sample.source.mem_dtlb,
              first_of_page ? PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS : PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT);
  }

  const std::string path_ = program("registers");
  std::map<std::string, uint64_t> labels_ = labels(path_);
  uint64_t buffer_ = labels_["buffer"];
  std::set<uint64_t> pages_;
};

TEST_F(RegistersOfSamples, AreThoseAtTheAccessAndSoIsWhatItTouched) {
  Recording recording =
      record(Words{"--no-jitter", "-c", "1", "-e", "l1_cache_miss,l1_store_miss"} + kZen4, {path_});
  ASSERT_EQ(recording.samples.size(), kAccessSites.size() * kLines);
  for (size_t i = 0; i < recording.samples.size(); ++i) {
    const Sample& sample = recording.samples[i];
    const AccessSite& site = kAccessSites[i % kAccessSites.size()];
    uint64_t c = kLines - i / kAccessSites.size();
    ASSERT_EQ(sample.event, site.event);
    ASSERT_EQ(sample.ip, labels_[site.label]);
    ASSERT_NO_FATAL_FAILURE(expect_registers(sample, c));
    ASSERT_NO_FATAL_FAILURE(expect_access(sample, c, site));
    ASSERT_NO_FATAL_FAILURE(expect_cost(sample));
  }
}

// Events other than misses: every access; and instructions, which have the same state between two labels.
TEST_F(RegistersOfSamples, AreRightForEveryAccess) {
  Recording recording = record(Words{"--no-jitter", "-c", "1", "-e", "memory_moves"} + kZen4, {path_});
  ASSERT_EQ(recording.samples.size(), kAccessSites.size() * kLines);
  for (size_t i = 0; i < recording.samples.size(); ++i) {
    uint64_t c = kLines - i / kAccessSites.size();
    ASSERT_EQ(recording.samples[i].ip, labels_[kAccessSites[i % kAccessSites.size()].label]);
    ASSERT_NO_FATAL_FAILURE(expect_registers(recording.samples[i], c));
    ASSERT_NO_FATAL_FAILURE(expect_access(recording.samples[i], c, kAccessSites[i % kAccessSites.size()]));
  }
}

TEST_F(RegistersOfSamples, AreRightForInstructionsThatTouchNoMemory) {
  Recording recording =
      record(Words{"--no-jitter", "-c", "1", "-e", "x87_simd_memory_moves_retired"} + kZen4, {path_});
  std::set<uint64_t> moves = {labels_["load8"], labels_["load16"]};
  ASSERT_EQ(recording.samples.size(), moves.size() * kLines);
  for (size_t i = 0; i < recording.samples.size(); ++i) {
    ASSERT_TRUE(moves.contains(recording.samples[i].ip));
    ASSERT_NO_FATAL_FAILURE(expect_registers(recording.samples[i], kLines - i / moves.size()));
    ASSERT_EQ(recording.samples[i].access_kind, record::AccessKind::kNone);
  }
}

}  // namespace
}  // namespace hm::soft_pmu_test
