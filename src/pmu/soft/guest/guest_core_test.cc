// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest_core.h"

#include <gtest/gtest.h>

#include "pmu/soft/guest/model_memory.h"

namespace hm::soft::guest {
namespace {

constexpr uint64_t kKernelMap = 0xffff'8880'0000'0000, kProgram = 0x5555'0000'0000;
constexpr uint64_t kPage = 4096, kLine = 64;

model::SetGeometry sets_and_ways(uint32_t sets, uint32_t ways) {
  model::SetGeometry geometry{};
  geometry.sets = sets;
  geometry.ways = ways;
  return geometry;
}

// A guest with one CPU: L1 and TLBs of 64 entries each, a second level, and no third.
class OneCore {
 public:
  OneCore() {
    model::MachineGeometry& machine = session_.geometry;
    machine.line_bytes = kLine;
    machine.page_bytes = kPage;
    machine.l1d = machine.l1i = sets_and_ways(8, 8);
    machine.l2 = sets_and_ways(1024, 8);
    machine.dtlb = machine.itlb = sets_and_ways(1, 64);
    ModelPlan plan = model_plan(session_, 1, model_memory);
    shared_ = build_shared(plan, model_memory(shared_bytes(plan)));
    core_ = std::make_unique<GuestCore>(0, session_, plan, shared_,
                                        std::array<ThreadTotals*, kModes>{&totals_[0], &totals_[1]});
    enter(Mode::kUser);
  }

  void enter(Mode mode) {
    Block& block = blocks_[static_cast<unsigned>(mode)];
    block.mode = mode;
    block.instructions = 1;
    block.sites.resize(1);
    block.pages.resize(1);
    block.shifts.resize(1);
    core_->run(block);
  }
  void load(uint64_t address, uint64_t physical, uint32_t bytes = 8) {
    core_->access(site_, address, physical, bytes, false);
  }
  void store(uint64_t address, uint64_t physical) { core_->access(site_, address, physical, 8, true); }
  void fetch(uint64_t physical) {
    Block block;
    block.mode = Mode::kUser;
    block.instructions = 1;
    block.lines = {physical / kLine};
    block.first_sites = {0};
    block.sites.resize(1);
    block.pages.resize(1);
    block.shifts.resize(1);
    core_->run(block);
  }
  GuestCore& core() { return *core_; }
  uint64_t count(Mode mode, EventId id) {
    core_->settle();
    return totals_[static_cast<unsigned>(mode)].counted.events[index_of(id)];
  }

 private:
  Session session_{};
  model::SharedLevels shared_;
  std::array<ThreadTotals, kModes> totals_{};
  std::unique_ptr<GuestCore> core_;
  std::array<Block, kModes> blocks_;
  Site site_{};
};

TEST(GuestAddress, KernelPagesAreTheSameInAllAddressSpaces) {
  constexpr uint64_t kSpace = 0x1234'5000, kOther = 0x1234'6000;
  EXPECT_EQ(GuestAddress::tagged(kKernelMap, kSpace), GuestAddress::tagged(kKernelMap, kOther));
  EXPECT_NE(GuestAddress::tagged(kProgram, kSpace), GuestAddress::tagged(kProgram, kOther));
  for (uint64_t address : {kKernelMap, kProgram, ~uint64_t{0}, uint64_t{0}})
    EXPECT_EQ(GuestAddress::untagged(GuestAddress::tagged(address, kSpace)), address);
}

TEST(GuestCore, ALineIsOneLineAtAllItsAddresses) {
  OneCore guest;
  guest.load(kProgram, 0x1000);
  guest.load(kKernelMap + 0x1000, 0x1000);
  guest.load(kProgram, 0x1000);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kL1CacheMiss), 1u);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kDtlbLoadMiss), 2u);  // one for each address
}

TEST(GuestCore, LinesAtOneAddressAreDifferentLines) {
  OneCore guest;
  guest.load(kProgram, 0x1000);
  guest.core().enter_space(0x8000);
  guest.load(kProgram, 0x9000);
  guest.core().enter_space(0);
  guest.load(kProgram, 0x1000);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kL1CacheMiss), 2u);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kDtlbLoadMiss), 2u);  // entries of address spaces are kept
}

TEST(GuestCore, ModesAreCountedApart) {
  OneCore guest;
  guest.load(kProgram, 0x1000);
  guest.enter(Mode::kKernel);
  for (uint64_t i = 0; i < 10; ++i) guest.store(kKernelMap + 0x10'0000 + i * kLine, 0x10'0000 + i * kLine);
  guest.enter(Mode::kUser);
  guest.load(kProgram, 0x1000);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kMemoryLoads), 2u);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kL1CacheMiss), 1u);
  EXPECT_EQ(guest.count(Mode::kKernel, EventId::kMemoryLoads), 0u);
  EXPECT_EQ(guest.count(Mode::kKernel, EventId::kMemoryStores), 10u);
  EXPECT_EQ(guest.count(Mode::kKernel, EventId::kL1StoreMiss), 10u);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kInstrRetired), 2u);
}

TEST(GuestCore, CodeIsFetchedOnce) {
  OneCore guest;
  uint64_t before = guest.count(Mode::kUser, EventId::kICacheMiss);
  for (int i = 0; i < 5; ++i) guest.fetch(0x40'0000);
  guest.fetch(0x40'0040);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kICacheMiss) - before, 2u);
}

// The same memory again and again at changing addresses, as a kernel and its programs use it.
TEST(GuestCore, SurvivesAnyChangeOfAddresses) {
  OneCore guest;
  uint64_t state = 1;
  const auto random = [&](uint64_t below) {  // a power of two
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) & (below - 1);
  };
  for (int i = 0; i < 200'000; ++i) {
    uint64_t physical = random(1 << 16) & ~uint64_t{7};
    uint64_t bases[] = {kKernelMap, kProgram, kProgram + (uint64_t{1} << 30), 0};
    guest.load(bases[random(4)] + physical, physical, 1u << random(4));
    if (random(64) == 0) guest.core().enter_space(random(4) << 12);
  }
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kMemoryLoads), 200'000u);
}

}  // namespace
}  // namespace hm::soft::guest
