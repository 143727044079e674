// SPDX-License-Identifier: MIT
// Misses the cache in one object at a time, mostly in one field: objects
// global|stack|caller|pointer|thread|reuse, or objects file PATH.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { kOrders = 8192, kRounds = 4, kLongs = 65536, kFileBytes = 1 << 20 };

struct line {
  long id;
  double price;
  char note[48];
};

struct order {
  int state;
  struct line lines[3];
  struct order* next;
};

struct order orders[kOrders];
static long sum;

__attribute__((noinline)) static void sum_prices(void) {
  double prices = 0;
  for (int i = 0; i < kOrders; ++i) prices += orders[i].lines[1].price;
  sum += (long)prices;
}

__attribute__((noinline)) static void walk(const struct order* order) {
  for (; order != NULL; order = order->next) ++sum;
}

__attribute__((noinline)) static void read_longs(const long* longs) {
  for (int i = 0; i < kLongs; i += 8) sum += longs[i];
}

__attribute__((noinline)) static void use_stack(int callee_reads) {
  long buffer[kLongs];
  for (int i = 0; i < kLongs; i += 8) buffer[i] = i;
  __asm__ volatile("" ::"r"(buffer) : "memory");
  for (int round = 0; round < 4 * kRounds; ++round) {
    if (callee_reads) {
      read_longs(buffer);
      continue;
    }
    for (int i = 0; i < kLongs; i += 8) sum += buffer[i];
    __asm__ volatile("" ::"r"(buffer) : "memory");
  }
}

static void* work(void* argument) {
  prctl(PR_SET_NAME, "worker");
  use_stack(0);
  return argument;
}

static void fail(const char* what) {
  perror(what);
  exit(3);
}

static struct order* allocate(void) {
  struct order* all = NULL;
  for (int i = 0; i < kOrders; ++i) {
    struct order* order = calloc(1, sizeof(*order));
    if (order == NULL) fail("calloc");
    order->next = all;
    all = order;
  }
  return all;
}

__attribute__((noinline)) static void read_bytes(const char* bytes) {
  for (int i = 0; i < kFileBytes; i += 64) sum += bytes[i];
}

static char* map_file(const char* path) {
  int fd = open(path, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, kFileBytes) != 0) fail(path);
  char* mapped = mmap(NULL, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) fail("mmap");
  close(fd);
  return mapped;
}

// Memory at the former address of a file.
static char* reuse(const char* path) {
  char* mapped = map_file(path);
  sum += mapped[0];
  munmap(mapped, kFileBytes);
  mapped = mmap(mapped, kFileBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (mapped == MAP_FAILED) fail("mmap");
  return mapped;
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  pthread_t thread;
  if (strcmp(what, "global") == 0) {
    for (int i = 0; i < kRounds; ++i) sum_prices();
  } else if (strcmp(what, "stack") == 0) {
    use_stack(0);
  } else if (strcmp(what, "caller") == 0) {
    use_stack(1);
  } else if (strcmp(what, "pointer") == 0) {
    struct order* all = allocate();
    for (int i = 0; i < 4 * kRounds; ++i) walk(all);
  } else if (strcmp(what, "thread") == 0) {
    if (pthread_create(&thread, NULL, work, NULL) != 0) fail("pthread_create");
    pthread_join(thread, NULL);
  } else if (strcmp(what, "file") == 0 && count > 2) {
    char* bytes = map_file(words[2]);
    for (int i = 0; i < kRounds; ++i) read_bytes(bytes);
  } else if (strcmp(what, "reuse") == 0 && count > 2) {
    char* bytes = reuse(words[2]);
    for (int i = 0; i < kRounds; ++i) read_bytes(bytes);
  } else {
    return 2;
  }
  __asm__ volatile("" ::"r"(sum) : "memory");
  return 0;
}
