// SPDX-License-Identifier: MIT
// Processes that map the same memory, each at another address, one access after the other.
#include "model/processes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "model/slow_sharing.h"
#include "model/test_machines.h"

namespace hm::model {
namespace {

constexpr uint64_t kLines = 1 << 16;  // of the common memory

MachineGeometry machine(SetGeometry l1d, SetGeometry l2) {
  MachineGeometry g;
  g.l1i = {1, 2};
  g.l1d = l1d;
  g.l2 = l2;
  g.l3 = {1024, 16};
  g.itlb = {1, 4};
  g.dtlb = {1, 64};
  return g;
}
MachineGeometry large() { return machine({64, 8}, {256, 8}); }

bool is_alive(uint64_t) { return true; }

// The memory that all processes share, zeroed.
class Common {
 public:
  Common() : memory_(kBytes / sizeof(uint64_t) + 8) {
    void* aligned = memory_.data();
    size_t space = memory_.size() * sizeof(uint64_t);
    processes_ = static_cast<Processes*>(std::align(64, kBytes, aligned, space));
    processes_->build(kBytes, reference::kept_memory, large());
  }
  Processes& operator*() { return *processes_; }
  Processes* operator->() { return processes_; }

 private:
  static constexpr size_t kBytes = sizeof(Processes) + (1 << 20);
  std::vector<uint64_t> memory_;
  Processes* processes_;
};

// Maps the common memory at an address of its own.
class Process {
 public:
  Process(Common& common, const MachineGeometry& geometry, uint32_t pid, uint32_t cores = 1)
      : shared_(geometry), base_(0x100000000 * pid + 0x40 * pid) {
    for (uint32_t i = 0; i < cores; ++i)
      cores_.push_back(std::make_unique<FilteredMachine>(geometry, shared_.levels));
    shared_.levels.attach(&*common, common->take_slot(pid, is_alive));
    shared_.levels.map_common(base_ / 64, base_ / 64 + kLines, common->line_of({1, 42}, 0, kLines));
  }

  struct Told {
    Level level;
    Snoop snoop;
    MissClass l1_class, l2_class;
  };
  Told access(uint64_t offset, uint32_t bytes, bool writes, uint32_t core = 0) {
    Outcome outcome = cores_[core]->access_data(base_ + offset, bytes, writes);
    return {outcome.level, outcome.snoop, outcome.l1_misses == 0 ? kNone : cores_[core]->first_class(),
            outcome.l2_class};
  }
  void flush(uint64_t offset) { cores_[0]->flush(base_ + offset); }
  void apply_invalidations() { cores_[0]->apply_invalidations(); }
  SharedLevels& levels() { return shared_.levels; }
  [[nodiscard]] uint64_t calls() const { return cores_[0]->calls(); }

 private:
  Shared shared_;
  uint64_t base_;
  std::vector<std::unique_ptr<FilteredMachine>> cores_;
};

TEST(Processes, AWriteTakesTheLineFromTheOtherProcess) {
  Common common;
  Process a(common, large(), 1), b(common, large(), 2);
  EXPECT_EQ(a.access(0x1000, 8, kStore).snoop, Snoop::kNone);
  Process::Told told = b.access(0x1000, 8, kLoad);
  EXPECT_EQ(told.snoop, Snoop::kModified);
  EXPECT_EQ(told.level, Level::kL3);
  EXPECT_EQ(told.l1_class, kFirst);
  told = b.access(0x1004, 4, kStore);
  EXPECT_EQ(told.snoop, Snoop::kClean);
  EXPECT_EQ(told.l1_class, MissClass::kSharing);
  a.apply_invalidations();
  told = a.access(0x1000, 8, kLoad);
  EXPECT_EQ(told.snoop, Snoop::kModified);
  EXPECT_EQ(told.l1_class, MissClass::kTrueSharing);
}

TEST(Processes, AFlushTakesTheLineFromTheOtherProcess) {
  for (uint32_t cores : {1u, 2u}) {
    Common common;
    Process a(common, large(), 1, cores), b(common, large(), 2, cores);
    a.access(0x1000, 8, kLoad);
    b.access(0x1000, 8, kLoad);
    a.flush(0x1000);
    b.apply_invalidations();
    Process::Told told = b.access(0x1000, 8, kLoad);
    EXPECT_EQ(told.level, Level::kMemory);
    EXPECT_EQ(told.snoop, Snoop::kNone);
    EXPECT_EQ(told.l1_class, kFirst);
    EXPECT_EQ(a.access(0x1000, 8, kLoad).snoop, Snoop::kClean);
  }
}

TEST(Processes, WhatIsNotMappedTogetherIsNotShared) {
  Common common;
  Process a(common, large(), 1), b(common, large(), 2);
  a.levels().unmap_common(0, ~uint64_t{0} >> 8);
  a.access(0x1000, 8, kStore);
  EXPECT_EQ(b.access(0x1000, 8, kLoad).snoop, Snoop::kNone);
}

TEST(Processes, TwoMappingsOfOneLineLoseItBoth) {
  Common common;
  Process a(common, large(), 1), b(common, large(), 2);
  a.levels().map_common(0x500000000 / 64, 0x500000000 / 64 + kLines, common->line_of({1, 42}, 0, kLines));
  a.access(0x1000, 8, kLoad);
  a.access(0x500000000 - 0x100000040 + 0x1000, 8, kLoad);
  b.access(0x1000, 8, kStore);
  a.apply_invalidations();
  EXPECT_EQ(a.access(0x500000000 - 0x100000040 + 0x1000, 8, kLoad).snoop, Snoop::kModified);
  EXPECT_EQ(a.access(0x1000, 8, kLoad).level, Level::kL1) << "processors' tags are physical addresses";
}

// A process that maps its memory at four addresses has the same misses as one with a single mapping.
TEST(Processes, MappingsOfOneLineAreOneLine) {
  constexpr uint64_t kApart = 0x200000000;
  for (const MachineGeometry& geometry : {small_machine(), machine({4, 2}, {8, 2})}) {
    Common common, other;
    Process aliased(common, geometry, 1, 2), plain(other, geometry, 1, 2);
    for (uint64_t i = 1; i < 4; ++i) {
      uint64_t first = (0x100000040 + i * kApart) / 64;
      aliased.levels().map_common(first, first + kLines, common->line_of({1, 42}, 0, kLines));
    }
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
      uint64_t offset = random() % (kLines * 64 / 8) * 8 / (i % 3 == 0 ? 1 : 16), alias = random() % 4;
      auto core = static_cast<uint32_t>(random() % 2);
      bool writes = random() % 4 == 0;
      Process::Told told = aliased.access(offset + alias * kApart, 8, writes, core);
      Process::Told expected = plain.access(offset, 8, writes, core);
      ASSERT_EQ(told.level, expected.level) << i;
      ASSERT_EQ(told.snoop, expected.snoop) << i;
      ASSERT_EQ(told.l1_class, expected.l1_class) << i;
      ASSERT_EQ(told.l2_class, expected.l2_class) << i;
    }
  }
}

TEST(Processes, AMappingThatIsGoneStandsForNoOther) {
  Common common;
  Process a(common, large(), 1);
  uint64_t apart = 0x200000000, first = (0x100000040 + apart) / 64;
  a.levels().map_common(first, first + kLines, common->line_of({1, 42}, 0, kLines));
  a.access(0x1000, 8, kLoad);
  EXPECT_EQ(a.access(0x1000 + apart, 8, kLoad).level, Level::kL1);
  a.levels().unmap_common(0x100000040 / 64, 0x100000040 / 64 + kLines);
  EXPECT_FALSE(a.levels().is_common(0x100000040 / 64));
  a.access(0x2000, 8, kStore);  // private now
  EXPECT_NE(a.access(0x2000 + apart, 8, kLoad).level, Level::kL1);
}

TEST(Processes, WhatHasLeftByItselfIsNotTakenAway) {
  MachineGeometry small = machine({4, 2}, {8, 2});
  Common common;
  Process a(common, small, 1), b(common, small, 2);
  a.access(0x1000, 8, kStore);
  for (uint64_t i = 1; i <= 8; ++i) a.access(0x1000 + i * 512, 8, kLoad);  // evicts it from both levels
  Process::Told told = b.access(0x1000, 8, kLoad);
  EXPECT_EQ(told.snoop, Snoop::kNone);
  EXPECT_EQ(told.level, Level::kL3);  // to which it was written back
  EXPECT_EQ(b.access(0x5000, 8, kLoad).level, Level::kMemory);
}

TEST(Processes, ALineThatTheFirstLevelKeepsIsStillThere) {
  MachineGeometry geometry = machine({4, 2}, {8, 1});
  Common common;
  Process a(common, geometry, 1), b(common, geometry, 2);
  a.access(0x1000, 8, kStore);
  a.access(0x1000 + 512, 8, kLoad);  // takes its slot in the second level
  EXPECT_EQ(b.access(0x1000, 8, kLoad).snoop, Snoop::kModified);
}

TEST(Processes, AForkedChildHasNothing) {
  Common common;
  Process a(common, large(), 1), b(common, large(), 2);
  a.access(0x1000, 8, kStore);
  a.levels().attach(&*common, common->take_slot(3, is_alive));  // as the child does
  a.apply_invalidations();
  EXPECT_EQ(a.access(0x1000, 8, kLoad).snoop, Snoop::kModified);  // the parent has the line
}

TEST(Processes, WhatIsUnmappedIsNotHeld) {
  Common common;
  Process a(common, large(), 1), b(common, large(), 2);
  a.access(0x1000, 8, kStore);
  a.levels().unmap_common(0x100000000 / 64, 0x200000000 / 64);
  EXPECT_EQ(b.access(0x1000, 8, kLoad).snoop, Snoop::kNone);
}

TEST(Processes, AnObjectThatIsTooLargeIsNotShared) {
  Common common;
  EXPECT_EQ(common->line_of({1, 1}, 0, (uint64_t{1} << 32) + 1), Processes::kNoLine);
  EXPECT_EQ(common->line_of({1, 1}, 0, uint64_t{1} << 32), 0u);
  for (uint64_t inode = 2; inode <= 1024; ++inode)
    EXPECT_NE(common->line_of({1, inode}, 0, 1), Processes::kNoLine);
  EXPECT_EQ(common->line_of({1, 1025}, 0, 1), Processes::kNoLine);
}

TEST(Processes, SlotsAreGivenAgain) {
  Common common;
  std::set<uint32_t> slots;
  for (uint64_t pid = 1; pid <= kMaxHolders; ++pid) slots.insert(common->take_slot(pid, is_alive));
  EXPECT_EQ(slots.size(), kMaxHolders);
  EXPECT_EQ(common->take_slot(1000, is_alive), Processes::kNoSlot);
  EXPECT_EQ(common->take_slot(5, is_alive), 4u);  // after an exec in the process
  EXPECT_EQ(common->take_slot(1000, [](uint64_t process) { return process != 7; }), 6u);
  common->slot(2).release();
  EXPECT_EQ(common->take_slot(1001, is_alive), 2u);
}

TEST(Processes, AgreeWithTheSlowModelWhereCachesAreLargeEnough) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Common common;
    Process a(common, large(), 1), b(common, large(), 2), c(common, large(), 3);
    Process* processes[] = {&a, &b, &c};
    SlowSharing slow(64);
    std::mt19937 random(seed);
    int sharing = 0;
    for (int step = 0; step < 20000; ++step) {
      auto which = static_cast<uint32_t>(random() % 3);
      uint32_t bytes = 1u << random() % 4;
      uint64_t offset = 0x10000 + random() % 40 * 64 + random() % (64 / bytes) * bytes;
      bool writes = random() % 3 == 0;
      processes[which]->apply_invalidations();
      MissClass why = slow.access(which, offset, bytes, writes);
      Process::Told told = processes[which]->access(offset, bytes, writes);
      ASSERT_EQ(told.l1_class, why) << "at step " << step;
      ASSERT_EQ(told.l2_class, why) << "at step " << step;
      sharing += why != kNone && why != kFirst ? 1 : 0;
    }
    EXPECT_GT(sharing, 1000);
  }
}

// MESI, with as many holders as there are cores, and caches without evictions.
class SlowSnoop {
 public:
  // Returns whether another core has the line, so that this core has to request it.
  bool access(uint32_t core, uint64_t line, bool writes) {
    std::set<uint32_t>& holders = holders_[line];
    bool had_it = holders.contains(core);
    bool others = holders.size() > (had_it ? 1 : 0);
    if (writes) holders.clear();
    holders.insert(core);
    return others && (writes || !had_it);
  }

 private:
  std::map<uint64_t, std::set<uint32_t>> holders_;
};

TEST(Processes, OfSeveralCoresTellWhetherAnyOtherHasTheLine) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Common common;
    Process a(common, large(), 1, 2), b(common, large(), 2, 2);
    Process* processes[] = {&a, &b};
    SlowSnoop slow;
    std::mt19937 random(seed);
    for (int step = 0; step < 20000; ++step) {
      auto process = static_cast<uint32_t>(random() % 2), core = static_cast<uint32_t>(random() % 2);
      uint64_t line = random() % 40;
      bool writes = random() % 3 == 0;
      processes[process]->apply_invalidations();
      bool others = slow.access(2 * process + core, line, writes);
      Process::Told told = processes[process]->access(line * 64, 8, writes, core);
      ASSERT_EQ(told.snoop != Snoop::kNone, others) << "at step " << step;
    }
  }
}

TEST(SharedRanges, AreCutAndFilledAgain) {
  SharedRanges ranges;
  EXPECT_TRUE(ranges.empty());
  ranges.add(100, 200, 1000);
  ranges.remove(120, 130);
  EXPECT_EQ(ranges.common(119), 1019u);
  EXPECT_EQ(ranges.common(120), SharedRanges::kPrivate);
  EXPECT_EQ(ranges.common(130), 1030u);
  EXPECT_EQ(ranges.common(200), SharedRanges::kPrivate);
  ranges.add(110, 140, 5000);
  EXPECT_EQ(ranges.common(109), 1009u);
  EXPECT_EQ(ranges.common(110), 5000u);
  EXPECT_EQ(ranges.common(140), 1040u);
  EXPECT_EQ(ranges.end_of(115), 140u);
  EXPECT_EQ(ranges.end_of(99), 99u);
  std::set<uint64_t> lines;
  ranges.add(300, 310, 1000);
  ranges.for_each_line(1005, [&](uint64_t line) { lines.insert(line); });
  EXPECT_EQ(lines, (std::set<uint64_t>{105, 305}));
}

}  // namespace
}  // namespace hm::model
