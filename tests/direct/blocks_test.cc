// SPDX-License-Identifier: MIT
// Instructions have the same effects under the copying engine as without it: registers, flags, vector
// registers, memory, and the location and kind of faults.
//
// For longer manual runs: blocks_test SEED COUNT runs COUNT blocks, starting from SEED.
#include <gtest/gtest.h>
#include <sys/personality.h>

#include <algorithm>
#include <cstdlib>

#include "block_comparison.h"
#include "block_state.h"
#include "generator.h"
#include "pmu/soft/direct/decode/features.h"
#include "running.h"

namespace hm::direct_test {
namespace {

using namespace soft_pmu_test;

uint64_t g_first_seed = 1;
uint64_t g_blocks = 24000;

constexpr unsigned kBlocksAtOnce = 4000;

uint32_t first_absent(const Block& block, uint32_t absent_features) {
  for (const Block::Extension& each : block.extensions) {
    if ((each.feature & absent_features) != 0) return each.offset;
  }
  return kNoneAbsent;
}

BlockFile random_blocks(uint64_t seed, unsigned count, uint32_t absent_features) {
  Generator generator(seed);
  BlockFile file;
  for (unsigned i = 0; i < count; ++i) {
    Block each = generator.block(file.next_address());
    BlockHeader header{};
    header.seed = each.seed;
    header.ignored_flags = kAdjustFlagOfState;
    header.ignored_flags_at_fault = kStatusFlagsOfState;
    header.absent_at = first_absent(each, absent_features);
    file.add(header, each.code);
  }
  return file;
}

void expect_no_difference(const BlockFile& file, const Words& options, uint32_t absent_features) {
  Comparison comparison = compare(file, options, absent_features);
  ASSERT_EQ(comparison.failure, "");
  constexpr unsigned kMaxShown = 5;
  for (size_t i = 0; i < comparison.different.size() && i < kMaxShown; ++i)
    ADD_FAILURE() << explain(file, comparison.different[i], options, absent_features);
}

void compare_blocks(uint64_t seed, uint64_t count, const Words& options, uint32_t absent_features = 0) {
  for (uint64_t done = 0; done < count && !::testing::Test::HasFailure(); done += kBlocksAtOnce) {
    auto now = static_cast<unsigned>(std::min<uint64_t>(count - done, kBlocksAtOnce));
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_no_difference(random_blocks(seed++, now, absent_features), options, absent_features);
  }
}

const Words kEveryEvent = {"-e",
                           "uop_retired,packed_sp_retired,mob_load_replay_retired,branch_retired,"
                           "branch_mispredict,clock"};
const Words kEveryEventOfBursts = {
    "-e", "uop_retired,packed_sp_retired,mob_load_replay_retired,branch_retired,clock"};

TEST(Blocks, LeaveTheSameBehind) { compare_blocks(g_first_seed, g_blocks, {}); }

TEST(Blocks, LeaveTheSameBehindWhereEverythingIsCounted) {
  compare_blocks(g_first_seed + 1000000, g_blocks / 4, kEveryEvent);
}

const Words kBursts = {"--detail=bursts", "--burst-slots=3000", "--gap-slots=7000"};

TEST(Blocks, LeaveTheSameBehindInBursts) {
  compare_blocks(g_first_seed + 4000000, g_blocks / 4, kBursts);
  compare_blocks(g_first_seed + 5000000, g_blocks / 8, kBursts + kEveryEventOfBursts);
}

TEST(Blocks, LeaveTheSameBehindWhereNothingIsModelled) {
  compare_blocks(g_first_seed + 2000000, g_blocks / 4, {"--copies-only"});
}

// Emulates other processors: without one extension each, without all, and with some missing at random.
TEST(Blocks, LeaveTheSameBehindWhereInstructionsAreMissing) {
  using namespace soft::direct;
  uint64_t seed = g_first_seed + 3000000;
  const auto lack = [&](uint32_t features, const Words& options) {
    SCOPED_TRACE("without features " + std::to_string(features));
    compare_blocks(seed++, g_blocks / 8, options, features);
  };
  lack(kFeatureAvx512, {});
  lack(kFeatureAvx512 | kFeatureAvx, kEveryEvent);
  lack(kFeatureAvx512 | kFeatureAvx | kFeatureBmi, {"--copies-only"});
  lack(kFeatures - 1, {});
  lack(static_cast<uint32_t>(g_first_seed * 2654435761u >> 8 & (kFeatures - 1)) | kFeatureBmi, kEveryEvent);
}

TEST(Blocks, OnceCopiedWronglyLeaveTheSameBehind) {
  Words command = {block_runner(), "cases"};
  Outcome natively = run(command);
  ASSERT_EQ(natively.status, 0) << natively.err;
  for (const Words& options : {Words{}, kEveryEvent, kBursts}) {
    Outcome copied = run(under_engine(options, command));
    EXPECT_EQ(copied.status, 0) << copied.err;
    EXPECT_EQ(differences(natively.out, copied.out), "");
  }
}

}  // namespace
}  // namespace hm::direct_test

int main(int count, char** words) {
  ::personality(ADDR_NO_RANDOMIZE);  // keeps the blocks' addresses free
  ::testing::InitGoogleTest(&count, words);
  if (count > 1) hm::direct_test::g_first_seed = std::strtoull(words[1], nullptr, 10);
  if (count > 2) hm::direct_test::g_blocks = std::strtoull(words[2], nullptr, 10);
  return RUN_ALL_TESTS();
}
