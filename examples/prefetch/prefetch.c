// SPDX-License-Identifier: MIT
// Looks keys up in a large hash table. What follows depends on what is found, and the branch is hard to
// predict, so the processor cannot run ahead to the next miss. The next keys are known, though. Mended: each
// is prefetched some look-ups ahead. It misses as often, but nothing waits for it.
#include <stdint.h>
#include <stdio.h>

enum { kEntries = 1 << 21, kLookUps = 3000000, kAhead = 16 };

static _Alignas(4096) uint64_t table[kEntries];

static uint32_t slot_of(uint32_t key) {
  key = (key ^ key >> 16) * UINT32_C(0x85ebca6b);
  key = (key ^ key >> 13) * UINT32_C(0xc2b2ae35);
  return (key ^ key >> 16) % kEntries;
}

static void fill(void) {
  for (uint32_t i = 0; i < kEntries; ++i) table[i] = (i ^ (i >> 7)) * UINT64_C(0x9e3779b97f4a7c15);
}

__attribute__((noipa)) static uint64_t probe(void) {
  uint64_t sum = 0;
  for (uint32_t key = 0; key < kLookUps; ++key) {
#ifdef MENDED
    __builtin_prefetch(&table[slot_of(key + kAhead)]);
#endif
    uint64_t found = table[slot_of(key)];
    if ((found >> 40 & 1) != 0) {
      sum = sum * 5 + found;
    } else {
      sum ^= found >> 3;
      __asm__ volatile("" : "+r"(sum));  // a branch, not a conditional move
    }
  }
  return sum;
}

int main(void) {
  fill();
  printf("%lu\n", (unsigned long)probe());
  return 0;
}
