// SPDX-License-Identifier: MIT
// --physical: L2 is indexed by the page frames that a program reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <sstream>

#include "base/json.h"
#include "base/pagemap.h"
#include "base/temporary_folder.h"
#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::HasSubstr;

const Words kColoured = {"--l2", "1M,16,64", "--l3", "none"};  // 16 colours
constexpr uint64_t kReads = 1000 * 40 * 64, kReadPageBytes = 4096;

class Physical : public WithPlainEnvironment {
 protected:
  void SetUp() override {
    if (!Pagemap(::getpid()).physical(reinterpret_cast<uint64_t>(this)))
      GTEST_SKIP() << "this user may not see where memory lies; not tested";
  }

  static uint64_t l2_misses(const std::string& how, const Words& options) {
    return count(kColoured + options + Words{"-e", "l2_cache_miss"},
                 {program("colours"), how})["l2_cache_miss"];
  }
};

TEST_F(Physical, PagesOfOneColourMissEachOther) {
  EXPECT_GT(l2_misses("same", {"--physical"}), kReads * 9 / 10);
  EXPECT_LT(l2_misses("other", {"--physical"}), kReads / 10);
  EXPECT_LT(l2_misses("same", {}), kReads / 10) << "by virtual addresses they lie in all parts";
}

// Parses the output of a process: the frame of each of its pages.
using Frames = std::map<uint64_t, uint64_t>;
std::map<uint32_t, Frames> printed(const std::string& text) {
  std::map<uint32_t, Frames> processes;
  std::istringstream lines(text);
  uint32_t pid = 0;
  uint64_t page = 0, frame = 0;
  while (lines >> std::dec >> pid >> std::hex >> page >> frame) processes[pid][page] = frame;
  return processes;
}

TEST_F(Physical, SamplesSayWhereTheDataLies) {
  for (const char* how : {"same", "returned", "forked"}) {
    SCOPED_TRACE(how);
    TemporaryFolder folder;
    std::string path = folder.file("perf.data");
    Outcome recorded =
        hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kColoured +
                  Words{"--physical", "-e", "l1_cache_miss", "-c", "97", "--", program("colours"), how});
    ASSERT_EQ(recorded.status, 0) << recorded.err;
    std::map<uint32_t, Frames> processes = printed(recorded.out);
    ASSERT_EQ(processes.size(), 1u) << recorded.out;
    auto& [pid, frames] = *processes.begin();
    uint64_t seen = 0, wrong = 0;
    for (const Sample& sample : decode(path).samples) {
      auto frame = frames.find(sample.addr / kReadPageBytes);
      if (sample.pid != pid || frame == frames.end()) continue;
      ++seen;
      if (sample.phys_addr != frame->second * kReadPageBytes + sample.addr % kReadPageBytes) ++wrong;
    }
    EXPECT_GT(seen, kReads / 97 * 9 / 10);
    EXPECT_LT(wrong, seen / 100) << "the kernel may move a page now and then";
  }
}

// The colours in a recording are those of the modelled cache.
TEST_F(Physical, TheMapNamesTheCrowdedColour) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded = hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kColoured +
                               Words{"--physical", "--tlb", "100000", "-e", "l2_cache_miss", "-c", "97", "--",
                                     program("colours"), "same"});
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  Outcome told = hardmeter({"map", "--json", "-i", path, "--cache", "1M,16,64"});
  nlohmann::json said = nlohmann::json::parse(told.out, nullptr, false);
  ASSERT_TRUE(said.is_object()) << told.err;
  EXPECT_EQ(said["addresses"], "physical");
  EXPECT_GT(said["tlb_states"], 10);
  EXPECT_EQ(said["crowded"][0]["region"], 0) << "the colour that the program chose";
  Outcome explained = hardmeter({"explain", "-i", path, "--limit", "1"});
  EXPECT_THAT(explained.out, HasSubstr("huge pages, or pages of other colours"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
