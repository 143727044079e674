// SPDX-License-Identifier: MIT
// Test data for the tests of stripped files: a library with few exported functions.
#include <stdlib.h>

static __attribute__((noinline, noclone)) long hidden_sum(const long* values, long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += values[i] * (i % 3 + 1);
  return sum;
}

static __attribute__((noinline, noclone)) long hidden_product(const long* values, long count) {
  long product = 1;
  for (long i = 0; i < count; ++i) product *= values[i] | 1;
  return product;
}

__attribute__((noinline)) long exported_both(const long* values, long count) {
  long* copy = calloc((size_t)count, sizeof *copy);
  if (copy == NULL) return 0;
  for (long i = 0; i < count; ++i) copy[i] = values[i];
  long both = hidden_sum(copy, count) - hidden_product(copy, count);
  free(copy);
  return both;
}
