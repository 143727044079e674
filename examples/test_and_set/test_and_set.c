// SPDX-License-Identifier: MIT
// test_and_set [TURNS=5000]: a spin lock whose waiters exchange until they get it. Each exchange is a write:
// it takes the line from the other waiters and from the owner, who reads there what it needs. Mended: waiters
// only read, from their own caches, until the lock looks free, and exchange then.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 2, kWork = 1000 };

static _Alignas(128) struct {
  atomic_int taken;
  uint64_t weights[4];  // with the lock in one line, as in most objects that have one
} shared = {.weights = {3, 1, 4, 1}};
static _Alignas(128) uint64_t total;  // guarded
static pthread_barrier_t start;
static int turns = 5000;

__attribute__((noipa)) static void lock(void) {
#ifdef MENDED
  while (atomic_exchange_explicit(&shared.taken, 1, memory_order_acquire) != 0) {
    while (atomic_load_explicit(&shared.taken, memory_order_relaxed) != 0) __builtin_ia32_pause();
  }
#else
  while (atomic_exchange_explicit(&shared.taken, 1, memory_order_acquire) != 0) {
  }
#endif
}

static void unlock(void) { atomic_store_explicit(&shared.taken, 0, memory_order_release); }

static void* work(void* argument) {
  const volatile uint64_t* weights = shared.weights;
  pthread_barrier_wait(&start);
  for (int turn = 0; turn < turns; ++turn) {
    lock();
    uint64_t sum = 0;
    for (int i = 0; i < kWork; ++i) sum += weights[i % 4] * (uint64_t)i;
    total += sum;
    unlock();
  }
  return argument;
}

int main(int count, char** arguments) {
  if (count > 1) turns = atoi(arguments[1]);
  pthread_t threads[kThreads];
  pthread_barrier_init(&start, NULL, kThreads);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("%lu\n", (unsigned long)total);
  return 0;
}
