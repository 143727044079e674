// SPDX-License-Identifier: MIT
// transform ROW: GSL's Fourier transform of a picture of 256 by 256, with rows ROW complex numbers apart.
#include <gsl/gsl_fft_complex.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSide = 256 };

int main(int count, char** arguments) {
  size_t row = count > 1 ? strtoul(arguments[1], NULL, 10) : kSide;
  double* picture = row < kSide ? NULL : calloc(kSide * row, 2 * sizeof(*picture));
  if (picture == NULL) return 1;
  for (size_t y = 0; y < kSide; ++y) {
    for (size_t x = 0; x < kSide; ++x) picture[2 * (y * row + x)] = (double)((x * 7919 + y * 104729) % 1009);
  }
  for (size_t y = 0; y < kSide; ++y) gsl_fft_complex_radix2_forward(picture + 2 * y * row, 1, kSide);
  for (size_t x = 0; x < kSide; ++x) gsl_fft_complex_radix2_forward(picture + 2 * x, row, kSide);
  double sum = 0;
  for (size_t y = 0; y < kSide; ++y) {
    for (size_t x = 0; x < kSide; ++x) sum += picture[2 * (y * row + x)] * (double)(x + y);
  }
  printf("%.6f\n", sum);
  free(picture);
  return 0;
}
