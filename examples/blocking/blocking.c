// SPDX-License-Identifier: MIT
// Answers 32 questions of the kind "how many are equal to that?" from a table of 4 MiB: each question reads
// the table from the beginning to the end, and what it leaves in the cache is the end. Mended: all questions
// are asked of one block, which fits L1, before the next block is read.
#include <stdint.h>
#include <stdio.h>

enum { kValues = 1 << 20, kQuestions = 32 };
#ifdef MENDED
enum { kBlock = 4096 };
#else
enum { kBlock = kValues };
#endif

static _Alignas(4096) uint32_t values[kValues];

static void fill(void) {
  uint32_t state = 1;
  for (int i = 0; i < kValues; ++i) {
    state = state * 1664525 + 1013904223;
    values[i] = state >> 26;
  }
}

__attribute__((noipa)) static uint32_t count_equal(const uint32_t* from, uint32_t value) {
  uint32_t count = 0;
  for (int i = 0; i < kBlock; ++i) count += from[i] == value;
  return count;
}

int main(void) {
  uint32_t answers[kQuestions] = {0};
  fill();
  for (int begin = 0; begin < kValues; begin += kBlock) {
    for (uint32_t question = 0; question < kQuestions; ++question) {
      answers[question] += count_equal(values + begin, question);
    }
  }
  uint64_t sum = 0;
  for (int i = 0; i < kQuestions; ++i) sum = sum * 3 + answers[i];
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
