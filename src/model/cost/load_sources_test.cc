// SPDX-License-Identifier: MIT
#include "model/cost/load_sources.h"

#include <gtest/gtest.h>

#include <vector>

namespace hm::model {
namespace {

constexpr uint64_t bit_of(unsigned number) { return uint64_t{1} << number; }

FlowInstruction loaded(unsigned address, unsigned to) {
  return {.address = bit_of(address), .writes = bit_of(to), .loads = 1};
}
FlowInstruction computed(unsigned from, unsigned to) { return {.reads = bit_of(from), .writes = bit_of(to)}; }

std::vector<uint64_t> sources_of(const std::vector<FlowInstruction>& path) {
  std::vector<uint64_t> sources(path.size());
  find_load_sources(path.data(), static_cast<unsigned>(path.size()), sources.data());
  return sources;
}

TEST(LoadSources, OfAnIndexAreTheLoadOfTheIndex) {
  // r1 = [r0]; r2 = f(r1); r3 = [r2]; r0 = next(r0)
  EXPECT_EQ(sources_of({loaded(0, 1), computed(1, 2), loaded(2, 3), computed(0, 0)}),
            (std::vector<uint64_t>{0, 0, bit_of(0), 0}));
}

TEST(LoadSources, OfAChaseAreItself) {
  EXPECT_EQ(sources_of({loaded(1, 1)}), (std::vector<uint64_t>{bit_of(0)}));
}

// A binary search without branches: r2 = [r1]; flags = r2 < key; r1 = choice(flags, r1)
TEST(LoadSources, OfASearchAreTheLoadOfThePassBefore) {
  FlowInstruction compare = computed(2, Registers::kFlags);
  FlowInstruction choose = {.reads = bit_of(Registers::kFlags) | bit_of(1), .writes = bit_of(1)};
  EXPECT_EQ(sources_of({loaded(1, 2), compare, choose}), (std::vector<uint64_t>{bit_of(0), 0, 0}));
}

TEST(LoadSources, OfAnOverwrittenRegisterAreNone) {
  FlowInstruction clear = {.writes = bit_of(1)};
  EXPECT_EQ(sources_of({loaded(0, 1), clear, loaded(1, 2)}), (std::vector<uint64_t>{0, 0, 0}));
}

TEST(LoadSources, ReachThroughALoadThatHits) {
  // r1 = [r0]; r2 = [r1]; r3 = [r2]
  EXPECT_EQ(sources_of({loaded(0, 1), loaded(1, 2), loaded(2, 3)}),
            (std::vector<uint64_t>{0, bit_of(0), bit_of(0) | bit_of(1)}));
}

}  // namespace
}  // namespace hm::model
