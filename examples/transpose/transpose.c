// SPDX-License-Identifier: MIT
// transpose [ROWS=1024]: transposes a square matrix. A line holds eight elements of a row, but the walk is
// down a column; and as rows are a power of two of bytes long, a column's lines share few sets, so that
// blocks alone do not keep them. Mended: each row is one line longer, and blocks are as wide as a line.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPasses = 2, kPageBytes = 4096 };
#ifdef MENDED
enum { kPadding = 8, kBlock = 8 };
#endif

struct matrix {
  size_t rows, row_length;
  double* elements;
};

__attribute__((noipa)) static struct matrix make_matrix(size_t rows) {
#ifdef MENDED
  size_t row_length = rows + kPadding;
#else
  size_t row_length = rows;
#endif
  size_t bytes = (rows * row_length * sizeof(double) + kPageBytes - 1) / kPageBytes * kPageBytes;
  struct matrix made = {rows, row_length, aligned_alloc(kPageBytes, bytes)};
  if (made.elements == NULL) abort();
  for (size_t i = 0; i < rows * row_length; ++i) made.elements[i] = (double)(i % 1009);
  return made;
}

__attribute__((noipa)) static void transpose(struct matrix from, struct matrix to) {
#ifdef MENDED
  for (size_t block_row = 0; block_row < to.rows; block_row += kBlock) {
    for (size_t block_column = 0; block_column < to.rows; block_column += kBlock) {
      for (size_t row = block_row; row < block_row + kBlock; ++row) {
        for (size_t column = block_column; column < block_column + kBlock; ++column)
          to.elements[row * to.row_length + column] = from.elements[column * from.row_length + row];
      }
    }
  }
#else
  for (size_t row = 0; row < to.rows; ++row) {
    for (size_t column = 0; column < to.rows; ++column)
      to.elements[row * to.row_length + column] = from.elements[column * from.row_length + row];
  }
#endif
}

int main(int count, char** arguments) {
  size_t rows = count > 1 ? strtoul(arguments[1], NULL, 10) / 8 * 8 : 1024;
  struct matrix from = make_matrix(rows), to = make_matrix(rows);
  for (int pass = 0; pass < kPasses; ++pass) transpose(from, to);
  printf("%.0f\n", to.elements[3 * to.row_length + 5]);
  free(from.elements);
  free(to.elements);
  return 0;
}
