// SPDX-License-Identifier: MIT
// interchange [ROWS=1000]: adds up a matrix that lies in memory row by row: down its columns, so each element
// of a column is in another line and in another page, and both are gone when the next column comes. Mended:
// the loops are interchanged.
#include <stdio.h>
#include <stdlib.h>

enum { kMaxRows = 1000, kColumns = 1000, kPasses = 8 };

static _Alignas(4096) double matrix[kMaxRows][kColumns];

static void fill(int rows) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < kColumns; ++column) matrix[row][column] = row * 31 + column;
  }
}

__attribute__((noipa)) static double sum(int rows) {
  double total = 0;
#ifdef MENDED
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < kColumns; ++column) total += matrix[row][column];
  }
#else
  for (int column = 0; column < kColumns; ++column) {
    for (int row = 0; row < rows; ++row) total += matrix[row][column];
  }
#endif
  return total;
}

int main(int count, char** arguments) {
  int rows = count > 1 ? atoi(arguments[1]) : kMaxRows;
  if (rows < 1 || rows > kMaxRows) return 1;
  fill(rows);
  double total = 0;
  for (int pass = 0; pass < kPasses; ++pass) total = total * 3 + sum(rows);
  printf("%.0f\n", total);
  return 0;
}
