// SPDX-License-Identifier: MIT
// gather [ENTRIES=1048576]: adds up elements of a table by a list of indices in random order, several times,
// as a graph's edges or a sparse matrix are gone through again and again: each look-up goes to another part
// of 8 MiB. Mended: the list is sorted into bins once, so that the look-ups of a bin stay in 16 KiB.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxEntries = 1 << 20, kPasses = 4, kEntriesInBin = 1 << 11, kMaxBins = kMaxEntries / kEntriesInBin };

static _Alignas(4096) uint64_t table[kMaxEntries];
static _Alignas(4096) uint32_t indices[kMaxEntries];

static void fill(uint32_t entries) {
  uint64_t state = 1;
  for (uint32_t i = 0; i < entries; ++i) table[i] = i * UINT64_C(0x9e3779b97f4a7c15);
  for (uint32_t i = 0; i < entries; ++i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    indices[i] = (uint32_t)(state >> 33) % entries;
  }
}

#ifdef MENDED
static _Alignas(4096) uint32_t sorted[kMaxEntries];

static const uint32_t* in_order(uint32_t entries) {
  uint32_t next[kMaxBins] = {0}, begin = 0;
  for (uint32_t i = 0; i < entries; ++i) ++next[indices[i] / kEntriesInBin];
  for (uint32_t bin = 0; bin < kMaxBins; ++bin) {
    uint32_t size = next[bin];
    next[bin] = begin;
    begin += size;
  }
  for (uint32_t i = 0; i < entries; ++i) sorted[next[indices[i] / kEntriesInBin]++] = indices[i];
  return sorted;
}
#else
static const uint32_t* in_order(uint32_t entries) {
  (void)entries;
  return indices;
}
#endif

__attribute__((noipa)) static uint64_t look_up(const uint32_t* at, uint32_t entries) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < entries; ++i) sum += table[at[i]];
  return sum;
}

int main(int count, char** arguments) {
  uint32_t entries = count > 1 ? (uint32_t)atoi(arguments[1]) : kMaxEntries;
  if (entries == 0 || entries > kMaxEntries) return 1;
  fill(entries);
  const uint32_t* at = in_order(entries);
  uint64_t sum = 0;
  for (uint32_t pass = 0; pass < kPasses; ++pass) {
    sum = sum * 3 + look_up(at, entries);
    table[pass] = sum;
  }
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
