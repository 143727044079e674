// SPDX-License-Identifier: MIT
// fuzz_encodings SEED COUNT: compares COUNT random encodings of single instructions natively and under the
// copying engine, and prints each that differs. Exits with 1 if there is a difference.
#include <sys/personality.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "encoding_batch.h"

namespace hm::direct_test {
namespace {

constexpr uint64_t kAtOnce = 4000;

struct Sums {
  size_t different = 0;  // 10 or more of one batch count as 10
  size_t counted = 0;
};

void compare_batch(uint64_t seed, uint64_t count, const Words& options, Sums& sums) {
  EncodingBatch batch(seed, count);
  std::vector<std::string> texts = batch.different_states(options);
  if (texts.empty()) {
    std::string counts = batch.different_counts(options);
    if (!counts.empty()) texts.push_back(counts);
    sums.counted += batch.counted();
  }
  for (const std::string& each : texts) std::printf("%s", each.c_str());
  sums.different += texts.size();
}

}  // namespace
}  // namespace hm::direct_test

int main(int count, char** words) {
  using namespace hm::direct_test;
  if (count < 3) {
    std::fprintf(stderr, "usage: fuzz_encodings SEED COUNT [OPTION OF hardmeter stat]...\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  ::personality(ADDR_NO_RANDOMIZE);  // keeps the blocks' addresses free
  uint64_t seed = std::strtoull(words[1], nullptr, 10);
  uint64_t encodings = std::strtoull(words[2], nullptr, 10);
  Words options(words + 3, words + count);
  Sums sums;
  for (uint64_t done = 0; done < encodings; done += kAtOnce)
    compare_batch(seed++, std::min(kAtOnce, encodings - done), options, sums);
  std::printf("%lu encodings, %zu of them differ; loads and stores compared of %zu\n", encodings,
              sums.different, sums.counted);
  return sums.different != 0;
}
