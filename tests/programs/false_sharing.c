// SPDX-License-Identifier: MIT
// false_sharing BYTES WRITES [THREADS]: threads that write to words of their own, BYTES bytes apart, WRITES
// times.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxThreads = 16 };

static _Alignas(4096) char g_memory[kMaxThreads * 4096];
static long g_writes;

static void* write_often(void* place) {
  volatile long* word = place;
  for (long i = 0; i < g_writes; ++i) ++*word;
  return NULL;
}

int main(int count, char** arguments) {
  if (count < 3) return 2;
  size_t bytes = strtoul(arguments[1], NULL, 10);
  int threads = count > 3 ? atoi(arguments[3]) : 2;
  if (bytes < sizeof(long) || bytes > 4096 || threads < 1 || threads > kMaxThreads) return 2;
  g_writes = atol(arguments[2]);
  pthread_t all[kMaxThreads];
  for (int i = 0; i < threads; ++i) {
    if (pthread_create(&all[i], NULL, write_often, g_memory + (size_t)i * bytes) != 0) return 1;
  }
  long sum = 0;
  for (int i = 0; i < threads; ++i) {
    pthread_join(all[i], NULL);
    sum += *(long*)(g_memory + (size_t)i * bytes);
  }
  return sum == threads * g_writes ? 0 : 1;
}
