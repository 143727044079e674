// SPDX-License-Identifier: MIT
#include "host/calibration/sparse_loads.h"

#include <bit>

#include "host/chase_ring.h"

namespace hm::host {

// Numbers of a linear congruential generator (Knuth's MMIX) give the addresses; their high bits are random.
Estimate time_of_sparse_load(std::span<const std::byte> memory, const Repetitions& repetitions) {
  uint64_t mask = (std::bit_floor(memory.size()) - 1) & ~uint64_t{kLineBytes - 1};
  uint64_t random = 88172645463325252, factor = 6364136223846793005;
  return time_of_step(repetitions, [&](uint64_t steps) {
    uint64_t left = steps, place = 0, sum = 0, a = 0, b = 0, c = 0, d = 0;
    asm volatile(
        "1:\n\t"
        "imul %[factor], %[random]\n\t"
        "lea 1(%[random]), %[random]\n\t"
        "mov %[random], %[place]\n\t"
        "shr $24, %[place]\n\t"
        "and %[mask], %[place]\n\t"
        "add (%[memory], %[place]), %[sum]\n\t"
        ".rept 6\n\t"
        "add $1, %[a]\n\t"
        "add $1, %[b]\n\t"
        "add $1, %[c]\n\t"
        "add $1, %[d]\n\t"
        ".endr\n\t"
        "dec %[left]\n\t"
        "jnz 1b"
        : [left] "+r"(left), [random] "+r"(random), [place] "+r"(place), [sum] "+r"(sum), [a] "+r"(a),
          [b] "+r"(b), [c] "+r"(c), [d] "+r"(d)
        : [factor] "r"(factor), [mask] "r"(mask), [memory] "r"(memory.data())
        : "cc", "memory");
    return steps;
  });
}

}  // namespace hm::host
