// SPDX-License-Identifier: MIT
// huge_page_table [ENTRIES=8388608]: random look-ups over 64 MiB, which is 16384 pages of 4 KiB: more than
// any TLB has entries. Mended: the kernel is asked for pages of 2 MiB, of which it takes 32.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kMaxEntries = 1 << 23, kLookUps = 1 << 20, kHugePage = 2 << 20 };

static uint64_t* make_table(uint32_t entries) {
  uint64_t* table = aligned_alloc(kHugePage, entries * sizeof(*table));
  if (table == NULL) exit(1);
#ifdef MENDED
  madvise(table, entries * sizeof(*table), MADV_HUGEPAGE);
#endif
  for (uint32_t i = 0; i < entries; ++i) table[i] = i * UINT64_C(0x9e3779b97f4a7c15);
  return table;
}

__attribute__((noipa)) static uint64_t look_up(const uint64_t* table, uint32_t entries) {
  uint64_t state = 1, sum = 0;
  for (int i = 0; i < kLookUps; ++i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    sum += table[(state >> 33) % entries];
  }
  return sum;
}

int main(int count, char** arguments) {
  uint32_t entries = count > 1 ? (uint32_t)atoi(arguments[1]) : kMaxEntries;
  if (entries == 0 || entries > kMaxEntries) return 1;
  printf("%lu\n", (unsigned long)look_up(make_table(entries), entries));
  return 0;
}
