// SPDX-License-Identifier: MIT
// Runs with the alignment check flag, as the JVM does for a moment at its start: branches, loads that miss,
// string instructions, signals, calls and faults. An engine's own code may not be aligned. Prints what it
// found.
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t kAlignmentCheck = 1 << 18;

static uint64_t flags(void) {
  uint64_t value;
  __asm__ volatile("pushfq; popq %0" : "=r"(value) : : "memory");
  return value;
}
static void set_check(int on) {
  uint64_t value = on ? flags() | kAlignmentCheck : flags() & ~kAlignmentCheck;
  __asm__ volatile("pushq %0; popfq" : : "r"(value) : "memory", "cc");
}

static volatile int signals_seen, faults_seen;
static volatile uint64_t flags_in_handler;
static void on_signal(int number) {
  (void)number;
  flags_in_handler = flags();
  set_check(0);
  ++signals_seen;
}
static void on_fault(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  ++faults_seen;
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_EFL] &= ~kAlignmentCheck;
}

// Aligned loads with unpredictable branches over more memory than a first-level cache has.
static uint64_t work(const uint64_t* table, uint64_t words, int rounds) {
  uint64_t state = 88172645463325252, sum = 0;
  for (int i = 0; i < rounds; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    uint64_t value = table[state % words];
    if (value & 1) sum += value;
    if (state & 2) sum ^= i;
  }
  return sum;
}

// Code at every address in a word, in memory that is written through another mapping: an engine that compares
// the code with what it has copied must do so with aligned operands.
static long run_changing_code(void) {
  enum { kBytes = 4096, kRounds = 20 };
  int fd = memfd_create("code", 0);
  if (ftruncate(fd, kBytes) != 0) return -1;
  uint8_t* writable = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  uint8_t* executable = mmap(NULL, kBytes, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
  long sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    for (int at = 0; at < 8; ++at) {
      uint8_t code[] = {0x90, 0xb8, (uint8_t)round, (uint8_t)at, 0, 0, 0x83, 0xc0, 1, 0xc3};  // mov, add, ret
      memcpy(writable + 64 * at + at, code, sizeof(code));
      int (*function)(void) = (int (*)(void))(uintptr_t)(executable + 64 * at + at);
      set_check(1);
      sum += function();
      set_check(0);
    }
  }
  return sum;
}

int main(void) {
  enum { kWords = 1 << 18 };
  uint64_t* table = aligned_alloc(64, kWords * sizeof(uint64_t));
  uint64_t* copy = aligned_alloc(64, kWords * sizeof(uint64_t));
  for (int i = 0; i < kWords; ++i) table[i] = i * 2654435761u >> 3;
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  action = (struct sigaction){.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGBUS, &action, NULL);

  set_check(1);
  uint64_t sum = work(table, kWords, 200000);
  uint64_t kept = flags() & kAlignmentCheck;
  void *to = copy, *from = table;
  uint64_t count = kWords;
  __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
  syscall(SYS_kill, getpid(), SIGUSR1);
  uint64_t after_signal = flags() & kAlignmentCheck;
  sum += work(copy, kWords, 200000);
  set_check(0);
  printf("sum %lx, kept %lx, signals %d, after one %lx\n", sum, kept, signals_seen, after_signal);

  printf("changing code %ld, ", run_changing_code());
  printf("faults %d\n", faults_seen);

  volatile char bytes[16] = {0};
  set_check(1);
  uint32_t value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*(volatile uint32_t*)(bytes + 1)));
  printf("faults %d, flag %lx, sum %lx\n", faults_seen, flags() & kAlignmentCheck, work(table, kWords, 1000));
  return 0;
}
