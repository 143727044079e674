// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest_core.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>
#include <vector>

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
  // `sampled`: events with a sample at each `period` of them.
  explicit OneCore(std::initializer_list<EventId> sampled = {}, uint64_t period = 1, Sampling sampling = {},
                   PageSizes* page_sizes = nullptr) {
    for (EventId id : sampled) session_.events[index_of(id)] = {1, 1, 7, period};
    model::MachineGeometry& machine = session_.geometry;
    machine.line_bytes = kLine;
    machine.page_bytes = kPage;
    machine.l1d = machine.l1i = sets_and_ways(8, 8);
    machine.l2 = sets_and_ways(1024, 8);
    machine.dtlb = machine.itlb = sets_and_ways(1, 64);
    machine.second_tlb = sets_and_ways(128, 8);
    ModelPlan plan = model_plan(session_, 1, model_memory);
    shared_ = build_shared(plan, model_memory(shared_bytes(plan)));
    core_ = std::make_unique<GuestCore>(0, session_, plan, shared_,
                                        std::array<ThreadTotals*, kModes>{&totals_[0], &totals_[1]},
                                        std::move(sampling), page_sizes);
    enter(Mode::kUser);
  }

  void enter(Mode mode) {
    Block& block = blocks_[static_cast<unsigned>(mode)];
    block.mode = mode;
    block.instructions = 1;
    block.sites.resize(1);
    block.resize(1);
    core_->run(block);
  }
  void load(uint64_t address, uint64_t physical, uint32_t bytes = 8) {
    core_->access(site_, address, physical, bytes, false);
  }
  void store(uint64_t address, uint64_t physical) { core_->access(site_, address, physical, 8, true); }
  // Runs a block of instructions at these addresses.
  void run(std::vector<Site> sites, Mode mode = Mode::kUser) {
    Block block;
    block.mode = mode;
    block.instructions = static_cast<uint32_t>(sites.size());
    block.sites = std::move(sites);
    block.resize(1);
    core_->run(block);
  }
  void fetch(uint64_t physical) {
    Block block;
    block.mode = Mode::kUser;
    block.instructions = 1;
    block.lines = {physical / kLine};
    block.first_sites = {0};
    block.sites.resize(1);
    block.resize(1);
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

TEST(GuestAddress, ProgramsHaveAddressesOfTheirOwn) {
  EXPECT_NE(GuestAddress::of_program(kProgram, 1), GuestAddress::of_program(kProgram, 2));
  EXPECT_EQ(GuestAddress::untagged(GuestAddress::of_program(kProgram, 2)), kProgram);
  EXPECT_EQ(GuestAddress::untagged(GuestAddress::of_program(0, 2)), 0u);
  for (uint64_t address : {kKernelMap, ~uint64_t{0}}) {
    EXPECT_NE(GuestAddress::of_kernel(address, false), GuestAddress::of_kernel(address, true));
    EXPECT_EQ(GuestAddress::untagged(GuestAddress::of_kernel(address, false)), address);
    EXPECT_EQ(GuestAddress::untagged(GuestAddress::of_kernel(address, true)), address);
  }
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

// A page table: 1 GiB of the kernel's map in pages of 2 MiB, but for the first 2 MiB, in pages of 4 KiB.
TEST(GuestCore, LargePagesOfTheKernelHaveOneEntry) {
  constexpr uint64_t kTop = 0x1000, kThird = 0x2000, kSecond = 0x3000, kFirst = 0x4000, kBytes = 8;
  constexpr uint64_t kPresent = 1, kIsPage = 0x80, kLarge = uint64_t{2} << 20;
  PageSizes sizes([&](uint64_t physical) -> uint64_t {
    if (physical == kTop + (kKernelMap >> 39 & 511) * kBytes) return kThird | kPresent;
    if (physical == kThird + (kKernelMap >> 30 & 511) * kBytes) return kSecond | kPresent;
    if (physical == kSecond) return kFirst | kPresent;
    bool is_second = physical > kSecond && physical < kSecond + kPage;
    return is_second ? (physical - kSecond) / kBytes * kLarge | kIsPage | kPresent : 0;
  });
  OneCore guest({}, 1, {}, &sizes);
  guest.core().enter_space(kTop);
  for (uint64_t at = 0; at < 2 * kLarge; at += kPage) guest.load(kKernelMap + at, at);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kDtlbLoadMiss), kLarge / kPage + 1);
  EXPECT_EQ(guest.count(Mode::kUser, EventId::kL1CacheMiss), 2 * kLarge / kPage);
  EXPECT_FALSE(sizes.is_large(kTop, kKernelMap + (uint64_t{1} << 39)));  // not mapped
  EXPECT_FALSE(sizes.is_large(0, kKernelMap + kLarge));
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

struct Taken {
  std::vector<DueSample> samples;
  uint64_t instruction_pointer = 0;

  Sampling sampling() {
    return {[this](const DueSample& due) { samples.push_back(due); },
            [this](unsigned) { return instruction_pointer; }};
  }
};

TEST(GuestCore, SamplesHaveTheGuestsAddresses) {
  Taken taken;
  OneCore guest({EventId::kL1CacheMiss}, 1, taken.sampling());
  guest.core().enter_space(0x8000);
  guest.load(kProgram + 8, 0x1008);
  guest.load(kProgram + 16, 0x1010);  // a hit
  guest.enter(Mode::kKernel);
  guest.load(kKernelMap, 0x2000, 4);
  ASSERT_EQ(taken.samples.size(), 2u);
  const DueSample& user = taken.samples[0];
  EXPECT_EQ(user.cause.address, kProgram + 8);
  EXPECT_EQ(user.physical_address, 0x1008u);
  EXPECT_EQ(user.mode, Mode::kUser);
  EXPECT_EQ(user.id, 7u);
  EXPECT_TRUE(user.at_instruction);
  const DueSample& kernel = taken.samples[1];
  EXPECT_EQ(kernel.cause.address, kKernelMap);
  EXPECT_EQ(kernel.mode, Mode::kKernel);
  EXPECT_EQ(kernel.cause.bytes, 4u);
}

TEST(GuestCore, SamplesOfInstructionsAreTheirs) {
  Taken taken;
  OneCore guest({EventId::kInstrRetired}, 5, taken.sampling());
  std::vector<Site> block = {{100}, {103}, {105}};
  taken.instruction_pointer = 100;
  for (int i = 0; i < 3; ++i) guest.run(block);  // 1 instruction has run before
  ASSERT_EQ(taken.samples.size(), 2u);
  EXPECT_EQ(taken.samples[0].cause.ip, 100u);  // the fifth instruction
  EXPECT_EQ(taken.samples[1].cause.ip, 105u);  // the tenth
  EXPECT_FALSE(taken.samples[1].at_instruction);
}

// QEMU has one translation for a page of code that two programs have at different addresses.
TEST(GuestCore, CodeIsWhereItsProgramHasIt) {
  constexpr uint64_t kOther = 0x7000;
  Taken taken;
  OneCore guest({EventId::kInstrRetired}, 1, taken.sampling());
  Block block;
  block.instructions = 1;
  block.sites = {{0x1008}};
  block.resize(1);
  const auto run_in = [&](uint64_t space, uint64_t pointer) {
    taken.instruction_pointer = pointer;
    guest.core().enter_space(space);
    guest.core().run(block);
    return taken.samples.back().cause.ip;
  };
  EXPECT_EQ(run_in(0x8000, 0x1008), 0x1008u);
  EXPECT_EQ(run_in(0x9000, 0x1008 + kOther + 4), 0x1008 + kOther);  // inside the block
  EXPECT_EQ(run_in(0x8000, 0x1008), 0x1008u);
  guest.core().change_mappings();
  EXPECT_EQ(run_in(0x8000, 0x1008 - kOther), 0x1008 - kOther);
}

// Counts the events of random accesses to a few pages that change their frames.
std::array<uint64_t, 5> counts_of_random_accesses(std::initializer_list<EventId> sampled) {
  OneCore guest(sampled, uint64_t{1} << 40);
  uint64_t state = 7;
  const auto random = [&](uint64_t below) {  // a power of two
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) & (below - 1);
  };
  uint64_t frames[16];
  for (uint64_t& each : frames) each = random(64) * kPage;
  for (int i = 0; i < 200'000; ++i) {
    uint64_t page = random(16), offset = random(kPage) & ~uint64_t{7};
    if (random(256) == 0) frames[page] = random(64) * kPage;
    if (random(512) == 0) guest.core().enter_space(random(2) << 12);
    uint64_t address = kProgram + page * kPage + offset;
    random(2) == 0 ? guest.store(address, frames[page] + offset) : guest.load(address, frames[page] + offset);
  }
  using enum EventId;
  return {guest.count(Mode::kUser, kL1CacheMiss), guest.count(Mode::kUser, kL1StoreMiss),
          guest.count(Mode::kUser, kL2CacheMiss), guest.count(Mode::kUser, kDtlbLoadMiss),
          guest.count(Mode::kUser, kDtlbStoreMiss)};
}

// If accesses are sampled, the models see each of them.
TEST(GuestCore, TheFilterChangesNoCount) {
  auto filtered = counts_of_random_accesses({});
  auto all = counts_of_random_accesses({EventId::kMemoryLoads});
  EXPECT_EQ(filtered, all);
  EXPECT_GT(filtered[0], 1000u);
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
