// SPDX-License-Identifier: MIT
// Prints where the kernel and the C library put the program's memory. Without randomization (setarch -R), a
// run in an unchanged environment prints the same each time.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void print(const char* name, const void* address) { printf("%s %p\n", name, address); }

static void* map(size_t bytes, int protection) {
  return mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void* in_thread(void* name) {
  int local = 0;
  print(name, &local);
  print("block of a thread", malloc(100));
  return NULL;
}

static void start_thread(char* name) {
  pthread_t thread;
  pthread_create(&thread, NULL, in_thread, name);
  pthread_join(thread, NULL);
}

// Uses enough memory, and runs long enough, that the engine needs more of its own.
static void work(char* memory, size_t bytes) {
  for (int round = 0; round < 20; ++round)
    for (size_t i = 0; i < bytes; i += 64) ++memory[i];
}

int main(void) {
  enum { kPage = 4096, kMiB = 1 << 20 };
  int local = 0;
  print("function", (void*)main);
  print("function of the C library", (void*)getpid);
  print("stack", &local);
  print("small block", malloc(100));
  print("large block", malloc(10 * kMiB));
  char* first = map(4 * kMiB, PROT_READ | PROT_WRITE);
  print("mapping", first);
  work(first, 4 * kMiB);
  start_thread("first thread");
  print("page", map(kPage, PROT_READ | PROT_WRITE));
  print("code", map(16 * kMiB, PROT_READ | PROT_WRITE | PROT_EXEC));
  munmap(first, 4 * kMiB);
  print("mapping in its place", map(3 * kMiB, PROT_READ | PROT_WRITE));
  print("reserved", map((size_t)1 << 30, PROT_NONE));
  start_thread("second thread");
  print("heap's end", sbrk(64 * kPage));
  fflush(stdout);
  if (fork() == 0) {
    print("mapping of a child", map(kMiB, PROT_READ));
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
  print("last", map(kMiB, PROT_READ));
  return 0;
}
