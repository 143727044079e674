// SPDX-License-Identifier: MIT
// A short run of the fuzzer of encodings. fuzz_encodings runs it for longer.
#include <gtest/gtest.h>
#include <sys/personality.h>

#include "encoding_batch.h"

namespace hm::direct_test {
namespace {

TEST(Encodings, LeaveTheSameBehindAndAreCounted) {
  constexpr uint64_t kEncodings = 4000;
  for (uint64_t seed : {1, 2}) {
    EncodingBatch batch(seed, kEncodings);
    for (const std::string& each : batch.different_states({})) ADD_FAILURE() << each;
    EXPECT_EQ(batch.different_counts({}), "");
    EXPECT_GT(batch.counted(), kEncodings / 16);
  }
}

TEST(Encodings, LeaveTheSameBehindInBursts) {
  EncodingBatch batch(3, 4000);
  const Words bursts = {"--detail=bursts", "--burst-slots=3000", "--gap-slots=7000"};
  for (const std::string& each : batch.different_states(bursts)) ADD_FAILURE() << each;
}

}  // namespace
}  // namespace hm::direct_test

int main(int count, char** words) {
  ::personality(ADDR_NO_RANDOMIZE);  // keeps the blocks' addresses free
  ::testing::InitGoogleTest(&count, words);
  return RUN_ALL_TESTS();
}
