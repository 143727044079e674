// SPDX-License-Identifier: MIT
// sparse TEBIBYTES LINES ROUNDS: maps this much memory, as sanitizers do for their shadow memory, and reads
// lines at equal distances in all of it, ROUNDS times. Prints how many of them are not zero: none.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kLineBytes = 64 };

int main(int words, char** word) {
  if (words != 4) return 2;
  uint64_t bytes = strtoull(word[1], NULL, 10) << 40, lines = strtoull(word[2], NULL, 10);
  const char* memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 1;
  uint64_t step = (bytes / lines / kLineBytes - 1) | 1;  // odd: uses all sets of a cache equally
  unsigned found = 0;
  for (unsigned long round = strtoul(word[3], NULL, 10); round != 0; --round)
    for (uint64_t line = 0; line < lines; ++line)
      found += *(const volatile char*)(memory + line * step * kLineBytes) != 0;
  printf("%u\n", found);
  return 0;
}
