// SPDX-License-Identifier: MIT
// Functions that do a known number of things, entered and left in every way: activations MODE [ARGUMENT].
//   work(n)     executes 4n + 2 instructions: n + 1 loads and n stores among them
//   descend(n)  calls itself n - 1 times: 4n - 1 instructions, n loads, n - 1 stores
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void work(long n);
void descend(long n);
// Executes 2 instructions, one of them a store, and then the function it calls.
void pass_on(long n, void (*to)(long));
static long cells[2] __attribute__((used));
static const char* self;

__asm__(
    ".text\n"
    ".globl work\n.type work, @function\n"
    "work:\tmov %rdi, %rcx\n"
    "1:\tmov cells(%rip), %rax\n\tmov %rax, cells+8(%rip)\n\tdec %rcx\n\tjnz 1b\n\tret\n"
    ".size work, .-work\n"
    ".globl descend\n.type descend, @function\n"
    "descend:\tdec %rdi\n\tjz 1f\n\tcall descend\n1:\tret\n"
    ".size descend, .-descend\n"
    // Falls through into the entered function.
    ".globl before_work\n.type before_work, @function\n"
    "before_work:\tnop\n\tnop\n\tjmp work\n"
    ".size before_work, .-before_work\n"
    // Keeps its own return address in an unusual location.
    ".globl pass_on\n.type pass_on, @function\n"
    "pass_on:\tpush %rbx\n\tcall *%rsi\n\tpop %rbx\n\tret\n"
    ".size pass_on, .-pass_on\n");
void before_work(long n);

static void* many_activations(void* n) {
  for (long i = 0; i < 1000; ++i) {
    work((long)(intptr_t)n);
    descend(3);
  }
  return NULL;
}

static void once(const char* n) { work(atol(n)); }
static void often(const char* n) {
  for (long i = 0; i < atol(n); ++i) work(1);
}
static void fall(const char* n) { before_work(atol(n)); }
static void nested(const char* n) { pass_on(atol(n), work); }
static void recursion(const char* n) {
  descend(atol(n));
  work(10);
  descend(2);
}

// Two threads with 1000 activations of 5 each, and one more of 100.
static void threads(const char* unused) {
  (void)unused;
  pthread_t ids[2];
  for (int i = 0; i < 2; ++i) {
    if (pthread_create(&ids[i], NULL, many_activations, (void*)(intptr_t)5) != 0) exit(3);
  }
  work(100);
  for (int i = 0; i < 2; ++i) pthread_join(ids[i], NULL);
}

static void fork_and_work(long n) {
  pid_t child = fork();
  if (child == 0) {
    work(n);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  work(2 * n);
}

// 10 before the fork; 20 in the child, 40 in the parent.
static void fork_between(const char* unused) {
  (void)unused;
  work(10);
  fork_and_work(20);
}

// The fork itself is inside the activation: the child continues inside.
static void fork_inside(const char* unused) {
  (void)unused;
  pass_on(20, fork_and_work);
}

static jmp_buf back;
static void jump_back(long n) { longjmp(back, (int)n); }

// Leaves three activations by longjmp, each followed by an activation of 10 that returns; much work
// outside.
static void jump(const char* unused) {
  (void)unused;
  for (volatile int i = 0; i < 3; ++i) {
    if (setjmp(back) == 0) pass_on(1, jump_back);
    work(1000);
    pass_on(10, work);
  }
}

static void on_signal(int number) {
  (void)number;
  work(10);
}
static void raise_signals(long n) {
  for (long i = 0; i < n; ++i) raise(SIGUSR1);
  work(3);
}

// A handler on a stack of its own, above or below the thread's, inside an activation and outside.
static void signals(const char* unused) {
  (void)unused;
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0) exit(3);
  raise_signals(5);
  pass_on(5, raise_signals);
}

static volatile char time_is_over;
static void end_time(int number) {
  (void)number;
  time_is_over = 1;
}

// Writes the process id to the file. SIGUSR1 to this process ends the following loop.
static void tell_who_loops(const char* path) {
  signal(SIGUSR1, end_time);
  FILE* file = fopen(path, "w");
  if (file == NULL || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0) exit(3);
}

// One loop, left when the time is over, with one store per round; prints the number of rounds.
static void loop(const char* path) {
  long rounds = 0;
  tell_who_loops(path);
  __asm__ volatile("1:\tinc %0\n\tmov %0, cells(%%rip)\n\tcmpb $0, %1\n\tje 1b"
                   : "+r"(rounds)
                   : "m"(time_is_over)
                   : "memory", "cc");
  printf("%ld\n", rounds);
}

// Returns once the process sleeps in a system call: proc_pid_stat(5).
static void wait_until_asleep(pid_t process) {
  char path[64], line[256];
  snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
  for (char state = 0; state != 'S';) {
    FILE* file = fopen(path, "r");
    if (file == NULL || fgets(line, sizeof(line), file) == NULL) exit(3);
    fclose(file);
    state = strrchr(line, ')')[2];
  }
}

// Waits in one system call, and works afterwards if it was not interrupted. Meanwhile a child works until its
// time is over, prints its rounds, and ends the wait.
static void wait_then_work(const char* path) {
  int ends[2];
  if (pipe(ends) != 0) exit(3);
  pid_t parent = getpid();
  if (fork() == 0) {
    wait_until_asleep(parent);
    tell_who_loops(path);
    long times = 0;
    for (; !time_is_over; ++times) work(100);
    printf("%ld\n", times);
    exit(write(ends[1], "x", 1) == 1 ? 0 : 3);
  }
  char byte = 0;
  if (read(ends[0], &byte, 1) != 1) exit(4);
  work(1000);
  wait(NULL);
}

static void become(const char* n) {
  work(5);
  execl(self, self, "once", n, NULL);
}

static void load_library(const char* path) {
  void* library = dlopen(path, RTLD_NOW);
  void (*plugged)(long) = library == NULL ? NULL : (void (*)(long))dlsym(library, "plugged");
  if (plugged == NULL) exit(3);
  for (int i = 0; i < 3; ++i) plugged(7);
}

static const struct {
  const char* name;
  void (*run)(const char* argument);
} modes[] = {
    {"once", once},
    {"often", often},
    {"fall", fall},
    {"nested", nested},
    {"threads", threads},
    {"recursion", recursion},
    {"fork", fork_between},
    {"jump", jump},
    {"fork_inside", fork_inside},
    {"signals", signals},
    {"loop", loop},
    {"wait", wait_then_work},
    {"library", load_library},
    {"exec", become},
};

int main(int count, char** words) {
  self = words[0];
  for (size_t i = 0; count > 1 && i < sizeof(modes) / sizeof(modes[0]); ++i) {
    if (strcmp(words[1], modes[i].name) != 0) continue;
    modes[i].run(count > 2 ? words[2] : "0");
    return 0;
  }
  return 2;
}
