// SPDX-License-Identifier: MIT
// Adds up elements of a table by a list of indices in random order, several times, as a graph's edges or a
// sparse matrix are gone through again and again: each look-up goes to another part of 16 MiB. Mended: the
// list is sorted into bins once, so that the look-ups of a bin stay in 16 KiB.
#include <stdint.h>
#include <stdio.h>

enum { kEntries = 1 << 21, kIndices = 1 << 20, kPasses = 4, kBins = 1024, kEntriesInBin = kEntries / kBins };

static _Alignas(4096) uint64_t table[kEntries];
static _Alignas(4096) uint32_t indices[kIndices];

static void fill(void) {
  uint64_t state = 1;
  for (uint32_t i = 0; i < kEntries; ++i) table[i] = i * UINT64_C(0x9e3779b97f4a7c15);
  for (uint32_t i = 0; i < kIndices; ++i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    indices[i] = (uint32_t)(state >> 33) % kEntries;
  }
}

#ifdef MENDED
static _Alignas(4096) uint32_t sorted[kIndices];

static const uint32_t* in_order(void) {
  uint32_t next[kBins] = {0}, begin = 0;
  for (uint32_t i = 0; i < kIndices; ++i) ++next[indices[i] / kEntriesInBin];
  for (uint32_t bin = 0; bin < kBins; ++bin) {
    uint32_t size = next[bin];
    next[bin] = begin;
    begin += size;
  }
  for (uint32_t i = 0; i < kIndices; ++i) sorted[next[indices[i] / kEntriesInBin]++] = indices[i];
  return sorted;
}
#else
static const uint32_t* in_order(void) { return indices; }
#endif

__attribute__((noipa)) static uint64_t look_up(const uint32_t* at) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < kIndices; ++i) sum += table[at[i]];
  return sum;
}

int main(void) {
  fill();
  const uint32_t* at = in_order();
  uint64_t sum = 0;
  for (uint32_t pass = 0; pass < kPasses; ++pass) {
    sum = sum * 3 + look_up(at);
    table[pass] = sum;
  }
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
