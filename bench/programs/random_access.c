// SPDX-License-Identifier: MIT
// Loads and stores at random addresses of 64 MiB: nearly every access misses every level.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWords = 64 << 20 >> 3, kAccesses = 20000000 };

int main(void) {
  uint64_t* table = malloc(sizeof(uint64_t) * kWords);
  if (table == NULL) return 1;
  for (uint64_t i = 0; i < kWords; ++i) table[i] = i;
  uint64_t random = 88172645463325252u;
  uint64_t sum = 0;
  for (int i = 0; i < kAccesses; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    sum += table[random % kWords]++;
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
