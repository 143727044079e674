// SPDX-License-Identifier: MIT
// Loops without memory, or with memory that the first level holds.
#include "kernels.h"

NOT_INLINED uint64_t add_chain(struct workspace* work, uint64_t accesses) {
  (void)work;
  uint64_t sum = 1;
  for (uint64_t i = 0; i < accesses; i += 8) {
    __asm__ volatile(
        "add %0, %0\n add %0, %0\n add %0, %0\n add %0, %0\n"
        "add %0, %0\n add %0, %0\n add %0, %0\n add %0, %0"
        : "+r"(sum));
  }
  return sum;
}

NOT_INLINED uint64_t add_independent(struct workspace* work, uint64_t accesses) {
  (void)work;
  uint64_t a = 1, b = 2, c = 3, d = 4;
  for (uint64_t i = 0; i < accesses; i += 8) {
    __asm__ volatile(
        "add %0, %0\n add %1, %1\n add %2, %2\n add %3, %3\n"
        "add %0, %0\n add %1, %1\n add %2, %2\n add %3, %3"
        : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
  }
  return a + b + c + d;
}

NOT_INLINED uint64_t divide_chain(struct workspace* work, uint64_t accesses) {
  uint64_t divisor = 7, value = UINT64_MAX / 3;
  OPAQUE(divisor);
  for (uint64_t i = 0; i < accesses; ++i) value = value / divisor + (UINT64_MAX >> 12) + work->position;
  return value;
}

NOT_INLINED uint64_t multiply_add_chain(struct workspace* work, uint64_t accesses) {
  (void)work;
  double value = 1;
  for (uint64_t i = 0; i < accesses; ++i) value = value * 0.9999999 + 1e-9;
  return (uint64_t)(value * 1e6);
}

void set_up_random_bits(struct workspace* work) {
  set_up_bytes(work);
  for (size_t i = 0; i < work->kernel->bytes; ++i) work->memory[i] = (char)(hash(i) >> 40 & 1);
}

NOT_INLINED uint64_t unpredictable_branch(struct workspace* work, uint64_t accesses) {
  uint64_t sum = 0, mask = work->kernel->bytes - 1, end = work->position + accesses;
  for (uint64_t i = work->position; i < end; ++i) {
    // Volatile assembly in both branches keeps the compiler from a conditional move.
    if (work->memory[hash(i) >> 20 & mask]) {
      __asm__ volatile("add $3, %0" : "+r"(sum));
    } else {
      __asm__ volatile("xor $5, %0" : "+r"(sum));
    }
  }
  work->position = end;
  return sum;
}
