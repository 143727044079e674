// SPDX-License-Identifier: MIT
// Situations that a kernel's PMU has to handle, each with a known count: targets MODE NUMBER [MILLISECONDS].
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

volatile long watched;
static long busy_ms;

// The thread's processor time, so that a busy host does not matter.
static long used_ms(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

static void* spin(void* name) {
  prctl(PR_SET_NAME, name);
  while (used_ms() < busy_ms) {
    for (volatile int i = 0; i < 10000; ++i) continue;
  }
  return NULL;
}

static void* idle(void* unused) {
  (void)unused;
  usleep((useconds_t)busy_ms * 1000);
  return NULL;
}

static void threads(long number, void* (*body)(void*), const char* name) {
  pthread_t* ids = calloc((size_t)number, sizeof(*ids));
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (long i = 0; i < number; ++i) {
    if (pthread_create(&ids[i], &small, body, (void*)name) != 0) exit(3);
  }
  for (long i = 0; i < number; ++i) pthread_join(ids[i], NULL);
}

// Touches `number` new pages.
static void faults(long number) {
  long page = sysconf(_SC_PAGESIZE);
  size_t bytes = (size_t)(number * page);
  char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (long i = 0; i < number; ++i) memory[i * page] = 1;
}

// Gives up the processor `number` times.
static void sleeps(long number) {
  for (long i = 0; i < number; ++i) usleep(100);
}

// Stores `number` times into `watched`.
static void stores(long number) {
  for (long i = 0; i < number; ++i) watched = i;
}

// Creates `number` processes one after the other.
static void children(long number) {
  for (long i = 0; i < number; ++i) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0 || waitpid(child, NULL, 0) != child) exit(3);
  }
}

// 2^depth processes at once.
static void tree(long depth) {
  for (long i = 0; i < depth; ++i) (void)!fork();
  while (wait(NULL) > 0) continue;
}

static void pass_over(int number) { (void)number; }

// Threads that start after SIGUSR1.
static void late(long number) {
  sigset_t awaited, before;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGUSR1);
  sigprocmask(SIG_BLOCK, &awaited, &before);
  signal(SIGUSR1, pass_over);
  sigsuspend(&before);
  threads(number, spin, "late");
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const char* mode = argv[1];
  long number = atol(argv[2]);
  busy_ms = argc > 3 ? atol(argv[3]) : 0;
  if (strcmp(mode, "faults") == 0) faults(number);
  if (strcmp(mode, "sleeps") == 0) sleeps(number);
  if (strcmp(mode, "stores") == 0) stores(number);
  if (strcmp(mode, "children") == 0) children(number);
  if (strcmp(mode, "tree") == 0) tree(number);
  if (strcmp(mode, "late") == 0) late(number);
  if (strcmp(mode, "spin") == 0) threads(number, spin, "spin");
  if (strcmp(mode, "idle") == 0) threads(number, idle, "idle");
  return 0;
}
