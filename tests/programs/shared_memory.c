// SPDX-License-Identifier: MIT
// Two processes that were one, each with a counter in a line of memory that they share; and one each in a
// line at one address that they do not share. They take turns a thousand times, so that they are there at the
// same time.
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kTurns = 1000, kSteps = 100 };

struct line {
  _Alignas(64) volatile uint64_t counters[2];
};

static struct line own;

int main(void) {
  struct line* shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  atomic_int* turn = (atomic_int*)((char*)shared + 4096);
  int me = fork() == 0 ? 1 : 0;
  for (int i = 0; i < kTurns; ++i) {
    while (atomic_load(turn) % 2 != me) sched_yield();
    for (int step = 0; step < kSteps; ++step) {
      ++shared->counters[me];
      ++own.counters[0];
    }
    atomic_fetch_add(turn, 1);
  }
  if (me == 1) return 0;
  int status = 1;
  wait(&status);
  printf("%lu %lu\n", (unsigned long)shared->counters[1], (unsigned long)own.counters[0]);
  return status;
}
