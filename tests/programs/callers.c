// SPDX-License-Identifier: MIT
// Functions with known callers, compiled without frame pointers: `callers SECONDS` of processor time, so that
// a busy host does not matter. The call chain has each kind of frame that call frame information describes:
// plain ones, one with a size known only at run time, a C library's function in between, recursion, and a
// signal's handler.
#include <alloca.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOT_INLINED __attribute__((noinline, noclone))

static volatile uint64_t total;

NOT_INLINED void spin(uint64_t steps) {
  uint64_t x = steps | 1;
  for (uint64_t i = 0; i < steps; ++i) x = x * 6364136223846793005u + i;
  total += x;
}

NOT_INLINED uint64_t plain_inner(uint64_t steps) {
  spin(steps);
  return total + steps;
}

NOT_INLINED uint64_t plain_outer(uint64_t steps) {
  uint64_t table[40];
  for (unsigned i = 0; i < 40; ++i) table[i] = total + i;
  return plain_inner(steps) + table[steps % 40];
}

NOT_INLINED uint64_t sized_at_run_time(uint64_t steps) {
  volatile char* bytes = alloca(64 + steps % 512);
  bytes[0] = 1;
  spin(steps);
  return (uint64_t)bytes[0] + total;
}

NOT_INLINED uint64_t recursive(unsigned depth, uint64_t steps) {
  if (depth == 0) {
    spin(steps);
    return total;
  }
  return recursive(depth - 1, steps) + depth;
}

static int compare(const void* left, const void* right) {
  spin(50);
  return (*(const int*)left > *(const int*)right) - (*(const int*)left < *(const int*)right);
}

NOT_INLINED uint64_t sorting(void) {
  int numbers[64];
  for (unsigned i = 0; i < 64; ++i) numbers[i] = (int)(i * 2654435761u >> 8);
  qsort(numbers, 64, sizeof numbers[0], compare);
  return (uint64_t)numbers[0] + total;
}

static void on_signal(int number) {
  (void)number;
  spin(20000);
}

NOT_INLINED uint64_t signalled(void) {
  raise(SIGUSR1);
  return total + 1;
}

static double now_s(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 0.5;
  signal(SIGUSR1, on_signal);
  uint64_t sum = 0;
  for (double end = now_s() + seconds; now_s() < end;) {
    sum += plain_outer(20000) + sized_at_run_time(20000) + recursive(20, 20000) + sorting() + signalled();
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
