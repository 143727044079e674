// SPDX-License-Identifier: MIT
// Every recorded access of a real program, replayed through slow and simple caches: each miss of the first
// and second level must be a miss there, with the same class.
#include <gtest/gtest.h>

#include "measuring.h"
#include "model/reference_models.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

using model::SetGeometry;
using record::MissClass;

constexpr uint64_t kLineBytes = 64;
constexpr SetGeometry kL1i{32, 4}, kL1d{16, 4}, kL2{128, 4};
// Loads and stores by the kernel are no events of the program: the replay would lack them.
const Words kMachine = {
    "--no-syscall-memory", "--l1i", "8K,4,64", "--l1d", "4K,4,64", "--l2", "32K,4,64", "--l3", "none"};
const Words kEverything = {"-e", "memory_loads,memory_stores,l1_cache_miss,l1_store_miss,icache_miss", "-c",
                           "1"};

struct Missed {
  uint64_t l1_misses = 0;
  MissClass l1_class = MissClass::kNone;  // of the first line that missed
  MissClass l2_class = MissClass::kNone;  // of the first line that missed the second level

  bool operator==(const Missed&) const = default;
};

void PrintTo(const Missed& missed, std::ostream* out) {
  *out << missed.l1_misses << " misses, " << static_cast<int>(missed.l1_class) << ", "
       << static_cast<int>(missed.l2_class);
}

class Oracle {
 public:
  Missed access(uint64_t address, uint64_t bytes) {
    Missed missed;
    for (uint64_t line = address / kLineBytes; line <= (address + bytes - 1) / kLineBytes; ++line) {
      MissClass l1_class = l1d_classes_.use(line);
      if (l1d_.access(line)) continue;
      // The first use of a line without an earlier request, also if code lies beside data.
      Missed one = below(line, l1_class);
      if (missed.l1_misses == 0) missed.l1_class = one.l1_class;
      if (missed.l2_class == MissClass::kNone) missed.l2_class = one.l2_class;
      ++missed.l1_misses;
    }
    return missed;
  }
  // Processes a line of code that missed the first level.
  Missed fetch(uint64_t line) { return below(line, MissClass::kNone); }

 private:
  Missed below(uint64_t line, MissClass l1_class) {
    MissClass l2_class = l2_classes_.use(line);
    bool hit = l2_.access(line);
    if (!hit && l2_class == MissClass::kCompulsory) l1_class = MissClass::kCompulsory;
    return {1, l1_class, hit ? MissClass::kNone : l2_class};
  }

  model::reference::LruSets l1d_{kL1d}, l2_{kL2};
  model::reference::Classes l1d_classes_{kL1d}, l2_classes_{kL2};
};

class RecordedStream : public WithPlainEnvironment, public ::testing::WithParamInterface<Words> {};

TEST_P(RecordedStream, MissesForTheReasonsThatTheOracleGives) {
  Recording recording = record(kMachine + kEverything, GetParam());
  Oracle oracle;
  Missed recorded;  // misses of the current access, which are recorded before it
  uint64_t accesses = 0, misses = 0, fetches = 0;
  for (const Sample& sample : recording.samples) {
    if (sample.event == "icache_miss") {
      ++fetches;
      ASSERT_EQ(sample.l2_class, oracle.fetch(sample.addr / kLineBytes).l2_class) << "fetch " << fetches;
    } else if (sample.event == "l1_cache_miss" || sample.event == "l1_store_miss") {
      recorded = {sample.period, sample.l1_class, sample.l2_class};
    } else {
      ++accesses;
      misses += recorded.l1_misses;
      ASSERT_EQ(recorded, oracle.access(sample.addr, sample.access_bytes))
          << "access " << accesses << " at " << std::hex << sample.ip << " of " << sample.addr;
      recorded = {};
    }
  }
  EXPECT_GT(accesses, 20000u);
  EXPECT_GT(misses, 2000u);
  EXPECT_GT(fetches, 500u);
}

INSTANTIATE_TEST_SUITE_P(, RecordedStream, ::testing::Values(Words{"ls", "/"}, Words{"sort", "/etc/passwd"}),
                         [](const auto& each) { return each.param.front(); });

}  // namespace
}  // namespace hm::soft_pmu_test
