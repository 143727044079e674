// SPDX-License-Identifier: MIT
// Compares the filtered machine with the slow one on random streams: every outcome of every access must
// agree, whether it passed the filter or not.
#include "model/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "model/reference_models.h"
#include "model/test_machines.h"

namespace hm::model {
namespace {

void expect_same(const Outcome& fast, const Outcome& slow, int step) {
  ASSERT_EQ(fast.level, slow.level) << "at step " << step;
  ASSERT_EQ(fast.translation, slow.translation) << "at step " << step;
  ASSERT_EQ(fast.l1_misses, slow.l1_misses) << "at step " << step;
  ASSERT_EQ(fast.l2_misses, slow.l2_misses) << "at step " << step;
  ASSERT_EQ(fast.l3_misses, slow.l3_misses) << "at step " << step;
  ASSERT_EQ(fast.tlb_misses, slow.tlb_misses) << "at step " << step;
  ASSERT_EQ(fast.l2_class, slow.l2_class) << "at step " << step;
  ASSERT_EQ(fast.l3_class, slow.l3_class) << "at step " << step;
}

// A stream with the features of real ones: hot lines, strides, far pages, straddling accesses.
class Stream {
 public:
  explicit Stream(unsigned seed, bool saves_state) : random_(seed), saves_state_(saves_state) {}

  uint64_t next_address() {
    switch (random_() % 8) {
      case 0:
        return 0x7fff0000 + random_() % 512;  // a stack
      case 1:
        return 0x7fff0000 + random_() % 512;
      case 2:
        return stride_ += 24;  // an array
      case 3:
        return 0x10000000 + random_() % (1u << 24);  // spread over a large range
      case 4:
        return 0x20000000 + (random_() % 64) * 4096;  // one set, many pages
      case 5:
        return 0x7fffdeadbeef - random_() % 100;  // the top of user space
      default:
        return 0x30000000 + random_() % 40000;  // a heap
    }
  }
  uint32_t next_size() {
    bool saves = saves_state_ && random_() % 64 == 0;
    return saves ? kStateBytes : 1u << (random_() % 6);
  }
  static constexpr uint32_t kStateBytes = 832;
  uint64_t next_line() { return (random_() % 4 == 0 ? random_() % 5000 : random_() % 200) + 0x400000 / 64; }

 private:
  std::mt19937 random_;
  bool saves_state_;  // also accesses of many lines
  uint64_t stride_ = 0x40000000;
};

struct Case {
  const char* name;
  MachineGeometry geometry;
};

std::vector<Case> cases() {
  std::vector<Case> all{{"plain", small_machine()}};
  MachineGeometry odd = small_machine();  // numbers of sets that are not powers of two
  odd.l1d = {48, 12};
  odd.l2 = {96, 5};
  odd.l3 = {1000, 20};
  odd.dtlb = {3, 5};
  all.push_back({"odd", odd});
  MachineGeometry direct = small_machine();
  direct.l1d = {64, 1};
  direct.l1i = {8, 1};
  direct.l2 = {64, 1};
  direct.l3 = {};
  direct.second_tlb = {};
  direct.dtlb = {16, 1};
  all.push_back({"direct_mapped", direct});
  MachineGeometry full = small_machine();
  full.l1d = {1, 32};
  full.l2 = {1, 32};
  full.dtlb = {1, 2};
  all.push_back({"fully_associative", full});
  MachineGeometry large = small_machine();  // pages larger than the filter, longer lines
  large.page_bytes = 1u << 21;
  large.line_bytes = 128;
  large.dtlb = {1, 4};
  all.push_back({"huge_pages", large});
  MachineGeometry physical = small_machine();
  physical.physical = true;
  all.push_back({"physical", physical});
  physical.l2 = {96, 5};
  all.push_back({"physical_odd", physical});
  return all;
}

// Pseudo-random frames of pages; every fourth page has no known frame.
PageFrame frame_of(uint64_t page, PageUse) {
  if (page % 4 == 0) return {};
  return {(page * 0x9e3779b97f4a7c15 >> 40) + 1, true, page % 3 == 0};
}
uint64_t physical_line(uint64_t line) {
  uint64_t page = line / 64;
  return page % 4 == 0 ? line : frame_of(page, PageUse::kRead).number * 64 + line % 64;
}

TEST(Machine, AgreesWithTheSlowOneOnDataAndCode) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    Shared shared(each.geometry, frame_of);
    FilteredMachine fast(each.geometry, shared.levels);
    reference::Machine slow = each.geometry.physical ? reference::Machine(each.geometry, physical_line)
                                                     : reference::Machine(each.geometry);
    // All lines of an access but the first have equal stamps, so two of them in one set are equally old.
    Stream stream(7, each.geometry.l1d.sets * each.geometry.line_bytes > Stream::kStateBytes);
    for (int step = 0; step < 200000; ++step) {
      if (step % 3 == 0) {
        uint64_t line = stream.next_line();
        ASSERT_NO_FATAL_FAILURE(expect_same(fast.fetch(line), slow.fetch(line), step));
      } else {
        uint64_t address = stream.next_address();
        uint32_t size = stream.next_size();
        ASSERT_NO_FATAL_FAILURE(
            expect_same(fast.access_data(address, size), slow.access_data(address, size), step));
      }
      ASSERT_EQ(fast.first_class(), slow.first_class()) << "at step " << step;
    }
    EXPECT_LT(fast.calls(), 200000u * 2 / 3) << "the filter let nothing pass";
  }
}

// Whether a miss of the first level is a capacity or a conflict miss is not compared: the flushed lines are
// not on the list by which it is decided.
TEST(Machine, AgreesWithTheSlowOneThoughLinesAreFlushed) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    Shared shared(each.geometry, frame_of);
    FilteredMachine fast(each.geometry, shared.levels);
    reference::Machine slow = each.geometry.physical ? reference::Machine(each.geometry, physical_line)
                                                     : reference::Machine(each.geometry);
    Stream stream(11, false);
    uint64_t line_bytes = each.geometry.line_bytes;
    for (int step = 0; step < 100000; ++step) {
      if (step % 7 == 0) {
        uint64_t address = step % 2 == 0 ? stream.next_address() : stream.next_line() * line_bytes;
        fast.flush(address);
        slow.flush(address / line_bytes);
      } else if (step % 3 == 0) {
        uint64_t line = stream.next_line();
        ASSERT_NO_FATAL_FAILURE(expect_same(fast.fetch(line), slow.fetch(line), step));
      } else {
        uint64_t address = stream.next_address();
        uint32_t size = stream.next_size();
        ASSERT_NO_FATAL_FAILURE(
            expect_same(fast.access_data(address, size), slow.access_data(address, size), step));
      }
      ASSERT_EQ(fast.first_class() == kFirst, slow.first_class() == kFirst) << "at step " << step;
    }
    EXPECT_LT(fast.calls(), 100000u * 2 / 3) << "the filter let nothing pass";
  }
}

TEST(Machine, AFlushedLineMissesEveryLevelAsAtItsFirstUse) {
  Shared shared(small_machine());
  FilteredMachine machine(small_machine(), shared.levels);
  constexpr uint64_t kAddress = 0x1000, kNeighbour = 0x1040;
  machine.access_data(kNeighbour, 8);
  for (bool writes : {kLoad, kStore}) {
    machine.access_data(kAddress, 8, writes);
    EXPECT_EQ(machine.access_data(kAddress, 8, writes).l1_misses, 0u);
    machine.flush(kAddress + 63);
    machine.flush(kAddress);  // which no level has
    Outcome again = machine.access_data(kAddress, 8, writes);
    EXPECT_EQ(again.level, Level::kMemory);
    EXPECT_EQ(again.translation, Translation::kFirstTlb);
    EXPECT_EQ(machine.first_class(), kFirst);
    EXPECT_EQ(again.l2_class, kFirst);
    EXPECT_EQ(again.l3_class, kFirst);
  }
  EXPECT_EQ(machine.access_data(kNeighbour, 8).l1_misses, 0u);
}

TEST(Machine, AFlushedLineOfCodeIsFetchedFromMemory) {
  Shared shared(small_machine());
  FilteredMachine machine(small_machine(), shared.levels);
  constexpr uint64_t kLine = 0x10000;
  machine.fetch(kLine);
  machine.fetch(kLine + 1);
  machine.flush(kLine * small_machine().line_bytes);
  EXPECT_EQ(machine.fetch(kLine).level, Level::kMemory);
  EXPECT_EQ(machine.first_class(), kFirst);
  EXPECT_EQ(machine.fetch(kLine + 1).level, Level::kL1);
}

// Returns the lines of `uses` in the order of their last uses.
std::vector<uint64_t> last_uses(const std::vector<uint64_t>& uses) {
  std::vector<uint64_t> lines;
  std::set<uint64_t> seen;
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
    if (seen.insert(*use).second) lines.push_back(*use);
  }
  std::ranges::reverse(lines);
  return lines;
}

bool is_first_use(const Outcome& outcome) { return outcome.l2_class == MissClass::kCompulsory; }

// The first level and the TLB have the contents that all uses would have left. The other levels see only the
// misses of the previous level, which last uses do not determine: most of their lines agree.
TEST(Machine, ReplayedLastUsesLeaveWhatAllUsesWouldHaveLeft) {
  constexpr int kUses = 30000, kProbes = 2000, kRounds = 20;
  MachineGeometry geometry = small_machine();
  Shared shared(geometry), shared_too(geometry);
  FilteredMachine seen(geometry, shared.levels), replayed(geometry, shared_too.levels);
  std::mt19937 random(3);
  int other_level = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<uint64_t> uses(kUses);
    for (uint64_t& use : uses) use = 0x1000 + random() % (random() % 3 == 0 ? 600 : 10000);
    for (uint64_t line : uses) seen.access_data(line * geometry.line_bytes, 8);
    replayed.replay_access(last_uses(uses));
    for (int i = 0; i < kProbes; ++i) {
      uint64_t address = (0x1000 + random() % 10000) * geometry.line_bytes;
      Outcome a = seen.access_data(address, 8), b = replayed.access_data(address, 8);
      ASSERT_EQ(a.l1_misses, b.l1_misses) << round << ", " << i;
      ASSERT_EQ(a.tlb_misses, b.tlb_misses) << round << ", " << i;
      ASSERT_EQ(is_first_use(a), is_first_use(b)) << round << ", " << i;
      other_level += a.level == b.level ? 0 : 1;
    }
  }
  EXPECT_LT(other_level, kRounds * kProbes / 50);
}

// Faulting instructions may make such accesses.
TEST(Machine, AccessesEndThoughTheyRunPastTheLastAddress) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    Shared shared(each.geometry, frame_of);
    FilteredMachine machine(each.geometry, shared.levels);
    EXPECT_EQ(machine.access_data(~uint64_t{0} - 2, 16).lines, 2u);
    std::mt19937_64 random(1);
    for (int i = 0; i < 10000; ++i) EXPECT_EQ(machine.access_data(random() & ~uint64_t{15}, 16).lines, 1u);
  }
}

TEST(SetIndex, IsInRangeAndATagTellsLinesApart) {
  std::mt19937_64 random(2);
  for (uint32_t sets : {3u, 48u, 1000u, 491520u, (1u << 22) - 1}) {
    SetIndex index(sets);
    for (int i = 0; i < 10000; ++i) {
      uint64_t line = random();
      ASSERT_LT(index.set_of(line), sets);
      line &= (uint64_t{1} << kLineNumberBits) - 1;
      ASSERT_EQ(index.set_of(line), line % sets);
      ASSERT_EQ(index.tag_of(line), line / sets);
    }
  }
}

TEST(Machine, LatencyIsTheLevelsAndTheTranslations) {
  Shared shared(small_machine());
  FilteredMachine machine(small_machine(), shared.levels);
  Latencies cost;
  EXPECT_EQ(machine.access_data(0x1000, 8).latency_cycles, cost.memory + cost.page_walk);
  EXPECT_EQ(machine.access_data(0x1040, 8).latency_cycles, cost.memory);
}

}  // namespace
}  // namespace hm::model
