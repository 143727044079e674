// SPDX-License-Identifier: MIT
// Fills a table and adds it up, row by row as it lies in memory. With REGRESSION it is added up column by
// column: the same sum, and a cache line for each number.
#include <stdio.h>

enum { kRows = 512, kColumns = 512 };

static int table[kRows][kColumns];

__attribute__((noinline)) static void fill_table(void) {
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) table[row][column] = row ^ column;
  }
}

__attribute__((noinline)) static long add_up(void) {
  long sum = 0;
#ifdef REGRESSION
  for (int column = 0; column < kColumns; ++column) {
    for (int row = 0; row < kRows; ++row) sum += table[row][column];
  }
#else
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) sum += table[row][column];
  }
#endif
  return sum;
}

int main(void) {
  long sum = 0;
  fill_table();
  for (int round = 0; round < 5; ++round) sum += add_up();
  printf("%ld\n", sum);
  return 0;
}
