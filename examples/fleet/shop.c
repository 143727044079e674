/* SPDX-License-Identifier: MIT
   A service whose second release has a mistake: it adds up its table by columns. Runs until it is ended. */
#include <stdio.h>

enum { kRows = 2048, kColumns = 1024 };
static double table[kRows][kColumns];

double add_up_prices(void) {
  double sum = 0;
#if RELEASE == 1
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) sum += table[row][column];
#else
  for (int column = 0; column < kColumns; ++column)
    for (int row = 0; row < kRows; ++row) sum += table[row][column];
#endif
  return sum;
}

/* The same in both. */
void change_prices(void) {
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) table[row][column] += row ^ column;
}

int main(void) {
  for (;;) {
    change_prices();
    if (add_up_prices() < 0) puts("");
  }
}
