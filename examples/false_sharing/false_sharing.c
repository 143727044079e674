// SPDX-License-Identifier: MIT
// false_sharing [STEPS=5000000]: two threads count what they have done, each in a counter of its own. The
// counters are neighbours in one line, which therefore wanders from core to core and back though no data is
// shared. Mended: each has a line (two: some processors fetch them in pairs) to itself.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 2 };

struct counter {
#ifdef MENDED
  _Alignas(128)
#endif
      atomic_uint_fast64_t done;
};

static _Alignas(128) struct counter counters[kThreads];
static pthread_barrier_t start;
static int steps = 5000000;

static void* work(void* argument) {
  struct counter* mine = argument;
  pthread_barrier_wait(&start);
  for (int i = 0; i < steps; ++i) atomic_fetch_add_explicit(&mine->done, i & 3, memory_order_relaxed);
  return NULL;
}

int main(int count, char** arguments) {
  if (count > 1) steps = atoi(arguments[1]);
  pthread_t threads[kThreads];
  uint64_t sum = 0;
  pthread_barrier_init(&start, NULL, kThreads);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, &counters[i]);
  for (int i = 0; i < kThreads; ++i) {
    pthread_join(threads[i], NULL);
    sum += counters[i].done;
  }
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
