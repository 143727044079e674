// SPDX-License-Identifier: MIT
// straddling_struct [RECORDS=1000]: records without padding: 21 bytes each, so that many a field begins in
// one line and ends in the next, and is two accesses to the cache. Mended: the fields in order of size, each
// at a multiple of it, and the record 24 bytes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxRecords = 1000, kPasses = 1000 };

#ifdef MENDED
struct record {
  uint64_t from, to;
  uint32_t bytes;
  uint8_t kind;
};
#else
struct __attribute__((packed)) record {
  uint8_t kind;
  uint64_t from, to;
  uint32_t bytes;
};
#endif

static _Alignas(4096) struct record records[kMaxRecords];

static void fill(uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    records[i].from = i * 17;
    records[i].to = i * 29;
    records[i].bytes = i % 1500;
    records[i].kind = (uint8_t)(i % 5);
  }
}

__attribute__((noipa)) static uint64_t distance(uint32_t size) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < size; ++i)
    sum += (records[i].to - records[i].from) * records[i].bytes + records[i].kind;
  return sum;
}

int main(int count, char** arguments) {
  uint32_t size = count > 1 ? (uint32_t)atoi(arguments[1]) : kMaxRecords;
  if (size == 0 || size > kMaxRecords) return 1;
  fill(size);
  uint64_t sum = 0;
  for (int pass = 0; pass < kPasses; ++pass) sum = sum * 3 + distance(size);
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
