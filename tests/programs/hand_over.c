// SPDX-License-Identifier: MIT
// Two threads alternate, argv[1] times altogether. Each adds to a number, and then passes the turn to the
// other thread by a word in another line. Each turn therefore has two loads of data that the other thread has
// written: the awaited word and the number. argv[2] is the offset of the second thread's number in the first
// one's line. 0 is the same number, which causes true sharing misses; 8 is another number, which causes false
// sharing misses.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(128) atomic_ulong turn;
static _Alignas(128) volatile uint64_t numbers[8];
static uint64_t turns;
static uint64_t* number_of[2];

// A thread that waits for long yields its processor, because the other thread may have none.
static void wait_for(uint64_t mine) {
  for (unsigned looks = 1; atomic_load_explicit(&turn, memory_order_acquire) != mine; ++looks) {
    if (looks % 200 == 0) sched_yield();
  }
}

static void* work(void* argument) {
  uint64_t first = (uint64_t)argument;
  volatile uint64_t* number = number_of[first];
  for (uint64_t mine = first; mine < turns; mine += 2) {
    wait_for(mine);
    *number = *number + 1;
    atomic_store_explicit(&turn, mine + 1, memory_order_release);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  turns = strtoull(argv[1], NULL, 10);
  number_of[0] = (uint64_t*)numbers;
  number_of[1] = (uint64_t*)numbers + strtoull(argv[2], NULL, 10) / sizeof(uint64_t);
  pthread_t threads[2];
  for (uint64_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%lu\n", (unsigned long)(*number_of[0] + (number_of[0] == number_of[1] ? 0 : *number_of[1])));
  return 0;
}
