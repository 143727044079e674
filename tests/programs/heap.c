// SPDX-License-Identifier: MIT
// Walks blocks, and before each walk prints a line: the function that allocated the block, its size and its
// start. "none" if the data is in no block.
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noclone))

static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;

OWN void walk(const volatile char* block, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64) (void)block[i];
  (void)block[bytes - 1];
}

OWN static void tell_and_walk(const char* by, size_t bytes, char* block, size_t from, size_t count) {
  char line[100];
  int length = snprintf(line, sizeof(line), "%s %zu %p\n", by, bytes, (void*)block);
  pthread_mutex_lock(&telling);
  if (write(1, line, length) != length) abort();
  pthread_mutex_unlock(&telling);
  walk(block + from, count);
}

static void show(const char* by, size_t bytes, char* block) { tell_and_walk(by, bytes, block, 0, bytes); }

OWN static char* by_asking(size_t bytes) {
  char* block = malloc(bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* by_another(size_t bytes) {
  char* block = malloc(bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* by_clearing(size_t count, size_t bytes) {
  char* block = calloc(count, bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* by_moving(char* block, size_t bytes) {
  block = realloc(block, bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* by_moving_array(char* block, size_t count, size_t bytes) {
  block = reallocarray(block, count, bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* by_posix(size_t alignment, size_t bytes) {
  void* block = NULL;
  if (posix_memalign(&block, alignment, bytes) != 0) abort();
  return block;
}
OWN static char* by_aligning(size_t alignment, size_t bytes) {
  char* block = aligned_alloc(alignment, bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* by_boundary(size_t alignment, size_t bytes) {
  char* block = memalign(alignment, bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* by_page(size_t bytes) {
  char* block = valloc(bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}

// Wrappers, called by two functions from the same depth of the stack.
OWN static char* own_malloc(size_t bytes) {
  char* block = malloc(bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* own_zalloc(size_t bytes) {
  char* block = own_malloc(bytes);
  return memset(block, 0, bytes);
}
OWN static char* one_asker(size_t bytes) {
  char* block = own_zalloc(bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* other_asker(size_t bytes) {
  char* block = own_zalloc(bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}

// A bump allocator, in a block from malloc.
static char* pool;
static size_t pool_used;
OWN static void make_pool(void) {
  pool = malloc(1 << 20);
  asm volatile("" : : "r"(pool) : "memory");
  pool_used = 0;
}
OWN void* pool_take(void* tag, size_t bytes) {
  if (pool == NULL) make_pool();
  void* taken = pool + pool_used;
  pool_used += bytes;
  asm volatile("" : : "r"(tag) : "memory");
  return taken;
}
OWN static char* by_pool(size_t bytes) {
  char* block = pool_take(&pool, bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}

// Leaves by longjmp, or after a signal's handler.
static jmp_buf behind;
static int leaves;
OWN void* leaving(size_t bytes) {
  if (leaves) longjmp(behind, 1);
  raise(SIGUSR1);
  char* block = malloc(bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}
OWN static char* by_leaving(size_t bytes) {
  char* block = leaving(bytes);
  asm volatile("" : : "r"(block) : "memory");
  return block;
}

static void plain(void) {
  char* before = by_another(3000);
  char* block = by_asking(30001);
  char* behind_it = by_another(7000);
  show("by_asking", 30001, block);
  free(before);
  free(behind_it);
  tell_and_walk("by_asking", 30001, block, 20000, 10001);
  char* large = by_asking(50 << 20);
  tell_and_walk("by_asking", 50 << 20, large, (50 << 20) - 10000, 10000);
  show("by_clearing", 1000 * 77, by_clearing(1000, 77));
}

static void moves(void) {
  char* block = by_asking(1000);
  by_another(1000);  // prevents growing in place
  block = by_moving(block, 40000);
  show("by_moving", 40000, block);
  block = by_moving(block, 20000);
  show("by_moving", 20000, block);
  if (by_moving(block, SIZE_MAX / 4) != NULL) abort();  // the block is unchanged
  show("by_moving", 20000, block);
  show("by_moving_array", 400 * 75, by_moving_array(NULL, 400, 75));
}

static void wrapped(void) {
  show("one_asker", 30000, one_asker(30000));
  show("other_asker", 20000, other_asker(20000));
}

static void aligned(void) {
  show("by_posix", 20001, by_posix(1024, 20001));
  show("by_aligning", 40960, by_aligning(4096, 40960));
  show("by_boundary", 30000, by_boundary(64, 30000));
  show("by_page", 25000, by_page(25000));
}

static void reuse(void) {
  char* volatile first = by_asking(30000);
  by_another(100);  // keeps the first one's memory allocated
  show("by_asking", 30000, first);
  free(first);
  walk(first, 30000);
  char* second = by_another(30000);
  if (second != first) abort();
  show("by_another", 30000, second);
}

static void pools(int named) {
  by_pool(500);
  char* block = by_pool(20000);
  by_pool(700);
  if (named)
    show("by_pool", 20000, block);
  else
    tell_and_walk("make_pool", 1 << 20, pool, 500, 20000);
  tell_and_walk("make_pool", 1 << 20, pool, 30000, 20000);
  free(pool);
  make_pool();  // at the old address, with the old contents
  tell_and_walk("make_pool", 1 << 20, pool, 0, 30000);
}

static void* work(void* argument) {
  size_t bytes = 20000 + 1000 * (size_t)argument;
  for (int i = 0; i < 20; ++i) {
    char* kept[50];
    for (int j = 0; j < 50; ++j) kept[j] = by_another(j * 40 + 1);
    char* block = by_asking(bytes);
    for (int j = 0; j < 50; ++j) free(kept[j]);
    show("by_asking", bytes, block);
    if (i != 19) free(block);
  }
  return NULL;
}

static void threads(void) {
  pthread_t all[4];
  for (size_t i = 0; i < 4; ++i) pthread_create(&all[i], NULL, work, (void*)i);
  for (size_t i = 0; i < 4; ++i) pthread_join(all[i], NULL);
}

static void forks(void) {
  char* block = by_asking(30000);
  if (fork() == 0) {
    show("by_asking", 30000, block);
    free(block);
    show("by_another", 20000, by_another(20000));
    _exit(0);
  }
  wait(NULL);
  show("by_asking", 30000, block);
}

OWN static void descend(int depth) {
  char* block = by_asking(20000);
  if (depth % 100 == 0) show("by_asking", 20000, block);
  if (depth > 0) descend(depth - 1);
  asm volatile("");
}

static void jumps(void) {
  leaves = 1;
  if (setjmp(behind) == 0) by_leaving(100);
  show("by_asking", 30000, by_asking(30000));
  if (setjmp(behind) == 0) by_leaving(100);
  show("by_clearing", 30000, by_clearing(2, 15000));
}

static void on_signal(int signal) {
  (void)signal;
  show("by_asking", 30000, by_asking(30000));
}

static void signals(void) {
  static char stack[100000];  // in no heap block
  stack_t own = {.ss_sp = stack, .ss_size = sizeof(stack)};
  sigaltstack(&own, NULL);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  show("by_leaving", 40000, by_leaving(40000));
  action.sa_flags = 0;
  sigaction(SIGUSR1, &action, NULL);
  show("by_leaving", 40000, by_leaving(40000));
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  static char in_no_block[30000];
  if (write(1, "none 0 0\n", 9) != 9) return 1;
  walk(in_no_block, sizeof(in_no_block));
  if (strcmp(what, "plain") == 0) plain();
  if (strcmp(what, "moves") == 0) moves();
  if (strcmp(what, "wrapped") == 0) wrapped();
  if (strcmp(what, "aligned") == 0) aligned();
  if (strcmp(what, "reuse") == 0) reuse();
  if (strcmp(what, "pool") == 0) pools(0);
  if (strcmp(what, "named_pool") == 0) pools(1);
  if (strcmp(what, "threads") == 0) threads();
  if (strcmp(what, "fork") == 0) forks();
  if (strcmp(what, "recursion") == 0) descend(1000);
  if (strcmp(what, "jumps") == 0) jumps();
  if (strcmp(what, "signals") == 0) signals();
  return 0;
}
