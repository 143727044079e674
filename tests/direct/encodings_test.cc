// SPDX-License-Identifier: MIT
// Short runs of the fuzzers of encodings and short programs. fuzz_encodings and fuzz_sequences run for
// longer.
#include <gtest/gtest.h>
#include <sys/personality.h>

#include "encoding_batch.h"
#include "sequence_batch.h"

namespace hm::direct_test {
namespace {

TEST(Encodings, LeaveTheSameBehindAndAreCounted) {
  constexpr uint64_t kEncodings = 2500;
  for (uint64_t seed : {1, 2}) {
    EncodingBatch batch(seed, kEncodings);
    for (const std::string& each : batch.different_states({})) ADD_FAILURE() << each;
    EXPECT_EQ(batch.different_counts({}), "");
    EXPECT_GT(batch.counted(), kEncodings / 16);
  }
}

TEST(Encodings, LeaveTheSameBehindInBursts) {
  EncodingBatch batch(3, 2000);
  const Words bursts = {"--detail=bursts", "--burst-slots=3000", "--gap-slots=7000"};
  for (const std::string& each : batch.different_states(bursts)) ADD_FAILURE() << each;
}

TEST(Sequences, LeaveTheSameBehind) {
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
