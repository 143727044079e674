// SPDX-License-Identifier: MIT
// Control transfers to addresses without code, and rare instructions: nowhere WAY [handled]. With a handler
// it prints the signal and its origin; without one the signal ends the program.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { kPage = 4096 };
static sigjmp_buf before;
static volatile uint64_t number, address, code, ip, sp, marked;

static void on_fault(int signal, siginfo_t* info, void* context) {
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  number = (uint64_t)signal, address = (uint64_t)info->si_addr, code = (uint64_t)info->si_code;
  ip = (uint64_t)registers[REG_RIP], sp = (uint64_t)registers[REG_RSP], marked = (uint64_t)registers[REG_R15];
  siglongjmp(before, 1);
}

typedef void (*Way)(char* base);

// An engine may reserve r15 for itself.
static void jump_to(const void* target) {
  __asm__ volatile("mov $0x1234, %%r15\njmp *%0" : : "a"(target) : "r15", "memory");
}
static void call(const void* target) {
  __asm__ volatile("mov $0x1234, %%r15\ncall *%0" : : "a"(target) : "r15", "memory");
}
static void return_to(const void* target) {
  __asm__ volatile("mov $0x1234, %%r15\npush %0\nret" : : "a"(target) : "r15", "memory");
}

static void null_call(char* base) { (void)base, call(0); }
static void null_jump(char* base) { (void)base, jump_to(0); }
static void null_return(char* base) { (void)base, return_to(0); }
static void data(char* base) { base[0] = (char)0xc3, call(base); }
static void unmapped(char* base) { munmap(base + kPage, kPage), call(base + kPage + 8); }
static void protected_page(char* base) { mprotect(base, kPage, PROT_NONE), call(base); }
// nop until the end of the page, with no page behind it, and an instruction cut by that end
static void end_of_page(char* base) {
  munmap(base + kPage, kPage);
  mprotect(base, kPage, PROT_READ | PROT_WRITE | PROT_EXEC);
  memset(base + kPage - 16, 0x90, 16);
  call(base + kPage - 16);
}
static void within_instruction(char* base) {
  munmap(base + kPage, kPage);
  mprotect(base, kPage, PROT_READ | PROT_WRITE | PROT_EXEC);
  memset(base + kPage - 16, 0x90, 16);
  base[kPage - 1] = 0x0f;
  call(base + kPage - 16);
}
static void behind_file(char* base) {
  int file = memfd_create("short", 0);
  if (ftruncate(file, kPage) != 0) return;
  call((char*)mmap(base, 2 * kPage, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED, file, 0) + kPage);
}
static void run_bytes(char* base, const char* bytes, size_t count) {
  mprotect(base, kPage, PROT_READ | PROT_WRITE | PROT_EXEC);
  memcpy(base, bytes, count);
  base[count] = (char)0xc3;
  call(base);
}
static void undefined(char* base) { run_bytes(base, "\x0f\x0b", 2); }
static void halts(char* base) { run_bytes(base, "\xf4", 1); }
static void interrupts(char* base) { run_bytes(base, "\xcd\x30", 2); }
static void no_instruction(char* base) { run_bytes(base, "\x06", 1); }
static void no_vex(char* base) { run_bytes(base, "\xc5\xf8\x04\xc0", 4); }
static void locked_nop(char* base) { run_bytes(base, "\xf0\x90", 2); }

// Code that is mapped only after a jump to it has failed.
static void mapped_later(char* base) {
  if (sigsetjmp(before, 1) == 0) {
    munmap(base, kPage);
    call(base + 16);
  }
  printf("first: signal %d\n", (int)number);
  char* again =
      mmap(base, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  memset(again, 0x90, 64);
  again[64] = (char)0xc3;
  call(again + 16);
  printf("then it ran\n");
}

// A system call keeps the status flags, also as the first instruction behind an indirect jump.
static void system_call_flags(char* base) {
  (void)base;
  for (unsigned long flags = 0; flags < 8; ++flags) {
    unsigned long set = 0x202 | (flags & 1) | (flags & 2) << 5 | (flags & 4) << 9, behind,
                  number = SYS_getpid;
    __asm__ volatile(
        "sub $128, %%rsp; lea 1f(%%rip), %%rdx; push %2; popf; jmp *%%rdx; 1: syscall; pushf; pop %0; add "
        "$128, %%rsp"
        : "=&r"(behind), "+a"(number)
        : "r"(set)
        : "rcx", "rdx", "r11", "memory", "cc");
    printf("%lx: %lx\n", set, behind & 0x8d5);
  }
}

// Far transfers to the same code segment: lretq, and a far jump through memory.
static void far_transfers(char* base) {
  (void)base;
  int done = 0;
  for (int i = 0; i < 50; ++i) {
    __asm__ volatile(
        "mov %%cs, %%eax\npush %%rax\nlea 1f(%%rip), %%rax\npush %%rax\nlretq\n"
        "1: incl %0\n"
        "sub $16, %%rsp\nlea 2f(%%rip), %%rax\nmov %%rax, (%%rsp)\nmov %%cs, %%eax\nmov %%ax, 8(%%rsp)\n"
        "rex.W ljmp *(%%rsp)\n"
        "2: add $16, %%rsp\nincl %0"
        : "+m"(done)
        :
        : "rax", "memory", "cc");
  }
  printf("done %d\n", done);
}

// iretq, with the program's own flags.
static void interrupt_return(char* base) {
  (void)base;
  int done = 0;
  for (int i = 0; i < 50; ++i) {
    __asm__ volatile(
        "mov %%rsp, %%rcx\nmov %%ss, %%eax\npush %%rax\npush %%rcx\npushfq\nmov %%cs, %%eax\npush %%rax\n"
        "lea 1f(%%rip), %%rax\npush %%rax\niretq\n1: incl %0"
        : "+m"(done)
        :
        : "rax", "rcx", "memory", "cc");
  }
  printf("done %d\n", done);
}

// Single steps by the trap flag, counted by a handler, over a loop, a call, system calls and a string
// instruction.
static volatile int steps;
static volatile uint64_t places;
static void on_step(int signal, siginfo_t* info, void* context) {
  (void)signal;
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  ++steps;
  places = places * 31 + (uint64_t)(registers[REG_RIP] - (greg_t)(uintptr_t)&on_fault) +
           (uint64_t)(info->si_code == 2);
}
static __attribute__((noinline)) int twice(int value) {
  __asm__ volatile("");
  return 2 * value;
}
static void single_steps(char* base) {
  struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, 0);
  volatile long sum = 0;
  char* to = base;
  const char* from = base + kPage;
  long bytes = 40, flags = 0;
  __asm__ volatile("pushfq\norq $0x100, (%%rsp)\npopfq" : : : "memory", "cc");
  for (int i = 0; i < 10; ++i) sum += twice(i);
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
  __asm__ volatile("pushfq\npop %0\npushfq\nandq $~0x100, (%%rsp)\npopfq" : "=r"(flags) : : "memory", "cc");
  printf("sum %ld, steps %d, places %llx, flag %d\n", sum, steps, (unsigned long long)places,
         (flags & 0x100) != 0);
}
static void steps_over_calls(char* base) {
  (void)base;
  struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, 0);
  long uid = SYS_getuid;
  __asm__ volatile("pushfq\norq $0x100, (%%rsp)\npopfq" : : : "memory", "cc");
  __asm__ volatile("syscall\nnop\nnop" : "+a"(uid) : : "rcx", "r11", "memory");
  __asm__ volatile("pushfq\nandq $~0x100, (%%rsp)\npopfq" : : : "memory", "cc");
  printf("stepped %d, uid %d\n", steps, uid == (long)getuid());
}

int main(int count, char** arguments) {
  static const struct {
    const char* name;
    Way way;
  } kWays[] = {{"null_call", null_call},
               {"null_jump", null_jump},
               {"null_return", null_return},
               {"data", data},
               {"unmapped", unmapped},
               {"protected_page", protected_page},
               {"end_of_page", end_of_page},
               {"within_instruction", within_instruction},
               {"behind_file", behind_file},
               {"undefined", undefined},
               {"halts", halts},
               {"interrupts", interrupts},
               {"no_instruction", no_instruction},
               {"no_vex", no_vex},
               {"locked_nop", locked_nop},
               {"mapped_later", mapped_later},
               {"far_transfers", far_transfers},
               {"interrupt_return", interrupt_return},
               {"single_steps", single_steps},
               {"steps_over_calls", steps_over_calls},
               {"system_call_flags", system_call_flags}};
  // At a fixed address, so that addresses are the same in each run.
  char* base = mmap((void*)0x200000000000, 2 * kPage, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (count > 2) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    for (int each = 1; each < 12; ++each) {
      if (each == SIGILL || each == SIGBUS || each == SIGSEGV || each == SIGFPE) sigaction(each, &action, 0);
    }
  }
  volatile uint64_t stack = (uint64_t)__builtin_frame_address(0);
  for (unsigned i = 0; i < sizeof(kWays) / sizeof(*kWays); ++i) {
    if (count < 2 || strcmp(arguments[1], kWays[i].name) != 0) continue;
    if (sigsetjmp(before, 1) == 0) {
      kWays[i].way(base);
      printf("ran\n");
    } else {
      printf("signal %d, code %d, address %llx, ip %llx, %d bytes of stack, r15 %llx\n", (int)number,
             (int)code, (unsigned long long)address, (unsigned long long)ip, (int)(stack - sp),
             (unsigned long long)marked);
    }
  }
  return 0;
}
