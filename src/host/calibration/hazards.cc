// SPDX-License-Identifier: MIT
#include "host/calibration/hazards.h"

#include <cstring>
#include <vector>

#include "host/core_clock.h"

namespace hm::host {
namespace {

// Executes branches on a bit of pseudo-random numbers (xorshift: Marsaglia, "Xorshift RNGs", Journal of
// Statistical Software 8, 2003) that is masked. With mask 1 half of the branches are mispredicted, with 0
// none.
uint64_t branch(uint64_t steps, uint64_t mask) {
  static uint64_t random = 88172645463325252;
  uint64_t state = random;
  for (uint64_t i = 0; i < steps; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    asm volatile(
        "test %1, %0\n\t"
        "jz 1f\n\t"
        "nop\n\t"
        "1:"
        :
        : "r"(state), "r"(mask)
        : "cc");
  }
  random = state;
  return steps;
}

Estimate time_of_misprediction(const Repetitions& repetitions) {
  Estimate known = time_of_step(repetitions, [](uint64_t steps) { return branch(steps, 0); });
  Estimate random = time_of_step(repetitions, [](uint64_t steps) { return branch(steps, 1); });
  Estimate half = difference(random, known);
  return {2 * half.value, 2 * half.low, 2 * half.high};
}

alignas(4096) std::byte pages[3 * 4096];

// A dependent load from a place that contains its own address.
Estimate time_of_load_at(size_t offset, const Repetitions& repetitions) {
  std::byte* place = pages + offset;
  std::memcpy(place, &place, sizeof place);
  return time_of_step(repetitions, [&](uint64_t steps) {
    const std::byte* at = place;
    for (uint64_t i = 0; i < steps; ++i) asm volatile("mov (%0), %0" : "+r"(at));
    return steps;
  });
}

// Stores a register in memory and loads it again, as one word or as two halves.
Estimate time_of_forwarding(bool in_halves, const Repetitions& repetitions) {
  std::byte* place = pages + 512;
  return time_of_step(repetitions, [&](uint64_t steps) {
    uint64_t value = 1;
    for (uint64_t i = 0; i < steps; ++i) {
      if (in_halves)
        asm volatile("movl %k0, (%1)\n\tmovl %k0, 4(%1)\n\tmov (%1), %0"
                     : "+r"(value)
                     : "r"(place)
                     : "memory");
      else
        asm volatile("mov %0, (%1)\n\tmovl %k0, 8(%1)\n\tmov (%1), %0" : "+r"(value) : "r"(place) : "memory");
    }
    return steps;
  });
}

// A chain of loads, each after a store `distance` bytes further.
Estimate time_of_load_behind_store(size_t distance, const Repetitions& repetitions) {
  std::byte* place = pages + 1024;
  std::memcpy(place, &place, sizeof place);
  return time_of_step(repetitions, [&](uint64_t steps) {
    const std::byte* at = place;
    for (uint64_t i = 0; i < steps; ++i)
      asm volatile("mov %1, (%2)\n\tmov (%0), %0" : "+r"(at) : "r"(i), "r"(place + distance) : "memory");
    return steps;
  });
}

// Returns how many steps of this time the core makes in a cycle.
double per_cycle(const Estimate& step_ns) { return 1 / (step_ns.value * core_clock_ghz()); }

}  // namespace

Hazards measure_hazards(const Repetitions& repetitions) {
  Estimate whole = time_of_load_at(256, repetitions);
  constexpr size_t kLine = 64, kPage = 4096, kAcross = 4;
  return {.mispredicted_branch_ns = time_of_misprediction(repetitions),
          .split_line_ns = difference(time_of_load_at(4 * kLine - kAcross, repetitions), whole),
          .split_page_ns = difference(time_of_load_at(kPage - kAcross, repetitions), whole),
          .blocked_forward_ns =
              difference(time_of_forwarding(true, repetitions), time_of_forwarding(false, repetitions)),
          .page_alias_ns = difference(time_of_load_behind_store(kPage, repetitions),
                                      time_of_load_behind_store(kPage + 2 * kLine, repetitions))};
}

double additions_per_cycle(const Repetitions& repetitions) {
  constexpr uint64_t kAdditions = 64;
  Estimate ns = time_of_step(repetitions, [&](uint64_t steps) {
    uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    uint64_t rounds = steps / kAdditions + 1;
    for (uint64_t i = 0; i < rounds; ++i)
      asm volatile(
          ".rept 8\n\tadd $1, %0\n\tadd $1, %1\n\tadd $1, %2\n\tadd $1, %3\n\t"
          "add $1, %4\n\tadd $1, %5\n\tadd $1, %6\n\tadd $1, %7\n\t.endr"
          : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h)
          :
          : "cc");
    return rounds * kAdditions;
  });
  return per_cycle(ns);
}

double instructions_per_cycle(const Repetitions& repetitions) {
  constexpr uint64_t kInstructions = 256;
  Estimate ns = time_of_step(repetitions, [&](uint64_t steps) {
    uint64_t rounds = steps / kInstructions + 1;
    for (uint64_t i = 0; i < rounds; ++i) asm volatile(".rept 256\n\tnopl 0(%rax)\n\t.endr");
    return rounds * kInstructions;
  });
  return per_cycle(ns);
}

}  // namespace hm::host
