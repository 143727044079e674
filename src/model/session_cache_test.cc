// SPDX-License-Identifier: MIT
#include "model/session_cache.h"

#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "model/test_machines.h"

namespace hm::model {
namespace {

// A cache in memory with the alignment that a session provides.
class CacheInMemory {
 public:
  explicit CacheInMemory(SetGeometry geometry)
      : memory_(SessionCache::bytes(geometry) / sizeof(uint64_t) + 16) {
    void* aligned = memory_.data();
    size_t space = memory_.size() * sizeof(uint64_t);
    cache_ = static_cast<SessionCache*>(std::align(64, SessionCache::bytes(geometry), aligned, space));
    cache_->build(geometry);
  }
  SessionCache* operator->() { return cache_; }
  SessionCache* get() { return cache_; }

  uint64_t lines(uint32_t holder) { return cache_->holder(holder).lines; }
  uint64_t all_lines() {
    uint64_t sum = 0;
    cache_->read_all([&](uint32_t, const LineHolder& each) { sum += each.lines; });
    return sum;
  }

 private:
  std::vector<uint64_t> memory_;
  SessionCache* cache_;
};

// A slow and simple version: each set is a list of lines from most to least recent, each in a way.
class PlainCache {
 public:
  explicit PlainCache(SetGeometry geometry) : geometry_(geometry), sets_(geometry.sets) {}

  bool access(uint32_t set_number, uint64_t space, uint64_t line, uint32_t by, uint32_t allowed) {
    std::list<Line>& set = sets_[set_number];
    for (auto each = set.begin(); each != set.end(); ++each) {
      if (each->space != space || each->line != line) continue;
      set.splice(set.begin(), set, each);
      return true;
    }
    set.push_front({space, line, by, way_for(set, allowed)});
    return false;
  }

  void remove(uint32_t set_number, uint64_t space, uint64_t line) {
    sets_[set_number].remove_if([&](const Line& each) { return each.space == space && each.line == line; });
  }

  [[nodiscard]] uint64_t lines(uint32_t holder) const {
    uint64_t count = 0;
    for (const auto& set : sets_) {
      for (const Line& each : set) count += each.by == holder ? 1 : 0;
    }
    return count;
  }

 private:
  struct Line {
    uint64_t space, line;
    uint32_t by, way;
  };

  // Returns the last permitted way without a line; else evicts the least recent line in a permitted way, and
  // returns its way.
  [[nodiscard]] uint32_t way_for(std::list<Line>& set, uint32_t allowed) const {
    const auto is_allowed = [&](uint32_t way) { return allowed == 0 || (allowed >> way & 1) != 0; };
    std::set<uint32_t> free;
    for (uint32_t way = 0; way < geometry_.ways; ++way) {
      if (is_allowed(way)) free.insert(way);
    }
    for (const Line& each : set) free.erase(each.way);
    if (!free.empty()) return *free.rbegin();
    for (auto each = set.rbegin(); each != set.rend(); ++each) {
      if (!is_allowed(each->way)) continue;
      uint32_t way = each->way;
      set.erase(std::next(each).base());
      return way;
    }
    ADD_FAILURE() << "no way is allowed";
    return 0;
  }

  SetGeometry geometry_;
  std::vector<std::list<Line>> sets_;
};

class SessionCacheAndPlainOne : public ::testing::TestWithParam<SetGeometry> {};

TEST_P(SessionCacheAndPlainOne, AgreeOnEveryAccess) {
  SetGeometry geometry = GetParam();
  CacheInMemory cache(geometry);
  PlainCache plain(geometry);
  std::mt19937 random(7);
  constexpr uint32_t kThreads = 4;
  std::vector<uint64_t> spaces;
  std::vector<uint32_t> holders;
  for (uint32_t i = 0; i < kThreads; ++i) {
    if (i % 2 == 0) spaces.push_back(cache->new_space());
    holders.push_back(cache->take_holder(100 + i / 2, 100 + i, 1));
  }
  uint32_t all_ways = (uint32_t{1} << geometry.ways) - 1;
  for (int step = 0; step < 30000; ++step) {
    auto thread = static_cast<uint32_t>(random() % kThreads);
    if (step % 1000 == 999) cache->holder(holders[thread]).ways = static_cast<uint32_t>(random()) & all_ways;
    uint64_t space = random() % 8 == 0 ? SessionCache::kCommonSpace : spaces[thread / 2];
    uint64_t line = random() % (geometry.entries() * (thread + 1));
    auto set = static_cast<uint32_t>(random() % geometry.sets);
    bool found = cache->access_at(set, space, line * geometry.sets + set, holders[thread]);
    uint32_t ways = cache->holder(holders[thread]).ways;
    ASSERT_EQ(found, plain.access(set, space, line * geometry.sets + set, holders[thread], ways)) << step;
    if (step % 5 == 0) {
      line = random() % (geometry.entries() * (thread + 1));
      cache->remove_at(set, space, line * geometry.sets + set);
      plain.remove(set, space, line * geometry.sets + set);
    }
    if (step % 50 != 0) continue;
    for (uint32_t each : holders) ASSERT_EQ(cache.lines(each), plain.lines(each)) << step;
    ASSERT_LE(cache.all_lines(), geometry.entries());
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, SessionCacheAndPlainOne,
                         ::testing::Values(SetGeometry{1, 4}, SetGeometry{8, 1}, SetGeometry{12, 11},
                                           SetGeometry{64, 16}, SetGeometry{5, 20}));

TEST(SessionCache, CountsTheLinesOfAKnownFootprint) {
  CacheInMemory cache({1024, 16});
  uint64_t space = cache->new_space();
  uint32_t walker = cache->take_holder(7, 7, 1);
  for (int round = 0; round < 2; ++round) {
    for (uint64_t line = 0; line < 4096; ++line) cache->access(space, 5000 + line, walker);
  }
  EXPECT_EQ(cache.lines(walker), 4096u);
  EXPECT_EQ(cache->holder(walker).uses, 2 * 4096u);
  EXPECT_EQ(cache->holder(walker).fetches, 4096u);
}

TEST(SessionCache, ALineBelongsToWhoBroughtItIn) {
  CacheInMemory cache({64, 8});
  uint32_t first = cache->take_holder(1, 1, 0), second = cache->take_holder(2, 2, 0);
  EXPECT_FALSE(cache->access(SessionCache::kCommonSpace, 42, first));
  EXPECT_TRUE(cache->access(SessionCache::kCommonSpace, 42, second));
  EXPECT_EQ(cache.lines(first), 1u);
  EXPECT_EQ(cache.lines(second), 0u);
}

TEST(SessionCache, ProcessesHaveOtherLinesAtTheSameAddress) {
  CacheInMemory cache({64, 8});
  uint64_t one = cache->new_space(), other = cache->new_space();
  cache->access(one, 42, SessionCache::kOthers);
  EXPECT_FALSE(cache->access(other, 42, SessionCache::kOthers));
  EXPECT_TRUE(cache->access(one, 42, SessionCache::kOthers));
}

TEST(SessionCache, LinesOfAThreadThatHasEndedStayItsOwn) {
  CacheInMemory cache({4, 2});
  uint64_t space = cache->new_space();
  uint32_t gone = cache->take_holder(1, 1, 0);
  for (uint64_t line = 0; line < 8; ++line) cache->access(space, line, gone);
  cache->end_holder(gone);
  uint32_t next = cache->take_holder(2, 2, 0);
  EXPECT_NE(next, gone) << "its entry still has lines";
  EXPECT_EQ(cache.lines(gone), 8u);
  for (uint64_t line = 100; line < 108; ++line) cache->access(space, line, next);
  EXPECT_EQ(cache.lines(gone), 0u);
  EXPECT_EQ(cache->take_holder(3, 3, 0), gone) << "now it is free";
}

TEST(SessionCache, AForkedChildIsInTheSameGroupAndANewImageKeepsItsEntry) {
  CacheInMemory cache({4, 2});
  uint32_t parent = cache->take_holder(1, 1, 0);
  cache->holder(parent).group = 3;
  cache->holder(parent).ways = 0b1;
  uint32_t child = cache->take_holder(2, 2, 1, {parent, 1});
  EXPECT_EQ(cache->holder(child).group, 3u);
  EXPECT_EQ(cache->holder(child).ways, 0b1u);
  EXPECT_EQ(cache->take_holder(2, 2, 1), child);
  EXPECT_EQ(cache->holder_of(2), child);
}

// A vfork child leaves its own entry's number with its parent; another process may get the entry later.
TEST(SessionCache, AnEntryThatHasBecomeAnothersIsNotTakenAfter) {
  CacheInMemory cache({4, 2});
  uint32_t shell = cache->take_holder(1, 1, 0);
  cache->holder(shell).group = 1;
  uint32_t child = cache->take_holder(10, 10, 1, {shell, 1});
  cache->end_holder(child);
  uint32_t other = cache->take_holder(20, 20, 2);
  ASSERT_EQ(other, child);
  cache->holder(other).group = 2;
  EXPECT_EQ(cache->holder(cache->take_holder(11, 11, 1, {child, 10})).group, 1u) << "its parent's";
  EXPECT_EQ(cache->holder(cache->take_holder(12, 12, 7, {child, 10})).group, 0u) << "nobody's";
}

TEST(SessionCache, OnlyTheThreadThatIsMeantIsPutIntoAGroup) {
  CacheInMemory cache({4, 2});
  uint32_t thread = cache->take_holder(1, 1, 0);
  cache->set_group(thread, 1, 1, 3, 0b10);
  EXPECT_EQ(cache->holder(thread).group, 3u);
  EXPECT_EQ(cache->holder(thread).ways, 0b10u);
  cache->set_group(thread, 1, 2, 4, 0);
  EXPECT_EQ(cache->holder(thread).group, 3u);
}

TEST(SessionCache, ThreadsBeyondTheEntriesAreCountedTogether) {
  CacheInMemory cache({4, 2});
  for (uint32_t i = 1; i < SessionCache::kMaxLineHolders; ++i)
    ASSERT_NE(cache->take_holder(i, i, 0), SessionCache::kOthers);
  EXPECT_EQ(cache->take_holder(99999, 99999, 0), SessionCache::kOthers);
}

TEST(SessionCache, CountsAreRightWhereThreadsUseItAtTheSameTime) {
  CacheInMemory cache({128, 4});
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t holder = cache->take_holder(i + 1, i + 1, 0);
    uint64_t space = cache->new_space();
    threads.emplace_back([&cache, holder, space] {
      std::mt19937 random(holder);
      for (int step = 0; step < 50000; ++step) cache->access(space, random() % 1000, holder);
    });
  }
  for (int look = 0; look < 100; ++look) EXPECT_LE(cache.all_lines(), 512u);
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(cache.all_lines(), 512u) << "it is full";
}

// Returns the class of a miss of `line` in the third level; kNone for a hit.
MissClass look(SharedLevels& levels, uint64_t line, uint32_t holder) {
  LateUses late;
  LineOutcome met;
  levels.look(line, holder, late, met);
  return met.level == Level::kL3 ? MissClass::kNone : met.l3_class;
}

// A cache of 4 sets and 4 ways. One process repeatedly uses 8 lines, which fit; another scans.
TEST(SessionCache, WhatAnotherProcessEvictsIsItsClass) {
  MachineGeometry machine = small_machine();
  machine.l3 = {4, 4};
  CacheInMemory cache(machine.l3);
  Shared one(machine), other(machine);
  one.levels.attach(cache.get(), cache->new_space());
  other.levels.attach(cache.get(), cache->new_space());
  uint32_t mine = cache->take_holder(1, 1, 0), others = cache->take_holder(2, 2, 0);
  const auto pass = [&](MissClass expected) {
    for (uint64_t line = 0; line < 8; ++line) EXPECT_EQ(look(one.levels, line, mine), expected) << line;
  };
  pass(MissClass::kCompulsory);
  pass(MissClass::kNone);
  for (uint64_t line = 0; line < 16; ++line)
    EXPECT_EQ(look(other.levels, 1000 + line, others), MissClass::kCompulsory);
  pass(MissClass::kOtherProgram);
  pass(MissClass::kNone);
  // Misses of lines that do not fit the cache have the process's own class, whatever the other process does.
  for (uint64_t line = 0; line < 32; ++line) (void)look(one.levels, 100 + line, mine);
  for (uint64_t line = 0; line < 16; ++line) (void)look(other.levels, 1000 + line, others);
  pass(MissClass::kCapacity);
  // Five lines of one set of four ways conflict, though 16 lines would fit.
  for (int round = 0; round < 3; ++round) {
    for (uint64_t line = 0; line < 5; ++line) {
      MissClass found = look(one.levels, 4000 + 4 * line, mine);
      EXPECT_TRUE(round == 0 || found == MissClass::kConflict) << line;
    }
  }
}

// Restricted to one way, a process keeps one line of each set and evicts it itself by the second.
TEST(SessionCache, WaysThatAProcessMayNotUseAreNoOtherProgramsFault) {
  MachineGeometry machine = small_machine();
  machine.l3 = {4, 4};
  CacheInMemory cache(machine.l3);
  Shared one(machine);
  one.levels.attach(cache.get(), cache->new_space());
  uint32_t mine = cache->take_holder(1, 1, 0);
  cache->set_group(mine, 1, 1, 1, 0x1);
  for (int round = 0; round < 3; ++round) {
    for (uint64_t line : {0, 4}) {
      MissClass found = look(one.levels, line, mine);
      EXPECT_TRUE(round == 0 || found == MissClass::kConflict) << line;
    }
  }
}

// A child's lines differ in the cache from the parent's lines at the same address.
TEST(SessionCache, AForkedChildUsesItsLinesForTheFirstTime) {
  MachineGeometry machine = small_machine();
  CacheInMemory cache(machine.l3);
  Shared process(machine);
  process.levels.attach(cache.get(), cache->new_space());
  uint32_t parent = cache->take_holder(1, 1, 0), child = cache->take_holder(2, 2, 1);
  EXPECT_EQ(look(process.levels, 7, parent), MissClass::kCompulsory);
  EXPECT_EQ(look(process.levels, 7, parent), MissClass::kNone);
  process.levels.attach(cache.get(), cache->new_space());
  EXPECT_EQ(look(process.levels, 7, child), MissClass::kCompulsory);
  EXPECT_EQ(look(process.levels, 7, child), MissClass::kNone);
}

TEST(SessionCache, IsTheThirdLevelOfProcesses) {
  MachineGeometry geometry = small_machine();
  CacheInMemory cache(geometry.l3);
  Shared one(geometry), other(geometry);
  FilteredMachine core(geometry, one.levels), neighbour(geometry, other.levels);
  uint32_t own = cache->take_holder(1, 1, 0), neighbours = cache->take_holder(2, 2, 0);
  one.levels.attach(cache.get(), cache->new_space());
  other.levels.attach(cache.get(), cache->new_space());
  core.run_for(own);
  neighbour.run_for(neighbours);

  constexpr uint64_t kBytes = 256 << 10;  // half of the third level, and more than the second
  uint64_t lines = kBytes / geometry.line_bytes;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t at = 0; at < kBytes; at += geometry.line_bytes) core.access_data(at, 8);
  }
  EXPECT_EQ(cache.lines(own), lines);
  EXPECT_EQ(cache->holder(own).fetches, lines) << "the second round finds them";
  for (uint64_t at = 0; at < 4 * kBytes; at += geometry.line_bytes) neighbour.access_data(at, 8);
  EXPECT_EQ(cache.lines(own), 0u);
  EXPECT_EQ(cache.lines(neighbours), geometry.l3.entries());
  EXPECT_EQ(core.access_data(0, 8).level, Level::kMemory);
}

TEST(SessionCache, AFlushTakesTheLineFromItsHolder) {
  MachineGeometry geometry = small_machine();
  CacheInMemory cache(geometry.l3);
  Shared shared(geometry);
  FilteredMachine core(geometry, shared.levels);
  uint32_t holder = cache->take_holder(1, 1, 0);
  shared.levels.attach(cache.get(), cache->new_space());
  core.run_for(holder);
  core.access_data(0x1000, 8);
  core.access_data(0x2000, 8);
  core.flush(0x1000);
  EXPECT_EQ(cache.lines(holder), 1u);
  Outcome again = core.access_data(0x1000, 8);
  EXPECT_EQ(again.level, Level::kMemory);
  EXPECT_EQ(again.l3_class, kFirst) << "no other program has evicted it";
}

}  // namespace
}  // namespace hm::model
