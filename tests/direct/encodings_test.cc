// SPDX-License-Identifier: MIT
// Short runs of the fuzzers of encodings and short programs. fuzz_encodings and fuzz_sequences run for
// longer.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/personality.h>

#include "encoding_batch.h"
#include "sequence_batch.h"

namespace hm::direct_test {
namespace {

// The fuzzers have run for a million encodings on processors of AMD without AVX-512, and on Ice Lake.
bool is_known_processor() {
  bool is_chosen = ::getenv("HARDMETER_TEST_ENCODINGS") != nullptr;
  bool is_known_amd = __builtin_cpu_is("amd") && !__builtin_cpu_supports("avx512f");
  return is_chosen || is_known_amd || __builtin_cpu_is("icelake-server");
}

class Fuzzed : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_known_processor())
      GTEST_SKIP()
          << "the fuzzers have not run on this kind of processor yet (HARDMETER_TEST_ENCODINGS=1 tests it)";
  }
};
using Encodings = Fuzzed;
using Sequences = Fuzzed;

TEST_F(Encodings, LeaveTheSameBehindAndAreCounted) {
  constexpr uint64_t kEncodings = 2500;
  for (uint64_t seed : {1, 2}) {
    EncodingBatch batch(seed, kEncodings);
    for (const std::string& each : batch.different_states({})) ADD_FAILURE() << each;
    EXPECT_EQ(batch.different_counts({}), "");
    EXPECT_GT(batch.counted(), kEncodings / 16);
  }
}

TEST_F(Encodings, LeaveTheSameBehindInBursts) {
  EncodingBatch batch(3, 2000);
  const Words bursts = {"--detail=bursts", "--burst-slots=3000", "--gap-slots=7000"};
  for (const std::string& each : batch.different_states(bursts)) ADD_FAILURE() << each;
}

TEST_F(Sequences, LeaveTheSameBehind) {
  for (uint64_t seed : {1, 2}) {
    for (const std::string& each : different_sequences(seed, 1000, {})) ADD_FAILURE() << each;
  }
}

}  // namespace
}  // namespace hm::direct_test

int main(int count, char** words) {
  ::personality(ADDR_NO_RANDOMIZE);  // keeps the blocks' addresses free
  ::testing::InitGoogleTest(&count, words);
  return RUN_ALL_TESTS();
}
