// SPDX-License-Identifier: MIT
// prefetch [ENTRIES=2097152]: looks keys up in a large hash table, whose size is a power of two. What follows
// depends on what is found, and the branch is hard to predict, so the processor cannot run ahead to the next
// miss. The next keys are known, though. Mended: each is prefetched some look-ups ahead. It misses as often,
// but nothing waits for it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxEntries = 1 << 21, kLookUps = 3000000, kAhead = 16 };

static _Alignas(4096) uint64_t table[kMaxEntries];

static uint32_t slot_of(uint32_t key, uint32_t entries) {
  key = (key ^ key >> 16) * UINT32_C(0x85ebca6b);
  key = (key ^ key >> 13) * UINT32_C(0xc2b2ae35);
  return (key ^ key >> 16) & (entries - 1);
}

static void fill(uint32_t entries) {
  for (uint32_t i = 0; i < entries; ++i) table[i] = (i ^ (i >> 7)) * UINT64_C(0x9e3779b97f4a7c15);
}

__attribute__((noipa)) static uint64_t probe(uint32_t entries) {
  uint64_t sum = 0;
  for (uint32_t key = 0; key < kLookUps; ++key) {
#ifdef MENDED
    __builtin_prefetch(&table[slot_of(key + kAhead, entries)]);
#endif
    uint64_t found = table[slot_of(key, entries)];
    if ((found >> 40 & 1) != 0) {
      sum = sum * 5 + found;
    } else {
      sum ^= found >> 3;
      __asm__ volatile("" : "+r"(sum));  // a branch, not a conditional move
    }
  }
  return sum;
}

int main(int count, char** arguments) {
  uint32_t entries = count > 1 ? (uint32_t)atoi(arguments[1]) : kMaxEntries;
  if (entries == 0 || entries > kMaxEntries) return 1;
  fill(entries);
  printf("%lu\n", (unsigned long)probe(entries));
  return 0;
}
