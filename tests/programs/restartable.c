// SPDX-License-Identifier: MIT
// Restartable sequences, as allocators with data of each CPU use them: restartable MODE [THREADS ROUNDS]. The
// C library has registered each thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/rseq.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { kCpus = 4096 };

static struct rseq* area(void) { return (struct rseq*)((char*)__builtin_thread_pointer() + __rseq_offset); }

// The descriptor of the sequence from label 2 to label 3, with the abort address 4.
#define DESCRIPTOR \
  ".pushsection .data.sequences, \"aw\"\n .balign 32\n 1: .long 0, 0\n .quad 2f, 3f - 2f, 4f\n .popsection\n"
#define ABORT                                                                                            \
  ".pushsection .text.aborts, \"ax\"\n .byte 0x0f, 0xb9, 0x3d\n .long 0x53053053\n 4: jmp %l[aborted]\n" \
  ".popsection\n"
#define BEGIN DESCRIPTOR "lea 1b(%%rip), %%rax\n mov %%rax, %c[descriptor](%[area])\n 2:\n"
#define ON_CPU "cmp %[cpu], %c[id](%[area])\n jne %l[aborted]\n"
#define OPERANDS                                                        \
  [area] "r"(area()), [descriptor] "i"(offsetof(struct rseq, rseq_cs)), \
      [id] "i"(offsetof(struct rseq, cpu_id))

static struct {
  long count;
  long used;
  int* slots;
} data[kCpus] __attribute__((aligned(64)));

// Adds one to the CPU's count. Returns 0 if the sequence was aborted.
static int add(unsigned cpu) {
  asm goto(BEGIN ON_CPU "mov (%[count]), %%rcx\n pause\n inc %%rcx\n mov %%rcx, (%[count])\n 3:\n" ABORT
           :
           : OPERANDS, [cpu] "r"(cpu), [count] "r"(&data[cpu].count)
           : "rax", "rcx", "memory", "cc"
           : aborted);
  return 1;
aborted:
  return 0;
}

// Stores the value in the CPU's next free slot, then counts the slot: the first store must not happen either
// after an interruption.
static int push(unsigned cpu, int value) {
  asm goto(
      BEGIN ON_CPU
      "mov (%[used]), %%rcx\n pause\n mov %[value], (%[slots], %%rcx, 4)\n pause\n inc %%rcx\n mov %%rcx, (%[used])\n"
      "3:\n" ABORT
      :
      : OPERANDS, [cpu] "r"(cpu), [used] "r"(&data[cpu].used), [slots] "r"(data[cpu].slots),
        [value] "r"(value)
      : "rax", "rcx", "memory", "cc"
      : aborted);
  return 1;
aborted:
  return 0;
}

// As add(), with a descriptor whose address is loaded from memory.
static int add_by_table(unsigned cpu) {
  asm goto(DESCRIPTOR
           ".pushsection .data.table, \"aw\"\n .balign 8\n 5: .quad 1b\n .popsection\n"
           "mov 5b(%%rip), %%rax\n mov %%rax, %c[descriptor](%[area])\n 2:\n" ON_CPU
           "mov (%[count]), %%rcx\n pause\n inc %%rcx\n mov %%rcx, (%[count])\n 3:\n" ABORT
           :
           : OPERANDS, [cpu] "r"(cpu), [count] "r"(&data[cpu].count)
           : "rax", "rcx", "memory", "cc"
           : aborted);
  return 1;
aborted:
  return 0;
}

// As add(), with instructions that use the registers for which copied code has other uses, and an exchange
// whose result is in one of them.
static int add_with_all_registers(unsigned cpu) {
  long before = -1;
  asm goto(BEGIN ON_CPU
           "mov %[count], %%r15\n mov $1, %%r10\n mov %%r15, %%r11\n pause\n"
           "xadd %%r10, (%%r15)\n 3:\n mov %%r10, (%[before])\n" ABORT
           :
           : OPERANDS, [cpu] "r"(cpu), [count] "r"(&data[cpu].count), [before] "r"(&before)
           : "rax", "r10", "r11", "r15", "memory", "cc"
           : aborted);
  return before >= 0;
aborted:
  return 0;
}

static long rounds;
static int (*one)(unsigned cpu);
static int pushes;

static void* work(void* number) {
  for (long i = 0; i < rounds; ++i) {
    int value = (int)((long)number * rounds + i);
    for (;;) {
      unsigned cpu = area()->cpu_id_start;
      if (pushes ? push(cpu, value) : one(cpu)) break;
    }
  }
  return NULL;
}

static void run(long threads) {
  pthread_t all[256];
  for (long i = 0; i < threads; ++i) pthread_create(&all[i], NULL, work, (void*)i);
  for (long i = 0; i < threads; ++i) pthread_join(all[i], NULL);
}

static long sum_of_counts(void) {
  long sum = 0;
  for (int i = 0; i < kCpus; ++i) sum += data[i].count;
  return sum;
}

// Returns the number of values that are in no slot or in more than one.
static long misplaced(long values) {
  char* seen = calloc((size_t)values, 1);
  long wrong = 0;
  for (int i = 0; i < kCpus; ++i) {
    for (long j = 0; j < data[i].used; ++j) ++seen[data[i].slots[j]];
  }
  for (long i = 0; i < values; ++i) wrong += seen[i] != 1;
  free(seen);
  return wrong;
}

static volatile sig_atomic_t ticks, inside;
extern const char loop_begin[], loop_end[];

static void tick(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  uintptr_t ip = (uintptr_t)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
  ++ticks;
  if (ip >= (uintptr_t)loop_begin && ip < (uintptr_t)loop_end) ++inside;
}

// Loops in a sequence until a signal aborts it.
static int loop(void) {
  asm goto(BEGIN "loop_begin: pause\n jmp 2b\n 3:\n loop_end:\n" ABORT
           :
           : OPERANDS
           : "rax", "memory", "cc"
           : aborted);
aborted:
  return 1;
}

static void loops(void) {
  struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval each = {{0, 10000}, {0, 10000}};
  setitimer(ITIMER_REAL, &each, NULL);
  int aborted = 0;
  while (ticks < 20) aborted += loop();
  printf("loops were aborted: %s; handlers saw %d of them within\n", aborted >= 10 ? "yes" : "no",
         (int)inside);
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const char* mode = arguments[1];
  long threads = count > 2 ? atol(arguments[2]) : 8;
  rounds = count > 3 ? atol(arguments[3]) : 200000;
  printf("registered: %s\n", __rseq_size != 0 && (int)area()->cpu_id >= 0 ? "yes" : "no");
  if (__rseq_size == 0 || (int)area()->cpu_id < 0) return 1;
  fflush(stdout);
  if (strcmp(mode, "loops") == 0) return loops(), 0;
  if (strcmp(mode, "slots") == 0) {
    pushes = 1;
    for (int i = 0; i < sysconf(_SC_NPROCESSORS_CONF) && i < kCpus; ++i)
      data[i].slots = malloc(sizeof(int) * (size_t)(threads * rounds + 1));
    run(threads);
    printf("%ld values are not in one slot\n", misplaced(threads * rounds));
    return 0;
  }
  one = strcmp(mode, "counts") == 0  ? add
        : strcmp(mode, "table") == 0 ? add_by_table
                                     : add_with_all_registers;
  run(threads);
  printf("counted %ld\n", sum_of_counts());
  return 0;
}
