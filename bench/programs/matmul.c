// SPDX-License-Identifier: MIT
// The textbook product of two square matrices (argument: rows), walking the second by columns.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500;
  double* a = malloc(sizeof(double) * n * n);
  double* b = malloc(sizeof(double) * n * n);
  if (n < 1 || a == NULL || b == NULL) return 1;
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 97;
    b[i] = i % 89;
  }
  double trace = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      trace += i == j ? sum : 0;
    }
  }
  printf("%g\n", trace);
  return 0;
}
