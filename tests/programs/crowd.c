// SPDX-License-Identifier: MIT
// More threads than processors, and signals among them: crowd MODE. Prints the same natively and measured.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int over;
static volatile int handled;

static pthread_t start(void* (*body)(void*)) {
  pthread_t id;
  if (pthread_create(&id, NULL, body, NULL) != 0) exit(3);
  return id;
}

static void handle(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = handler;
  if (sigaction(number, &action, NULL) != 0) exit(3);
}

static void count_signal(int number) {
  (void)number;
  ++handled;
}

static void sleep_us(long us) {
  struct timespec time = {0, us * 1000};
  nanosleep(&time, NULL);
}

static void* doze(void* unused) {
  while (!over) sleep_us(50);
  return unused;
}

// Walks from line to line: no line is in any cache.
static void* wander(void* unused) {
  enum { kBytes = 1 << 25, kStep = 4160 };
  volatile char* memory = calloc(1, kBytes);
  for (unsigned at = 0; !over; at = (at + kStep) % kBytes) ++memory[at];
  free((void*)memory);
  return unused;
}

// Signals for threads in system calls, while others use their processor.
static void signals(void) {
  handle(SIGUSR1, count_signal);
  pthread_t sleepers[3], wanderers[2];
  for (int i = 0; i < 2; ++i) wanderers[i] = start(wander);
  for (int i = 0; i < 3; ++i) sleepers[i] = start(doze);
  for (int i = 0; i < 3000; ++i) {
    pthread_kill(sleepers[i % 3], SIGUSR1);
    if (i % 30 == 0) sleep_us(10);
  }
  over = 1;
  for (int i = 0; i < 2; ++i) pthread_join(wanderers[i], NULL);
  for (int i = 0; i < 3; ++i) pthread_join(sleepers[i], NULL);
  puts(handled != 0 ? "handled" : "never handled");
}

static void* spin(void* unused) {
  while (!over) continue;
  return unused;
}

// An alarm every 10 ms, for a thread that has to wait for the processor.
static void alarms(void) {
  handle(SIGALRM, count_signal);
  pthread_t others[4];
  for (int i = 0; i < 4; ++i) others[i] = start(spin);
  struct itimerval every = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
  while (handled < 50) continue;
  setitimer(ITIMER_REAL, &never, NULL);
  over = 1;
  for (int i = 0; i < 4; ++i) pthread_join(others[i], NULL);
  puts("50 alarms");
}

static void count_trap(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  if (info->si_code > 0) ++handled;
  if (handled > 9) _exit(4);  // the fault repeats forever
}

// The handler of a trap returns to the instruction after the trap.
static void traps(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = count_trap;
  action.sa_flags = SA_SIGINFO;
  if (sigaction(SIGTRAP, &action, NULL) != 0) exit(3);
  for (int i = 0; i < 3; ++i) __asm__ volatile("int3");
  printf("%d traps\n", handled);
}

enum { kYielders = 400, kYields = 10 };
static pthread_barrier_t all_are_there;

static void* yield_often(void* unused) {
  pthread_barrier_wait(&all_are_there);
  for (int i = 0; i < kYields; ++i) sched_yield();
  return unused;
}

// Many runnable threads. The number of wake-ups must depend on their work, not on their number.
static void yields(void) {
  pthread_t others[kYielders];
  pthread_barrier_init(&all_are_there, NULL, kYielders);
  for (int i = 0; i < kYielders; ++i) others[i] = start(yield_often);
  for (int i = 0; i < kYielders; ++i) pthread_join(others[i], NULL);
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  long most = 100L * kYielders * kYields;
  printf("%s\n", use.ru_nvcsw < most ? "woken for what they do" : "woken in vain");
}

static const struct {
  const char* name;
  void (*run)(void);
} modes[] = {{"signals", signals}, {"alarms", alarms}, {"traps", traps}, {"yields", yields}};

int main(int count, char** arguments) {
  for (size_t i = 0; count > 1 && i < sizeof(modes) / sizeof(modes[0]); ++i) {
    if (strcmp(arguments[1], modes[i].name) != 0) continue;
    modes[i].run();
    return 0;
  }
  return 2;
}
