// SPDX-License-Identifier: MIT
// Cores that share lines: first one access after the other, compared with a slow model that keeps every
// byte's last writer; then in concurrent threads.
#include "model/directory.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <thread>
#include <vector>

#include "model/slow_sharing.h"
#include "model/test_machines.h"

namespace hm::model {
namespace {

constexpr uint32_t kCores = 3;

// Small enough for lines to be evicted now and then.
MachineGeometry machine() {
  MachineGeometry g;
  g.l1i = {1, 2};
  g.l1d = {4, 2};
  g.l2 = {8, 2};
  g.l3 = {64, 8};
  g.itlb = {1, 4};
  g.dtlb = {1, 64};
  return g;
}

// Several machines, and their shared levels.
class Cores {
 public:
  explicit Cores(const MachineGeometry& geometry) : shared_(geometry) {
    for (uint32_t i = 0; i < kCores; ++i)
      cores_.push_back(std::make_unique<FilteredMachine>(geometry, shared_.levels));
  }
  FilteredMachine& operator[](uint32_t core) { return *cores_[core]; }

 private:
  Shared shared_;
  std::vector<std::unique_ptr<FilteredMachine>> cores_;
};

// The result of an access to a line that another core has used.
struct Told {
  Level level;
  Snoop snoop;
  MissClass l1_class;
  MissClass l2_class;
};

Told told(FilteredMachine& core, uint64_t address, uint32_t bytes, bool writes) {
  Outcome outcome = core.access_data(address, bytes, writes);
  return {outcome.level, outcome.snoop, outcome.l1_misses == 0 ? MissClass::kNone : core.first_class(),
          outcome.l2_class};
}
void expect(const Told& found, Level level, Snoop snoop, MissClass l1_class, MissClass l2_class) {
  EXPECT_EQ(found.level, level);
  EXPECT_EQ(found.snoop, snoop);
  EXPECT_EQ(found.l1_class, l1_class);
  EXPECT_EQ(found.l2_class, l2_class);
}

TEST(Directory, AWriteTakesTheLineAway) {
  Cores cores(machine());
  expect(told(cores[0], 0x1000, 8, kStore), Level::kMemory, Snoop::kNone, kFirst, kFirst);
  expect(told(cores[1], 0x1000, 8, kLoad), Level::kL3, Snoop::kModified, kFirst, kFirst);
  expect(told(cores[0], 0x1000, 8, kLoad), Level::kL1, Snoop::kNone, kNone, kNone);
  // The writer has to take the line from its reader, and causes the reader's miss: by the bytes written, or
  // not.
  expect(told(cores[0], 0x1000, 8, kStore), Level::kL3, Snoop::kClean, MissClass::kSharing,
         MissClass::kSharing);
  expect(told(cores[1], 0x1004, 4, kLoad), Level::kL3, Snoop::kModified, MissClass::kTrueSharing,
         MissClass::kTrueSharing);
  told(cores[0], 0x1000, 8, kStore);
  expect(told(cores[1], 0x1008, 8, kLoad), Level::kL3, Snoop::kModified, MissClass::kFalseSharing,
         MissClass::kFalseSharing);
  // The next write has the class of the reader's last miss.
  expect(told(cores[0], 0x1000, 8, kStore), Level::kL3, Snoop::kClean, MissClass::kFalseSharing,
         MissClass::kFalseSharing);
}

TEST(Directory, CoresThatOnlyReadDoNotDisturbEachOther) {
  Cores cores(machine());
  for (uint32_t core = 0; core < kCores; ++core) told(cores[core], 0x1000, 8, kLoad);
  for (int i = 0; i < 10; ++i) {
    for (uint32_t core = 0; core < kCores; ++core)
      expect(told(cores[core], 0x1000, 8, kLoad), Level::kL1, Snoop::kNone, kNone, kNone);
  }
  EXPECT_EQ(cores[2].calls(), 1u);
}

TEST(Directory, WhatHasLeftByItselfIsNotLost) {
  Cores cores(machine());
  told(cores[1], 0x1000, 8, kLoad);
  for (uint64_t i = 1; i <= 8; ++i) told(cores[1], 0x1000 + i * 512, 8, kLoad);  // evicts it from both levels
  told(cores[0], 0x1000, 8, kStore);
  Told again = told(cores[1], 0x1000, 8, kLoad);
  EXPECT_EQ(again.snoop, Snoop::kModified);
  EXPECT_EQ(again.l2_class, MissClass::kConflict);
}

TEST(Directory, AFlushTakesTheLineFromEveryCore) {
  for (bool writes : {kLoad, kStore}) {
    Cores cores(machine());
    told(cores[0], 0x1000, 8, writes);
    for (uint32_t core = 1; core < kCores; ++core) told(cores[core], 0x1000, 8, kLoad);
    cores[1].flush(0x1000);
    // The first core to use the line again has it from memory, and the others from that core.
    expect(told(cores[0], 0x1000, 8, kStore), Level::kMemory, Snoop::kNone, kFirst, kFirst);
    expect(told(cores[1], 0x1000, 8, kLoad), Level::kL3, Snoop::kModified, kFirst, kFirst);
    expect(told(cores[2], 0x1000, 8, kLoad), Level::kL3, Snoop::kClean, kFirst, kFirst);
  }
}

TEST(Directory, AFlushTakesTheLineFromItsWriter) {
  Cores cores(machine());
  for (int round = 0; round < 5; ++round) {
    told(cores[0], 0x1000, 8, kStore);
    told(cores[1], 0x1000, 8, kStore);  // the directory has a record of the line
    cores[0].flush(0x1000);
    EXPECT_EQ(told(cores[1], 0x1008, 8, kStore).level, Level::kMemory) << round;
    EXPECT_EQ(told(cores[1], 0x1008, 8, kStore).level, Level::kL1) << round;
  }
}

// A core that keeps lines until its window's end keeps flushed ones, too.
TEST(Directory, AFlushInAWindowTakesTheLineAtItsEnd) {
  Cores cores(machine());
  for (uint32_t core : {0u, 1u}) cores[core].defer_invalidations(true);
  told(cores[0], 0x1000, 8, kLoad);
  told(cores[1], 0x1000, 8, kLoad);
  cores[1].flush(0x1000);
  EXPECT_EQ(told(cores[0], 0x1000, 8, kLoad).level, Level::kL1);
  for (uint32_t core : {0u, 1u}) cores[core].seal_invalidations();
  for (uint32_t core : {0u, 1u}) cores[core].apply_sealed_invalidations();
  expect(told(cores[0], 0x1000, 8, kLoad), Level::kMemory, Snoop::kNone, kFirst, kFirst);
}

TEST(Directory, AWriterThatIsLeftAloneNeedNotAsk) {
  Cores cores(machine());
  told(cores[0], 0x1000, 8, kStore);
  told(cores[1], 0x1008, 8, kStore);
  uint64_t calls = cores[1].calls();
  for (int i = 0; i < 1000; ++i) told(cores[1], 0x1008, 8, kStore);
  EXPECT_LT(cores[1].calls() - calls, 100u);
  // But then its written bytes are unknown.
  Told again = told(cores[0], 0x1000, 8, kLoad);
  EXPECT_EQ(again.l1_class, MissClass::kSharing);
}

TEST(Directory, AgreesWithTheSlowOneWhereCachesAreLargeEnough) {
  MachineGeometry geometry = machine();
  geometry.l1d = {64, 8};
  geometry.l2 = {256, 8};
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Cores cores(geometry);
    SlowSharing slow(geometry.line_bytes);
    std::mt19937 random(seed);
    int sharing = 0;
    for (int step = 0; step < 20000; ++step) {
      auto core = static_cast<uint32_t>(random() % kCores);
      uint32_t bytes = 1u << random() % 4;
      uint64_t address = 0x10000 + random() % 40 * 64 + random() % (64 / bytes) * bytes;
      bool writes = random() % 3 == 0;
      MissClass why = slow.access(core, address, bytes, writes);
      Told found = told(cores[core], address, bytes, writes);
      ASSERT_EQ(found.l1_class, why) << "at step " << step;
      ASSERT_EQ(found.l2_class, why) << "at step " << step;
      sharing += why != kNone && why != kFirst ? 1 : 0;
    }
    EXPECT_GT(sharing, 1000);
  }
}

// The invalidations for a core may overflow its queue.
TEST(Directory, ACoreThatSleepsLosesAllThatOthersTake) {
  MachineGeometry geometry = machine();
  geometry.l1d = {64, 8};
  geometry.l2 = {1024, 8};
  Cores cores(geometry);
  for (uint64_t line = 0; line < 4000; ++line) told(cores[0], line * 64, 8, kStore);
  told(cores[1], 0x1000000, 8, kLoad);
  for (uint64_t line = 0; line < 4000; ++line) told(cores[1], line * 64, 8, kStore);
  for (uint64_t line = 0; line < 4000; ++line) {
    Told found = told(cores[0], line * 64, 8, kLoad);
    ASSERT_EQ(found.snoop, Snoop::kModified) << line;
    ASSERT_EQ(found.l2_class, MissClass::kTrueSharing) << line;
  }
}

// Two cores write to one line in windows: returns how often the line passes from one to the other. `order` is
// the core of each access of a window, and so determines which core begins the next window first.
uint64_t transfers_in_windows(uint32_t windows, const std::vector<uint32_t>& order) {
  Cores cores(machine());
  uint64_t transfers = 0;
  for (uint32_t core : {0u, 1u}) cores[core].defer_invalidations(true);
  for (uint32_t window = 0; window < windows; ++window) {
    std::array<bool, 2> has_begun{};
    for (uint32_t core : order) {
      if (!has_begun[core]) cores[core].apply_sealed_invalidations();
      has_begun[core] = true;
      for (bool writes : {false, true})
        transfers += cores[core].access_data(0x1000 + 8 * core, 8, writes).snoop != Snoop::kNone ? 1 : 0;
    }
    for (uint32_t core : {0u, 1u}) cores[core].seal_invalidations();
  }
  return transfers;
}

TEST(Directory, WhatPassesBetweenCoresInAWindowHasNoOrder) {
  constexpr uint32_t kWindows = 50, kUses = 100;
  std::vector<uint32_t> first(kUses, 0), second(kUses, 1), in_turn;
  for (uint32_t i = 0; i < 2 * kUses; ++i) in_turn.push_back(i % 2);
  std::vector<uint32_t> one_after_the_other = first, the_other_first = second;
  one_after_the_other.insert(one_after_the_other.end(), second.begin(), second.end());
  the_other_first.insert(the_other_first.end(), first.begin(), first.end());
  // At each window's end one core loses the line and then takes it back: a read, then a write.
  for (const std::vector<uint32_t>& order : {one_after_the_other, the_other_first, in_turn})
    EXPECT_NEAR(static_cast<double>(transfers_in_windows(kWindows, order)), 2.0 * kWindows, 2.0);
}

// Uses are added to the third level's classes in batches.
TEST(SharedLevels, ClassesAreThoseOfACoreAlone) {
  Cores cores(machine());
  const auto l3_class = [&](uint64_t line) { return cores[0].access_data(line * 64, 8, kLoad).l3_class; };
  constexpr uint64_t kSets = 64, kLines = 512;
  for (uint64_t round = 0; round < 10; ++round) {
    for (uint64_t i = 0; i < 12; ++i) {  // more lines than a set has ways
      EXPECT_EQ(l3_class(i * kSets), round == 0 ? kFirst : MissClass::kConflict) << round << ' ' << i;
    }
  }
  for (uint64_t round = 0; round < 3; ++round) {
    for (uint64_t i = 0; i < 2 * kLines; ++i)
      EXPECT_EQ(l3_class(100000 + i), round == 0 ? kFirst : MissClass::kCapacity) << round << ' ' << i;
  }
}

// Results of a core's first two levels for random accesses to `lines` lines from `first` on.
struct OwnMisses {
  uint64_t l1 = 0, l2 = 0, taken = 0;
  bool operator==(const OwnMisses&) const = default;
};
OwnMisses use_at_random(FilteredMachine& core, uint64_t first, uint64_t lines) {
  std::mt19937 random(7);
  OwnMisses misses;
  for (int step = 0; step < 200000; ++step) {
    Outcome outcome = core.access_data((first + random() % lines) * 64, 8, random() % 2 == 0);
    misses.l1 += outcome.l1_misses;
    misses.l2 += outcome.l2_misses;
    misses.taken += outcome.snoop != Snoop::kNone ? 1 : 0;
  }
  return misses;
}

TEST(SharedLevels, CoresThatShareNothingDoNotDisturbEachOther) {
  constexpr uint64_t kLines = 64, kApart = 1 << 20;
  Cores alone(machine());
  for (uint64_t line = 0; line < kLines; ++line) told(alone[0], line * 64, 8, kLoad);
  OwnMisses expected = use_at_random(alone[0], 0, kLines);
  ASSERT_GT(expected.l2, 10000u);

  Cores cores(machine());
  std::array<OwnMisses, kCores> found;
  for (uint32_t core = 0; core < kCores; ++core)
    for (uint64_t line = 0; line < kLines; ++line) told(cores[core], (core * kApart + line) * 64, 8, kLoad);
  std::vector<std::thread> threads;
  for (uint32_t core = 0; core < kCores; ++core)
    threads.emplace_back([&, core] { found[core] = use_at_random(cores[core], core * kApart, kLines); });
  for (std::thread& each : threads) each.join();
  for (const OwnMisses& each : found) EXPECT_EQ(each, expected);
}

TEST(SharedLevels, CoresThatFlushLinesOfEachOtherLoseThem) {
  constexpr uint64_t kLines = 40;
  Cores cores(machine());
  std::vector<std::thread> threads;
  for (uint32_t core = 0; core < kCores; ++core) {
    threads.emplace_back([&, core] {
      std::mt19937 random(core);
      for (int step = 0; step < 200000; ++step) {
        uint64_t address = random() % kLines * 64;
        if (random() % 8 == 0)
          cores[core].flush(address);
        else
          (void)cores[core].access_data(address, 8, random() % 2 == 0);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  for (uint64_t line = 0; line < kLines; ++line) {
    for (uint32_t core = 0; core < kCores; ++core) told(cores[core], line * 64, 8, kLoad);
    cores[line % kCores].flush(line * 64);
    for (uint32_t core = 0; core < kCores; ++core) {
      cores[core].apply_invalidations();
      Told found = told(cores[core], line * 64, 8, kLoad);
      EXPECT_EQ(found.level, core == 0 ? Level::kMemory : Level::kL3) << line << ' ' << core;
      EXPECT_EQ(found.snoop, core == 0 ? Snoop::kNone : Snoop::kClean) << line << ' ' << core;
    }
  }
}

// However the cores take the line from each other, the last writer has it in the end.
TEST(SharedLevels, CoresThatFightForLinesLoseThem) {
  constexpr uint64_t kLines = 40;
  Cores cores(machine());
  for (uint64_t line = 0; line < kLines; ++line) told(cores[0], line * 64, 8, kStore);
  std::vector<std::thread> threads;
  for (uint32_t core = 0; core < kCores; ++core)
    threads.emplace_back([&, core] { (void)use_at_random(cores[core], 0, kLines); });
  for (std::thread& each : threads) each.join();
  for (uint64_t line = 0; line < kLines; ++line) {
    for (uint32_t core = 0; core < kCores; ++core) told(cores[core], line * 64, 8, kStore);
    for (uint32_t core = 0; core + 1 < kCores; ++core) {
      cores[core].apply_invalidations();
      EXPECT_NE(told(cores[core], line * 64, 8, kLoad).level, Level::kL1) << line << ' ' << core;
      told(cores[kCores - 1], line * 64, 8, kStore);
    }
  }
}

}  // namespace
}  // namespace hm::model
