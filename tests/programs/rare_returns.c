// SPDX-License-Identifier: MIT
// Signal handlers that return to code or flags of a rare kind, and system calls with a rare number:
// rare_returns WAY. Prints what the program and its handlers see.
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  kPage = 4096,
  kCode32 = 0x23,
  kCode64 = 0x33,
  kData = 0x2b,
  kInvalid = 0x7,
  kNestedTask = 0x4000,
  kIdentification = 0x200000
};

static gregset_t usual;                                        // registers to which the program returns
static volatile uint64_t entry;                                // of the code of the other segment
static uint16_t code_segment = kCode32, data_segment = kData;  // in which the program continues
static volatile int seen, segment, stack_segment, alarms;
static volatile uint64_t ip, ax;

static uint16_t* segments(ucontext_t* context) { return (uint16_t*)&context->uc_mcontext.gregs[REG_CSGSFS]; }

static void set_handler(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(signal, &action, NULL);
}

// Continues in other segments.
static void enter(int signal, siginfo_t* info, void* data) {
  (void)signal, (void)info;
  ucontext_t* context = data;
  memcpy(usual, context->uc_mcontext.gregs, sizeof(usual));
  segments(context)[0] = code_segment, segments(context)[3] = data_segment;
  context->uc_mcontext.gregs[REG_RIP] = (greg_t)entry;
  context->uc_mcontext.gregs[REG_RAX] = 0x1111;
}

// Notes where the signal came from, and continues where enter() began.
static void come_back(int signal, siginfo_t* info, void* data) {
  (void)info;
  ucontext_t* context = data;
  seen = signal, segment = segments(context)[0], stack_segment = segments(context)[3];
  ip = (uint64_t)context->uc_mcontext.gregs[REG_RIP] - entry;
  ax = (uint64_t)context->uc_mcontext.gregs[REG_RAX];
  memcpy(context->uc_mcontext.gregs, usual, sizeof(usual));
}

// Makes the code's loop end.
static void on_alarm(int signal, siginfo_t* info, void* data) {
  (void)signal, (void)info;
  ucontext_t* context = data;
  ++alarms;
  context->uc_mcontext.gregs[REG_RAX] = 0;
}

static void run_in_other_segment(const char* what, const char* code, size_t bytes) {
  char* page =
      mmap(NULL, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  memcpy(page, code, bytes);
  entry = (uint64_t)page;
  raise(SIGUSR1);
  printf("%s: signal %d in segment %x, stack %x, %d bytes on, ax %llx\n", what, seen, (unsigned)segment,
         (unsigned)stack_segment, (int)ip, (unsigned long long)ax);
}

// The handlers need a stack of their own: 32-bit code has cut the stack pointer.
static void other_segment(void) {
  stack_t stack = {.ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ};
  sigaltstack(&stack, NULL);
  set_handler(SIGUSR1, enter);
  set_handler(SIGTRAP, come_back);
  set_handler(SIGSEGV, come_back);
  set_handler(SIGALRM, on_alarm);
  run_in_other_segment("breakpoint", "\x40\xcc", 2);     // inc eax; int3
  run_in_other_segment("fault", "\x31\xc0\x89\x00", 4);  // xor eax, eax; mov [eax], eax
  struct itimerval soon = {.it_value = {.tv_usec = 20000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  run_in_other_segment("loop until an alarm", "\x85\xc0\x75\xfc\xcc", 5);  // test eax, eax; jnz; int3
  printf("alarms %d\n", alarms);
  code_segment = kCode64, data_segment = kInvalid;
  run_in_other_segment("invalid stack segment", "\xcc", 1);
}

static void nothing(int signal, siginfo_t* info, void* data) { (void)signal, (void)info, (void)data; }

// Flags that rt_sigreturn(2) does not restore, but keeps.
static void kept_flags(void) {
  set_handler(SIGTRAP, nothing);
  for (int i = 0; i < 4; ++i) {
    uint64_t flags, chosen = (i & 1 ? kNestedTask : 0) | (i & 2 ? kIdentification : 0);
    __asm__ volatile(
        "pushfq\norq %1, (%%rsp)\npopfq\nint3\npushfq\npop %0\npushfq\nandq $~0x204000, (%%rsp)\npopfq"
        : "=&r"(flags)
        : "r"(chosen)
        : "memory", "cc");
    printf("%llx after a handler: %llx\n", (unsigned long long)chosen,
           (unsigned long long)flags & (kNestedTask | kIdentification));
  }
}

// The mask that the kernel writes into the frame is the program's.
static void frame_mask(int signal, siginfo_t* info, void* data) {
  (void)signal, (void)info;
  const ucontext_t* context = data;
  printf("old mask %llx\n", (unsigned long long)context->uc_mcontext.gregs[REG_OLDMASK]);
}
static void masks(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  set_handler(SIGTRAP, frame_mask);
  __asm__ volatile("int3");
  set_handler(SIGUSR1, frame_mask);
  raise(SIGUSR1);
}

static long call(uint64_t number, const void* first) {
  const uint64_t high = (uint64_t)0x5555 << 32;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(high | number), "D"(first), "S"(0)
                   : "rcx", "r11", "memory");
  return result;
}

// The kernel takes the lower half of the register as the number, also for calls that the engine handles
// itself.
static void call_numbers(void) {
  printf("user %d\n", call(SYS_getuid, NULL) == (long)getuid());
  stack_t stack = {.ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ}, found;
  printf("stack: %ld", call(SYS_sigaltstack, &stack));
  sigaltstack(NULL, &found);
  printf(", set %d\n", found.ss_sp == stack.ss_sp);
  set_handler(SIGUSR1, nothing);
  raise(SIGUSR1);
}

int main(int count, char** arguments) {
  static const struct {
    const char* name;
    void (*way)(void);
  } kWays[] = {{"other_segment", other_segment},
               {"kept_flags", kept_flags},
               {"masks", masks},
               {"call_numbers", call_numbers}};
  for (unsigned i = 0; i < sizeof(kWays) / sizeof(*kWays); ++i) {
    if (count > 1 && strcmp(arguments[1], kWays[i].name) == 0) kWays[i].way();
  }
  return 0;
}
