// SPDX-License-Identifier: MIT
// Records the program `walks` with the kernel's clock. Its samples must name the instruction that accesses
// memory, and the computed addresses must lie in the memory range that the program prints.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/shell_word.h"
#include "base/temporary_folder.h"
#include "profile/loader.h"
#include "profile/lookup.h"
#include "record/reader.h"
#include "support/paths.h"
#include "symbol/code/data_access.h"
#include "symbol/code/decoder.h"
#include "symbol/file_resolver.h"

namespace hm::clock_test {
namespace {

using profile::Profile;

struct Recording {
  uint64_t begin = 0;  // of the program's memory
  uint64_t end = 0;
  Profile profile;
};

// Counts of one function's samples.
struct Tally {
  uint64_t samples = 0;
  uint64_t at_accesses = 0;  // at an instruction that accesses memory
  uint64_t addresses = 0;
  uint64_t outside = 0;  // addresses that are not in the program's memory
};

class ClockRecording : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system(record("true").c_str()) != 0)
      GTEST_SKIP() << "perf cannot record cpu-clock with registers here";
  }

  // Records `walks KIND`; must succeed if recording `true` did.
  Recording walks(const std::string& kind) {
    Recording recording;
    EXPECT_EQ(
        std::system(
            record(shell_word(std::string(test_paths::kPrograms) + "/walks") + " " + kind + " 400").c_str()),
        0);
    std::ifstream(out_) >> std::hex >> recording.begin >> recording.end;
    EXPECT_LT(recording.begin, recording.end);
    auto reader = record::Reader::open(path_);
    EXPECT_TRUE(reader.ok());
    Result<Profile> profile = profile::load(*reader, resolver_);
    EXPECT_TRUE(profile.ok());
    recording.profile = *std::move(profile);
    return recording;
  }

  [[nodiscard]] Tally tally(const Recording& recording, std::string_view function) const {
    Tally tally;
    const Profile& profile = recording.profile;
    for (size_t i = 0; i < profile.samples.size(); ++i) {
      const profile::Location& location = profile.locations[profile.samples.location[i]];
      if (profile.functions[location.function].name != function) continue;
      ++tally.samples;
      if (accesses_memory(profile, location)) ++tally.at_accesses;
      std::optional<uint64_t> address = profile.samples.address.at(i);
      if (!address) continue;
      ++tally.addresses;
      if (*address < recording.begin || *address >= recording.end) ++tally.outside;
    }
    return tally;
  }

 private:
  [[nodiscard]] std::string record(const std::string& command) const {
    return "perf record -q -e cpu-clock:u -c 100000 "
           "--intr-regs=AX,BX,CX,DX,SI,DI,BP,SP,IP,FLAGS,R8,R9,R10,R11,R12,R13,R14,R15 -o " +
           path_ + " -- " + command + " >" + out_ + " 2>/dev/null";
  }

  [[nodiscard]] bool accesses_memory(const Profile& profile, const profile::Location& location) const {
    constexpr uint64_t kLongestInstruction = 15;
    const symbol::Object* object = object_of(profile, resolver_, location.dso);
    Result<Bytes> code = object->code(location.address, kLongestInstruction);
    symbol::Decoder decoder;
    return code.ok() && symbol::decode_data_access(decoder, *code).any();
  }

  symbol::FileResolver resolver_;
  TemporaryFolder folder_;
  std::string path_ = folder_.file("perf.data");
  std::string out_ = folder_.file("out");
};

constexpr uint64_t kEnough = 200;  // minimum samples for a meaningful share

void expect_nearly_all_at_accesses(const Tally& tally) {
  EXPECT_GE(tally.samples, kEnough);
  EXPECT_GE(tally.at_accesses * 100, tally.samples * 95) << tally.at_accesses << " of " << tally.samples;
  EXPECT_EQ(tally.outside, 0u) << "of " << tally.addresses;
}

TEST_F(ClockRecording, PointerChaseNamesTheLoad) {
  expect_nearly_all_at_accesses(tally(walks("chase"), "chase"));
  Tally assembly = tally(walks("chase_asm"), "chase_asm");
  expect_nearly_all_at_accesses(assembly);
}

TEST_F(ClockRecording, WalkStaysInsideTheArray) {
  Tally walk = tally(walks("walk"), "walk");
  EXPECT_GE(walk.samples, kEnough);
  EXPECT_GE(walk.addresses, kEnough / 4);
  EXPECT_EQ(walk.outside, 0u);
}

TEST_F(ClockRecording, StrideStaysInsideTheArray) {
  Tally stride = tally(walks("stride"), "stride");
  expect_nearly_all_at_accesses(stride);
  EXPECT_GE(stride.addresses * 100, stride.at_accesses * 95);
}

TEST_F(ClockRecording, MixHoldsBoth) {
  Recording mix = walks("mix");
  expect_nearly_all_at_accesses(tally(mix, "chase"));
  EXPECT_EQ(tally(mix, "walk").outside, 0u);
}

}  // namespace
}  // namespace hm::clock_test
