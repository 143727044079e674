// SPDX-License-Identifier: MIT
// Random look-ups over 64 MiB, which is 16384 pages of 4 KiB: more than any TLB has entries. Mended: the
// kernel is asked for pages of 2 MiB, of which it takes 32.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kEntries = 1 << 23, kLookUps = 1 << 20, kHugePage = 2 << 20 };

static uint64_t* make_table(void) {
  uint64_t* table = aligned_alloc(kHugePage, kEntries * sizeof(*table));
  if (table == NULL) exit(1);
#ifdef MENDED
  madvise(table, kEntries * sizeof(*table), MADV_HUGEPAGE);
#endif
  for (uint32_t i = 0; i < kEntries; ++i) table[i] = i * UINT64_C(0x9e3779b97f4a7c15);
  return table;
}

__attribute__((noipa)) static uint64_t look_up(const uint64_t* table) {
  uint64_t state = 1, sum = 0;
  for (int i = 0; i < kLookUps; ++i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    sum += table[(state >> 33) % kEntries];
  }
  return sum;
}

int main(void) {
  printf("%lu\n", (unsigned long)look_up(make_table()));
  return 0;
}
