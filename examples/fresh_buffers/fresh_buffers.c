// SPDX-License-Identifier: MIT
// fresh_buffers [ROUNDS=4000]: each round counts random numbers in a table of 4 KiB of its own: its lines are
// used for the first time, so that no cache can have them. Mended: the rounds use one table, cleared before
// each.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxRounds = 4000, kEntries = 512, kNumbers = 400 };

static uint64_t state = 1;

static uint32_t next(void) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)(state >> 33);
}

__attribute__((noipa)) static uint64_t count(uint64_t* table) {
  uint64_t most = 0;
  for (int i = 0; i < kNumbers; ++i) {
    uint64_t now = ++table[next() % kEntries];
    if (now > most) most = now;
  }
  return most;
}

int main(int arguments, char** words) {
  uint32_t rounds = arguments > 1 ? (uint32_t)atoi(words[1]) : kMaxRounds;
  if (rounds == 0 || rounds > kMaxRounds) return 1;
#ifdef MENDED
  uint64_t* tables = calloc(kEntries, sizeof(*tables));
#else
  uint64_t* tables = calloc((size_t)rounds * kEntries, sizeof(*tables));
#endif
  uint64_t sum = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
#ifdef MENDED
    memset(tables, 0, kEntries * sizeof(*tables));
    sum += count(tables);
#else
    sum += count(tables + (size_t)round * kEntries);
#endif
  }
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
