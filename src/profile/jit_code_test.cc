// SPDX-License-Identifier: MIT
#include "profile/jit_code.h"

#include <gtest/gtest.h>

#include <ctime>
#include <fstream>

#include "profile/test_recording.h"
#include "symbol/files/test_jitdump.h"

namespace hm::profile {
namespace {

constexpr uint64_t kCode = 0x10000;

TEST(ReplacedCode, TheLastLoadBeforeATimeCounts) {
  ReplacedCode code({{10, 0x1000, 0x10, 0x9000}, {20, 0x1008, 0x10, 0x1008}, {30, 0x1000, 0x4, 0x1000}});
  EXPECT_TRUE(code.has_replaced());
  EXPECT_EQ(code.address_at(0x1002, 5), 0x9002u);  // before the first load
  EXPECT_EQ(code.address_at(0x1002, 29), 0x9002u);
  EXPECT_EQ(code.address_at(0x1002, 30), 0x1002u);
  EXPECT_EQ(code.address_at(0x1006, 99), 0x9006u);
  EXPECT_EQ(code.address_at(0x100a, 19), 0x900au);
  EXPECT_EQ(code.address_at(0x100a, 20), 0x100au);
  EXPECT_EQ(code.address_at(0x1014, 0), 0x1014u);
  EXPECT_EQ(code.address_at(0x1018, 99), 0x1018u);
  EXPECT_EQ(code.address_at(0x10, 99), 0x10u);
}

// A dump of two functions loaded one after the other at the same address.
class Replaced {
 public:
  Replaced() : path_(folder_.file("jit-7.dump")) {
    symbol::Dump dump;
    dump.at(100).load(kCode, "first", "abcdefgh").at(200).load(kCode, "second", "ijklmnop");
    std::string_view text(reinterpret_cast<const char*>(dump.bytes().data()), dump.bytes().size());
    std::ofstream(path_, std::ios::binary) << text;
  }

  [[nodiscard]] Profile load(bool monotonic) const {
    record::EventDescription event = test_event("e", 1, PERF_SAMPLE_CALLCHAIN);
    event.attr.use_clockid = monotonic;
    event.attr.clockid = CLOCK_MONOTONIC;
    TestRecording recording({event});
    recording.map(10, 7, 0x5000, 0x1000, path_);
    recording.map(20, 7, kCode, 0x1000, "//anon");
    for (uint64_t time_ns : {150, 250}) {
      std::vector<uint64_t> chain{static_cast<uint64_t>(PERF_CONTEXT_USER), kCode + 1, kCode + 5};
      record::Sample sample;
      sample.callchain = record::U64View(chain);
      recording.sample(time_ns, 7, kCode + 1, sample);
    }
    LoadOptions options;
    options.needs.chains = true;
    return recording.load(options);
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

const std::string& name_at(const Profile& profile, uint32_t location) {
  return profile.functions[profile.locations[location].function].name;
}

TEST(JitCode, ASampleTakesTheCodeOfItsTime) {
  Profile profile = Replaced().load(true);
  ASSERT_EQ(profile.samples.size(), 2u);
  EXPECT_EQ(name_at(profile, profile.samples.location[0]), "first");
  EXPECT_EQ(name_at(profile, profile.samples.location[1]), "second");
  ASSERT_EQ(profile.samples.chain_locations.size(), 4u);
  EXPECT_EQ(name_at(profile, profile.samples.chain_locations[1]), "first");
  EXPECT_EQ(name_at(profile, profile.samples.chain_locations[3]), "second");
}

TEST(JitCode, ByAnotherClockTheLastCodeCountsAndANoteSaysSo) {
  Profile profile = Replaced().load(false);
  EXPECT_EQ(name_at(profile, profile.samples.location[0]), "second");
  ASSERT_FALSE(profile.notes.empty());
  EXPECT_NE(profile.notes[0].find("replaced other code"), std::string::npos);
}

}  // namespace
}  // namespace hm::profile
