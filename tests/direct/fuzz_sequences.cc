// SPDX-License-Identifier: MIT
// fuzz_sequences SEED COUNT: compares COUNT random short programs natively and under the copying engine, and
// prints each that differs. Exits with 1 if there is a difference.
#include <sys/personality.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sequence_batch.h"

int main(int count, char** words) {
  using namespace hm::direct_test;
  if (count < 3) {
    std::fprintf(stderr, "usage: fuzz_sequences SEED COUNT [OPTION OF hardmeter stat]...\n");
    return 2;
  }
  constexpr uint64_t kAtOnce = 2000;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  ::personality(ADDR_NO_RANDOMIZE);  // keeps the blocks' addresses free
  uint64_t seed = std::strtoull(words[1], nullptr, 10);
  uint64_t sequences = std::strtoull(words[2], nullptr, 10);
  Words options(words + 3, words + count);
  size_t different = 0;
  for (uint64_t done = 0; done < sequences; done += kAtOnce) {
    for (const std::string& each : different_sequences(seed, std::min(kAtOnce, sequences - done), options)) {
      std::printf("%s", each.c_str());
      ++different;
    }
    ++seed;
  }
  std::printf("%lu sequences, %zu differences\n", sequences, different);
  return different != 0;
}
