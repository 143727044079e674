// SPDX-License-Identifier: MIT
// Compares the machine's predictions for other machines with simulations of those machines.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "model/machine.h"
#include "model/reference_models.h"
#include "model/test_machines.h"

namespace hm::model {
namespace {

using record::WhatIf;

MachineGeometry machine_of_small_pages() {
  MachineGeometry g = small_machine();
  g.l1d = {16, 8};
  return g;
}

// A cache that fetches the next line of the page when a line misses, or at the first use of a prefetched line
// (tagged prefetch: Smith, "Cache Memories", ACM Computing Surveys 14, 1982).
class PrefetchingCache {
 public:
  explicit PrefetchingCache(SetGeometry geometry) : cache_(geometry) {}
  bool access(uint64_t line) {
    bool hit = cache_.access(line);
    bool first_use = ahead_.erase(line) != 0;
    constexpr uint64_t kLinesPerPage = 64;
    if ((!hit || first_use) && (line + 1) % kLinesPerPage != 0 && !cache_.access(line + 1))
      ahead_.insert(line + 1);
    return hit;
  }

 private:
  reference::LruSets cache_;
  std::set<uint64_t> ahead_;
};

struct Shares {
  double told = 0;    // share of the misses
  double really = 0;  // share of the misses that the other machine avoids
};

// `next(step)` returns the address of an access.
template <typename Next>
Shares of_next_line(Next&& next) {
  MachineGeometry geometry = machine_of_small_pages();
  Shared shared(geometry);
  FilteredMachine machine(geometry, shared.levels);
  PrefetchingCache other(geometry.l1d);
  double misses = 0, other_misses = 0, told = 0;
  for (int step = 0; step < 100000; ++step) {
    uint64_t address = next(step);
    other_misses += other.access(address / 64) ? 0 : 1;
    if (machine.access_data(address, 8).l1_misses == 0) continue;
    ++misses;
    EXPECT_NE(machine.what_if().asked & WhatIf::kNextLine, 0);
    told += (machine.what_if().would_hit & WhatIf::kNextLine) != 0 ? 1 : 0;
  }
  return {told / misses, 1 - other_misses / misses};
}

TEST(WhatIf, TheNextLineIsFetchedBesideEach) {
  Shares walk = of_next_line([](int step) { return 0x10000000 + static_cast<uint64_t>(step) * 8; });
  EXPECT_NEAR(walk.told, 63.0 / 64, 0.002);
  EXPECT_NEAR(walk.told, walk.really, 0.01);
  Shares stride = of_next_line([](int step) { return 0x10000000 + static_cast<uint64_t>(step) * 128; });
  EXPECT_EQ(stride.told, 0);
  EXPECT_EQ(stride.really, 0);
  std::mt19937 random(5);
  Shares table = of_next_line([&](int) { return 0x10000000 + random() % (1u << 26) / 8 * 8; });
  EXPECT_LT(table.told, 0.01);
  Shares records = of_next_line([&, at = uint64_t{0}](int step) mutable {
    if (step % 3 == 0) at = 0x10000000 + random() % (1u << 26) / 192 * 192;  // three lines each
    return at + static_cast<uint64_t>(step % 3) * 64;
  });
  EXPECT_NEAR(records.told, 2.0 / 3, 0.03);
  EXPECT_NEAR(records.told, records.really, 0.07);
}

TEST(WhatIf, WhatConflictsIsNotHelpedByMoreLines) {
  Shares columns = of_next_line([](int step) {
    auto row = static_cast<uint64_t>(step % 32);
    auto column = static_cast<uint64_t>(step / 32 % 4);
    return 0x10000000 + row * 4096 + column * 64;
  });
  EXPECT_LT(columns.told, 0.05);
}

// Only misses of the TLB of small pages are looked up, so pages of the other TLB appear slightly too old.
TEST(WhatIf, PagesWereHuge) {
  MachineGeometry geometry = machine_of_small_pages();
  Shared shared(geometry);
  FilteredMachine machine(geometry, shared.levels);
  reference::LruSets huge(geometry.dtlb);
  std::mt19937 random(9);
  double misses = 0, told = 0, really = 0;
  for (int step = 0; step < 200000; ++step) {
    uint64_t bytes = uint64_t{1} << (step % 4 == 0 ? 27 : 25);  // 64 huge pages, or the first 16 of them
    uint64_t address = 0x40000000 + random() % bytes / 8 * 8;
    bool hit = huge.access(address >> 21);
    if (machine.access_data(address, 8).tlb_misses == 0) continue;
    ++misses;
    really += hit ? 1 : 0;
    told += (machine.what_if().would_hit & WhatIf::kHugePages) != 0 ? 1 : 0;
  }
  EXPECT_NEAR(told / misses, really / misses, 0.02);
  EXPECT_GT(told / misses, 0.6);
  EXPECT_LT(told / misses, 0.95);
}

TEST(WhatIf, ReuseIsCountedInLinesThatMissed) {
  MachineGeometry geometry = machine_of_small_pages();
  Shared shared(geometry);
  FilteredMachine machine(geometry, shared.levels);
  const auto walk = [&](uint64_t lines) {
    for (uint64_t i = 0; i < lines; ++i) machine.access_data(0x10000000 + i * 64, 8);
  };
  walk(300);
  EXPECT_EQ(machine.what_if().reuse_known, 0) << "it had not been used";
  walk(300);
  EXPECT_EQ(machine.what_if().reuse_known, 1);
  EXPECT_EQ(machine.what_if().reuse_more, 0);
  EXPECT_EQ(machine.what_if().reuse_lines, 299u);
  walk(3000);
  walk(3000);
  EXPECT_EQ(machine.what_if().reuse_more, 1);
  EXPECT_EQ(machine.what_if().reuse_lines, 1024u) << "the second level's lines";
}

}  // namespace
}  // namespace hm::model
