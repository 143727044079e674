// SPDX-License-Identifier: MIT
// Adds up a matrix that lies in memory row by row: down its columns, so each element of a column is in
// another line and in another page, and both are gone when the next column comes. Mended: the loops are
// interchanged.
#include <stdio.h>

enum { kRows = 1000, kColumns = 1000, kPasses = 8 };

static _Alignas(4096) double matrix[kRows][kColumns];

static void fill(void) {
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) matrix[row][column] = row * 31 + column;
  }
}

__attribute__((noipa)) static double sum(void) {
  double total = 0;
#ifdef MENDED
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) total += matrix[row][column];
  }
#else
  for (int column = 0; column < kColumns; ++column) {
    for (int row = 0; row < kRows; ++row) total += matrix[row][column];
  }
#endif
  return total;
}

int main(void) {
  fill();
  double total = 0;
  for (int pass = 0; pass < kPasses; ++pass) total = total * 3 + sum();
  printf("%.0f\n", total);
  return 0;
}
