// SPDX-License-Identifier: MIT
// Two processes after a fork, each with a counter in a line of shared memory, and each with another line at
// one address that they do not share. They alternate a thousand times, so that they run at the same time.
// "pause": they wait only by pauses; "segment": the memory is a System V segment.
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kTurns = 1000, kSteps = 100 };

struct line {
  _Alignas(64) volatile uint64_t counters[2];
};

static struct line own;

static void* common_memory(int of_system_v) {
  if (!of_system_v) return mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int id = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
  void* attached = shmat(id, NULL, 0);
  shmctl(id, IPC_RMID, NULL);  // removed after the last detach
  return attached;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  struct line* shared = common_memory(strcmp(how, "segment") == 0);
  if (shared == MAP_FAILED) return 1;
  int pauses = strcmp(how, "pause") == 0;
  atomic_int* turn = (atomic_int*)((char*)shared + 4096);
  int me = fork() == 0 ? 1 : 0;
  for (int i = 0; i < kTurns; ++i) {
    while (atomic_load(turn) % 2 != me) pauses ? __builtin_ia32_pause() : (void)sched_yield();
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
