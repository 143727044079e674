// SPDX-License-Identifier: MIT
// Does the work of a server in many threads, and checks it: computes, sleeps, waits, sends and takes signals,
// makes processes, maps memory and runs code that it writes. busy_process SECONDS THREADS, or until SIGTERM:
// exits with 0 and prints "all right" if nothing was lost, failed or late.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kMaxThreads = 256 };

static atomic_int over, resting, failures;
static atomic_long sent, taken, rounds, unexplained;
static pthread_t threads[kMaxThreads];
static int thread_count;
static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;
static __thread volatile sig_atomic_t interruptions;
static volatile sig_atomic_t wants_end;

static void fail(const char* what, long got) {
  atomic_fetch_add(&failures, 1);
  dprintf(2, "busy_process: %s (%ld, errno %d)\n", what, got, errno);
}

static void on_signal(int number, siginfo_t* info, void* context) {
  (void)context;
  int kept = errno;
  ++interruptions;
  if (info->si_value.sival_int != number * 3)
    fail("a signal brought another value", info->si_value.sival_int);
  atomic_fetch_add(&taken, 1);
  errno = kept;
}

static void on_end(int number) {
  (void)number;
  ++interruptions;  // in any thread that the kernel selects
  wants_end = 1;
}

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// Uses integers, the stack, x87 and vectors: the loss of any register changes the sum.
__attribute__((noinline)) static uint64_t compute(uint64_t seed) {
  uint64_t table[64], sum = seed;
  long double slow = 1;
  double fast[4] = {1, 2, 3, 4};
  for (int i = 0; i < 64; ++i) table[i] = seed * (uint64_t)(i + 1);
  for (int i = 0; i < 20000; ++i) {
    sum = sum * 6364136223846793005u + table[sum >> 58];
    slow = slow * 1.0000001L + (long double)(sum & 7);
    for (int j = 0; j < 4; ++j) fast[j] = fast[j] * 0.999 + (double)(sum >> 60);
  }
  return sum ^ (uint64_t)slow ^ (uint64_t)(fast[0] * 16 + fast[1] * 8 + fast[2] * 4 + fast[3]);
}

static void computes(void) {
  static atomic_ulong expected;
  uint64_t got = compute(42), none = 0;
  if (!atomic_compare_exchange_strong(&expected, &none, got) && none != got) fail("a sum differs", (long)got);
}

// A call never ends early. Without a signal it must not fail. The few exceptions are wake-ups by a tracer for
// a signal of another thread, or of none (docs/live.md).
static void waits_for_events(void) {
  int epoll = epoll_create1(0);
  struct epoll_event event;
  int before = interruptions;
  uint64_t start = now_ms();
  int got = epoll_wait(epoll, &event, 1, 20);
  if (got < 0 && errno != EINTR) fail("epoll_wait failed", got);
  if (got < 0 && before == interruptions) atomic_fetch_add(&unexplained, 1);
  if (got == 0 && now_ms() - start < 19) fail("epoll_wait ended early", (long)(now_ms() - start));
  close(epoll);
}

static void sleeps(void) {
  struct timespec time = {0, 3000000};
  int before = interruptions;
  if (nanosleep(&time, NULL) != 0 && before == interruptions) fail("nanosleep failed", errno);
  before = interruptions;
  if (poll(NULL, 0, 3) < 0 && before == interruptions) fail("poll failed", errno);
}

static void makes_processes(void) {
  pid_t child = fork();
  if (child == 0) {
    if (compute(7) == 0) _exit(3);
    execl("/bin/true", "true", NULL);
    _exit(4);
  }
  int status = -1;
  pid_t got;
  do got = waitpid(child, &status, 0);
  while (got < 0 && errno == EINTR);
  if (child < 0 || got != child || status != 0) fail("a child ended otherwise", status);
}

static void maps_memory(void) {
  static const unsigned char kCode[] = {0xb8, 0, 0, 0, 0, 0xc3};  // mov eax, 0; ret
  unsigned char* code =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return fail("mmap failed", errno);
  for (int i = 1; i < 50; ++i) {
    memcpy(code, kCode, sizeof(kCode));
    memcpy(code + 1, &i, sizeof(i));
    int got = ((int (*)(void))(uintptr_t)code)();
    if (got != i) fail("written code did something else", got);
  }
  munmap(code, 4096);
  void* library = dlopen("libresolv.so.2", RTLD_NOW);
  if (library != NULL) dlclose(library);
}

static void sends_signals(void) {
  for (int i = 0; i < 20; ++i) {
    int number = SIGRTMIN + i % 3;
    union sigval value = {.sival_int = number * 3};
    pthread_t whom = threads[rand() % thread_count];
    if (pthread_sigqueue(whom, number, value) == 0) atomic_fetch_add(&sent, 1);
  }
  usleep(500);
}

// A short-lived thread.
static void* computes_once(void* unused) {
  computes();
  return unused;
}

static void makes_threads(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, computes_once, NULL) != 0) return fail("pthread_create failed", errno);
  pthread_join(thread, NULL);
}

static void* live(void* argument) {
  static void (*const kHabits[])(void) = {computes,    waits_for_events, sleeps,       computes,
                                          maps_memory, makes_processes,  makes_threads};
  enum { kCount = sizeof(kHabits) / sizeof(kHabits[0]) };
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  long which = (long)argument;
  if (which % 2 == 0) sigaltstack(&stack, NULL);
  pthread_mutex_lock(&beginning);
  pthread_mutex_unlock(&beginning);
  while (over == 0) {
    which == 0 ? sends_signals() : kHabits[which % kCount]();
    atomic_fetch_add(&rounds, 1);
  }
  atomic_fetch_add(&resting, 1);
  while (over == 1) usleep(1000);  // until all signals have arrived
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, NULL);
  free(stack.ss_sp);
  return NULL;
}

static void catch_signals(void) {
  signal(SIGTERM, on_end);
  for (int i = 0; i < 3; ++i) {
    struct sigaction action = {.sa_sigaction = on_signal};
    action.sa_flags = SA_SIGINFO | SA_RESTART | (i == 1 ? SA_ONSTACK : 0);
    sigaction(SIGRTMIN + i, &action, NULL);
  }
}

int main(int count, char** words) {
  uint64_t end_ms = now_ms() + (uint64_t)(count > 1 ? atoi(words[1]) : 2) * 1000;
  thread_count = count > 2 && atoi(words[2]) <= kMaxThreads ? atoi(words[2]) : 16;
  catch_signals();
  pthread_mutex_lock(&beginning);  // until all threads exist and can get signals
  for (long i = 0; i < thread_count; ++i) {
    if (pthread_create(&threads[i], NULL, live, (void*)i) != 0) return 2;
  }
  pthread_mutex_unlock(&beginning);
  while (now_ms() < end_ms && !wants_end) usleep(10000);
  over = 1;
  while (resting != thread_count) usleep(1000);
  for (int looks = 0; taken != sent && looks < 60000; ++looks) usleep(1000);
  if (taken != sent) fail("signals were lost", sent - taken);
  over = 2;
  for (int i = 0; i < thread_count; ++i) pthread_join(threads[i], NULL);
  if (unexplained > rounds / 1000) fail("too many calls were interrupted by nothing", unexplained);
  if (failures == 0) {
    printf("all right: %ld rounds, %ld signals, %ld calls interrupted by nothing\n", (long)rounds, (long)sent,
           (long)unexplained);
  }
  return failures == 0 ? 0 : 1;
}
