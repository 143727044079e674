// SPDX-License-Identifier: MIT
// Executes an instruction that the Valgrind engine cannot run.
#include <immintrin.h>

#include <cstdio>

// Unmangled, so that a test can name it.
extern "C" __attribute__((noinline)) void add_wide(float* sum, const float* values) {
  _mm512_storeu_ps(sum, _mm512_add_ps(_mm512_loadu_ps(sum), _mm512_loadu_ps(values)));
}

int main() {
  float sum[16] = {1};
  const float values[16] = {2};
  add_wide(sum, values);
  std::printf("%g\n", static_cast<double>(sum[0]));
}
