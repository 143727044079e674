// SPDX-License-Identifier: MIT
// Two threads that increment counters: in one line, or in a line each.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"

struct task {
  volatile uint64_t* counter;
  uint64_t increments;
  pthread_barrier_t* start;
  int cpu;
};

static _Alignas(kPageBytes) volatile uint64_t counters[kPageBytes / 8];

static NOT_INLINED void* increment(void* argument) {
  struct task* task = argument;
  volatile uint64_t* counter = task->counter;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(task->cpu, &cpus);
  pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
  pthread_barrier_wait(task->start);
  for (uint64_t i = 0; i < task->increments; ++i) ++*counter;
  return NULL;
}

// Returns the number of the allowed CPU with this index; the first allowed CPU if there are fewer.
static int allowed_cpu(int index) {
  cpu_set_t cpus;
  int first = -1;
  if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0) return 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &cpus)) continue;
    if (first < 0) first = cpu;
    if (index-- == 0) return cpu;
  }
  return first;
}

// Increments two counters `distance` words apart, on two CPUs at the same time.
static uint64_t increment_two(size_t distance, uint64_t accesses) {
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, 2);
  struct task tasks[2] = {{counters, accesses / 2, &start, allowed_cpu(0)},
                          {counters + distance, accesses / 2, &start, allowed_cpu(1)}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    if (pthread_create(threads + i, NULL, increment, tasks + i) != 0) {
      fputs("kernels: cannot start a thread\n", stderr);
      exit(1);
    }
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
  return counters[0] + counters[distance];
}

uint64_t increment_shared_line(struct workspace* work, uint64_t accesses) {
  (void)work;
  return increment_two(1, accesses);
}

uint64_t increment_own_line(struct workspace* work, uint64_t accesses) {
  (void)work;
  return increment_two(2 * kLineBytes / sizeof(uint64_t), accesses);
}
