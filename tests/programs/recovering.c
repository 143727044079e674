// SPDX-License-Identifier: MIT
// Threads that fault and recover repeatedly, each in its own way, as virtual machines do for null pointers
// and safepoints. Each handler compares the fault with the processor's expected report: the signal, its
// address, the instruction and a register. recovering SECONDS THREADS, or until SIGTERM: exits with 0 and
// prints "all right" if all faults were as natively.
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { kMaxThreads = 64, kWays = 6 };

static atomic_int over, failures;
static atomic_long faults;
static char* unreadable;  // a page
static char* past_end;    // a page of a mapped file behind the file's end

struct Expected {
  int signal;
  void* address;  // NULL: not checked
  char *at, *behind;
  uint64_t mark;
};
static __thread struct Expected expected;
static __thread sigjmp_buf recovery;
static __thread int jumps;

static void fail(const char* what, uint64_t found, uint64_t wanted) {
  if (atomic_fetch_add(&failures, 1) < 20)
    dprintf(2, "recovering: %s: %llx, expected %llx\n", what, (unsigned long long)found,
            (unsigned long long)wanted);
}

static void compare(const char* what, uint64_t found, uint64_t wanted) {
  if (found != wanted) fail(what, found, wanted);
}

static void on_fault(int signal, siginfo_t* info, void* argument) {
  ucontext_t* context = argument;
  greg_t* registers = context->uc_mcontext.gregs;
  compare("signal", (uint64_t)signal, (uint64_t)expected.signal);
  if (expected.address != NULL) compare("address", (uint64_t)info->si_addr, (uint64_t)expected.address);
  if (!jumps) {
    compare("instruction", (uint64_t)registers[REG_RIP],
            (uint64_t)(signal == SIGTRAP ? expected.behind : expected.at));
    compare("register", (uint64_t)registers[REG_R12], expected.mark);
  }
  if (jumps) siglongjmp(recovery, 1);
  registers[REG_RIP] = (greg_t)expected.behind;
}

// The faulting instruction of each way, between its addresses; r12 is `mark` in it.
#define FAULT(instruction)                                                                \
  __asm__ volatile(                                                                       \
      "leaq 1f(%%rip), %%rax\n movq %%rax, %0\n leaq 2f(%%rip), %%rax\n movq %%rax, %1\n" \
      "movq %2, %%r12\n movq %3, %%rcx\n 1: " instruction "\n 2:\n"                       \
      : "=m"(expected.at), "=m"(expected.behind)                                          \
      : "m"(expected.mark), "m"(expected.address)                                         \
      : "rax", "rcx", "rdx", "r12", "memory", "cc")

static void fault(int way, uint64_t round) {
  expected.mark = round * 0x9e3779b97f4a7c15u;
  expected.address = NULL;
  switch (way) {
    case 0:
      expected.signal = SIGSEGV, expected.address = (void*)8;
      FAULT("movl $1, (%%rcx)");
      break;
    case 1:
      expected.signal = SIGSEGV, expected.address = unreadable + 64;
      FAULT("movl (%%rcx), %%edx");
      break;
    case 2:
      expected.signal = SIGBUS, expected.address = past_end + 128;
      FAULT("movl (%%rcx), %%edx");
      break;
    case 3:
      expected.signal = SIGILL;
      FAULT("ud2");
      break;
    case 4:
      expected.signal = SIGFPE;
      FAULT("divl %%ecx");  // rcx is NULL
      break;
    default:
      expected.signal = SIGTRAP;
      FAULT("int3");
      break;
  }
}

static void jump_out(void) {
  jumps = 1;
  expected.signal = SIGSEGV, expected.address = (void*)16;
  if (sigsetjmp(recovery, 1) == 0) {
    *(volatile int*)16 = 1;
    fail("a fault did not happen", 0, 0);
  }
  jumps = 0;
}

static void* run(void* argument) {
  int way = (int)(intptr_t)argument % (kWays + 1);
  volatile unsigned sum = 0;
  for (uint64_t round = 1; !atomic_load(&over); ++round) {
    way == kWays ? jump_out() : fault(way, round);
    atomic_fetch_add(&faults, 1);
    for (unsigned i = 0; i < 100; ++i) sum += i;
  }
  return NULL;
}

static void on_end(int number) {
  (void)number;
  atomic_store(&over, 1);
}

static void prepare(void) {
  unreadable = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int file = memfd_create("short", 0);
  past_end = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
  for (unsigned i = 0; i < sizeof(signals) / sizeof(*signals); ++i) sigaction(signals[i], &action, NULL);
  signal(SIGTERM, on_end);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  pthread_t threads[kMaxThreads];
  int thread_count = atoi(words[2]);
  if (thread_count < 1 || thread_count > kMaxThreads) return 2;
  prepare();
  for (int i = 0; i < thread_count; ++i) pthread_create(&threads[i], NULL, run, (void*)(intptr_t)i);
  time_t end = time(NULL) + atoi(words[1]);
  while (!atomic_load(&over) && time(NULL) < end) usleep(10000);
  atomic_store(&over, 1);
  for (int i = 0; i < thread_count; ++i) pthread_join(threads[i], NULL);
  if (atomic_load(&failures) != 0) return 1;
  printf("all right: %ld faults\n", atomic_load(&faults));
  return 0;
}
