// SPDX-License-Identifier: MIT
// padded_matrix [ROWS=64]: brings each column of a matrix to mean 0, twice down its rows. 512 doubles are
// 4096 bytes, so all elements of a column fall into one set of an L1 cache with 64 sets, and push each other
// out of it before the next column, which lies in the same lines, is reached. Mended: each row is one line
// longer, so neighbouring rows use neighbouring sets.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxRows = 64, kColumns = 512, kPasses = 20 };
#ifdef MENDED
enum { kPadding = 8 };
#else
enum { kPadding = 0 };
#endif

static _Alignas(4096) double matrix[kMaxRows][kColumns + kPadding];

static void fill(int rows) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < kColumns; ++column) matrix[row][column] = (row * 37 + column * 11) % 101;
  }
}

__attribute__((noipa)) static double centre_columns(int rows) {
  double moved = 0;
  for (int column = 0; column < kColumns; ++column) {
    double sum = 0;
    for (int row = 0; row < rows; ++row) sum += matrix[row][column];
    double mean = sum / rows;
    for (int row = 0; row < rows; ++row) matrix[row][column] -= mean - 1;
    moved += mean;
  }
  return moved;
}

int main(int count, char** arguments) {
  int rows = count > 1 ? atoi(arguments[1]) : kMaxRows;
  if (rows < 1 || rows > kMaxRows) return 1;
  fill(rows);
  double moved = 0;
  for (int pass = 0; pass < kPasses; ++pass) moved += centre_columns(rows);
  printf("%.6f\n", moved);
  return 0;
}
