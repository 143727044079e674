// SPDX-License-Identifier: MIT
#include "host/core_clock.h"

#include <algorithm>
#include <ctime>

#include "base/nanoseconds.h"

namespace hm::host {
namespace {

constexpr uint64_t kRuns = 5;
constexpr uint64_t kBlocks = 1000;
constexpr uint64_t kAdditionsPerBlock = 32;

// In assembly, because a compiler would merge the additions.
void add_in_chain() {
  uint64_t sum = 1, step = 3;
  for (uint64_t block = 0; block < kBlocks; ++block) {
    asm volatile(".rept %c2\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(step), "i"(kAdditionsPerBlock) : "cc");
  }
}

}  // namespace

uint64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return nanoseconds(now);
}

double core_clock_ghz() {
  uint64_t min_ns = UINT64_MAX;
  for (uint64_t run = 0; run < kRuns; ++run) {
    uint64_t begin_ns = now_ns();
    add_in_chain();
    min_ns = std::min(min_ns, now_ns() - begin_ns);
  }
  return static_cast<double>(kBlocks * kAdditionsPerBlock) /
         static_cast<double>(std::max<uint64_t>(min_ns, 1));
}

}  // namespace hm::host
