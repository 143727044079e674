// SPDX-License-Identifier: MIT
// fuzz_encodings SEED COUNT: compares COUNT random encodings of single instructions natively and under the
// copying engine, and prints each that differs. Exits with 1 if there is a difference.
#include <sys/personality.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "block_comparison.h"
#include "encodings.h"

namespace hm::direct_test {
namespace {

constexpr uint64_t kAtOnce = 4000;
constexpr size_t kMaxShown = 10;

std::string disassembly(const std::vector<uint8_t>& bytes) {
  ZydisDisassembledInstruction out;
  bool known =
      ZYAN_SUCCESS(ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LONG_64, 0, bytes.data(), bytes.size(), &out));
  return known ? out.text : "no instruction that Zydis knows";
}

// Returns the number of differences; 1 if the runner failed.
size_t compare_batch(uint64_t seed, uint64_t count, const Words& options) {
  EncodingGenerator generator(seed);
  BlockFile file;
  std::vector<std::vector<uint8_t>> instructions;
  for (uint64_t i = 0; i < count; ++i) {
    Encoding each = generator.next(file.next_address());
    file.add(each.header, each.code);
    instructions.push_back(each.bytes);
  }
  Comparison comparison = compare(file, options);
  if (!comparison.failure.empty()) {
    std::printf("seed %lu: %s\n", seed, comparison.failure.c_str());
    return 1;
  }
  size_t shown = std::min(comparison.different.size(), kMaxShown);
  for (size_t i = 0; i < shown; ++i) {
    size_t block = comparison.different[i];
    const auto& bytes = instructions[block];
    std::printf("seed %lu: %s(%s)\n%s", seed, hexadecimal(bytes).c_str(), disassembly(bytes).c_str(),
                explain(file, block, options).c_str());
  }
  return comparison.different.size();
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
  size_t different = 0;
  for (uint64_t done = 0; done < encodings; done += kAtOnce)
    different += compare_batch(seed++, std::min(kAtOnce, encodings - done), options);
  std::printf("%lu encodings, %zu of them differ\n", encodings, different);
  return different != 0;
}
