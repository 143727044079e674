// SPDX-License-Identifier: MIT
// Instructions have the same effects under the copying engine as without it: registers, flags, vector
// registers, memory, and the location and kind of faults.
//
// For longer manual runs: blocks_test SEED COUNT runs COUNT blocks, starting from SEED.
#include <gtest/gtest.h>
#include <sys/personality.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "block_state.h"
#include "generator.h"
#include "pmu/soft/direct/decode/features.h"
#include "running.h"
#include "support/paths.h"

namespace hm::direct_test {
namespace {

using namespace soft_pmu_test;

uint64_t g_first_seed = 1;
uint64_t g_blocks = 24000;

constexpr unsigned kBlocksAtOnce = 4000;

const std::string kBlockRunner = program("block_runner");

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Words under_engine(const Words& options, const Words& command) {
  return Words{test_paths::kHardmeter, "stat", "--pmu=soft", "--engine=direct", "-o", "/dev/null"} + options +
         Words{"--"} + command;
}

std::string hexadecimal(const std::vector<uint8_t>& code) {
  std::string text;
  for (uint8_t each : code) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += {kDigits[each >> 4], kDigits[each & 15], ' '};
  }
  return text;
}

// Returns the first few lines that differ between two runs.
std::string differences(const std::string& natively, const std::string& copied) {
  std::vector<std::string> left = lines_of(natively), right = lines_of(copied);
  std::string text, heading;
  unsigned shown = 0;
  for (size_t i = 0; i < left.size() && i < right.size() && shown < 12; ++i) {
    if (left[i].starts_with("case") || left[i].starts_with("run")) heading = left[i] + "\n";
    if (left[i] == right[i]) continue;
    text += std::exchange(heading, "") + "  natively " + left[i] + "\n  copied   " + right[i] + "\n";
    ++shown;
  }
  if (left.size() != right.size()) text += "one of them came to an end early\n";
  return text;
}

// Returns true for a run that faulted at an address where an engine may have its own memory.
bool is_wild(const std::string& line) {
  uint64_t address = std::strtoull(line.substr(line.find(' ') + 1).c_str(), nullptr, 16);
  bool close = address > kArena - kClose && address < kArena + kArenaBytes + kClose;
  return !close && address >= kReachStart && address < kReachEnd;
}

uint32_t first_absent(const Block& block, uint32_t absent_features) {
  for (const Block::Extension& each : block.extensions) {
    if ((each.feature & absent_features) != 0) return each.offset;
  }
  return kNoneAbsent;
}

class RandomBlocks {
 public:
  RandomBlocks(uint64_t seed, unsigned count, uint32_t absent_features) : absent_features_(absent_features) {
    constexpr uint64_t kJumpBytes = 5;
    Generator generator(seed);
    std::ofstream file(path_, std::ios::binary);
    uint64_t address = kCodeBase;
    for (unsigned i = 0; i < count; ++i) {
      blocks_.push_back(generator.block(address));
      const Block& each = blocks_.back();
      BlockHeader header{};
      header.seed = each.seed;
      header.bytes = static_cast<uint32_t>(each.code.size());
      header.ignored_flags = kAdjustFlagOfState;
      header.ignored_flags_at_fault = kStatusFlagsOfState;
      header.absent_at = first_absent(each, absent_features);
      file.write(reinterpret_cast<const char*>(&header), sizeof(header));
      file.write(reinterpret_cast<const char*>(each.code.data()), header.bytes);
      address += each.code.size() + kJumpBytes;
    }
  }

  void compare(const Words& options) {
    auto [natively, copied] = run_both(options, {"hash", path_});
    ASSERT_EQ(natively.status, 0) << natively.err;
    EXPECT_EQ(copied.status, 0) << copied.err;
    std::vector<std::string> expected = lines_of(natively.out), found = lines_of(copied.out);
    ASSERT_EQ(expected.size(), kRuns * blocks_.size());
    EXPECT_EQ(found.size(), expected.size()) << "the copied program came to an end early";
    unsigned shown = 0;
    for (size_t i = 0; i < found.size() && shown < 5; ++i) {
      if (expected[i] == found[i] || is_wild(expected[i])) continue;
      explain(i / kRuns, options);
      ++shown;
    }
    if (found.size() < expected.size()) explain(found.size() / kRuns, options);
  }

 private:
  // In the native run the file marks the faults of absent instructions; the engine is started without these
  // features.
  [[nodiscard]] std::pair<Outcome, Outcome> run_both(const Words& options, const Words& what) const {
    Words lacking = {"--absent-features", std::to_string(absent_features_),
                     "--absent-begin",    std::to_string(kCodeBase),
                     "--absent-end",      std::to_string(kCodeBase + kCodeBytes)};
    return {run(Words{kBlockRunner, "absent"} + what),
            run(under_engine(options + lacking, Words{kBlockRunner} + what))};
  }

  void explain(size_t i, const Words& options) {
    auto [natively, copied] = run_both(options, {"show", path_, std::to_string(i)});
    ADD_FAILURE() << "block " << i << ": " << hexadecimal(blocks_[i].code) << "\n"
                  << differences(natively.out, copied.out) << copied.err;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("blocks");
  std::vector<Block> blocks_;
  uint32_t absent_features_;
};

void compare_blocks(uint64_t seed, uint64_t count, const Words& options, uint32_t absent_features = 0) {
  for (uint64_t done = 0; done < count && !::testing::Test::HasFailure(); done += kBlocksAtOnce) {
    auto now = static_cast<unsigned>(std::min<uint64_t>(count - done, kBlocksAtOnce));
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomBlocks(seed++, now, absent_features).compare(options);
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
  Words command = {kBlockRunner, "cases"};
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
