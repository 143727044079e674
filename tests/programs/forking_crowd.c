// SPDX-License-Identifier: MIT
// Threads that always run new code and change memory, while the process forks: forking_crowd FORKS. Each
// child runs code of its own, starts a thread, and forks once more. Prints the number of successful children.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 12, kPages = 500, kPageBytes = 4096 };  // each thread has separate pages

static char* code;
static _Atomic int over;

static char* page_at(int thread, int page) { return code + ((size_t)thread * kPages + page) * kPageBytes; }

// mov $value, %eax; ret
static void write_code(int thread, int page) {
  char* at = page_at(thread, page);
  uint32_t value = (uint32_t)page;
  at[0] = (char)0xb8;
  memcpy(at + 1, &value, sizeof(value));
  at[5] = (char)0xc3;
}

static void protect(int thread, int protection) {
  if (mprotect(page_at(thread, 0), (size_t)kPages * kPageBytes, protection) != 0) exit(3);
}

static int run_code(int thread, int page) { return ((int (*)(void))page_at(thread, page))(); }

static void* run_all(void* argument) {
  int thread = (int)(intptr_t)argument;
  while (!over) {
    for (int page = 0; page < kPages && !over; ++page) {
      if (run_code(thread, page) != page) exit(4);
      if (page % 64 == 0) free(malloc((size_t)page << 8));
    }
    protect(thread, PROT_READ | PROT_WRITE);  // makes all code new
    protect(thread, PROT_READ | PROT_EXEC);
  }
  return NULL;
}

static void* run_some(void* argument) {
  for (int page = 0; page < 50; ++page) {
    if (run_code(kThreads, page) != page) _exit(5);
  }
  return argument;
}

static int succeeded(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void be_child(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_some, NULL) != 0) _exit(6);
  run_some(NULL);
  pthread_join(thread, NULL);
  pid_t grandchild = fork();
  if (grandchild == 0) _exit(run_code(kThreads, 0));
  _exit(succeeded(grandchild) ? 0 : 7);
}

int main(int count, char** arguments) {
  int forks = count > 1 ? atoi(arguments[1]) : 20, good = 0;
  size_t bytes = (size_t)(kThreads + 1) * kPages * kPageBytes;
  code = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 3;
  for (int thread = 0; thread <= kThreads; ++thread) {
    for (int page = 0; page < kPages; ++page) write_code(thread, page);
    protect(thread, PROT_READ | PROT_EXEC);
  }
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    if (pthread_create(&threads[i], NULL, run_all, (void*)(intptr_t)i) != 0) return 3;
  }
  for (int i = 0; i < forks; ++i) {
    pid_t child = fork();
    if (child == 0) be_child();
    good += succeeded(child);
  }
  over = 1;
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("%d children\n", good);
  return 0;
}
