// SPDX-License-Identifier: MIT
// blocking [VALUES=1048576]: answers 32 questions of the kind "how many are equal to that?" from a table:
// each question reads the table from the beginning to the end, and what it leaves in the cache is the end.
// Mended: all questions are asked of one block, which fits L1, before the next block is read.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxValues = 1 << 20, kQuestions = 32, kBlock = 4096 };

static _Alignas(4096) uint32_t values[kMaxValues];

static void fill(int size) {
  uint32_t state = 1;
  for (int i = 0; i < size; ++i) {
    state = state * 1664525 + 1013904223;
    values[i] = state >> 26;
  }
}

__attribute__((noipa)) static uint32_t count_equal(const uint32_t* from, int size, uint32_t value) {
  uint32_t count = 0;
  for (int i = 0; i < size; ++i) count += from[i] == value;
  return count;
}

int main(int count, char** arguments) {
  int size = count > 1 ? atoi(arguments[1]) / kBlock * kBlock : kMaxValues;
  if (size < kBlock || size > kMaxValues) return 1;
#ifdef MENDED
  int block = kBlock;
#else
  int block = size;
#endif
  uint32_t answers[kQuestions] = {0};
  fill(size);
  for (int begin = 0; begin < size; begin += block) {
    for (uint32_t question = 0; question < kQuestions; ++question) {
      answers[question] += count_equal(values + begin, block, question);
    }
  }
  uint64_t sum = 0;
  for (int i = 0; i < kQuestions; ++i) sum = sum * 3 + answers[i];
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
