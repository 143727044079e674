// SPDX-License-Identifier: MIT
// A spin lock whose waiters exchange until they get it. Each exchange is a write: it takes the line from the
// other waiters and from the owner, who needs it to let the lock go. Mended: waiters only read, from their
// own caches, until the lock looks free, and exchange then.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { kThreads = 2, kTurns = 10000, kWork = 200 };

static _Alignas(128) struct {
  atomic_int taken;
  uint64_t guarded[4];  // with the lock in one line, as in most objects that have one
} shared;
static pthread_barrier_t start;

static void lock(void) {
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
  volatile uint64_t* guarded = shared.guarded;
  pthread_barrier_wait(&start);
  for (int turn = 0; turn < kTurns; ++turn) {
    lock();
    for (int i = 0; i < kWork; ++i) guarded[i % 4] += (uint64_t)i;
    unlock();
  }
  return argument;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&start, NULL, kThreads);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  uint64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum = sum * 3 + shared.guarded[i];
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
