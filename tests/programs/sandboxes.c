// SPDX-License-Identifier: MIT
// Programs that restrict their own system calls, or let them be traced: sandboxes WAY. Each does some work in
// its sandbox, and prints the result and its filter's or tracer's observations.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#define ALLOW(number) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

enum { kWords = 1 << 16 };
static unsigned words[kWords];
static char text[256];

static int by_value(const void* a, const void* b) {
  return *(const unsigned*)a < *(const unsigned*)b ? -1 : 1;
}

// Needs no system call except the one that writes.
static void work(const char* name) {
  unsigned x = 1, sum = 0;
  for (int i = 0; i < kWords; ++i) words[i] = x = x * 1664525 + 1013904223;
  for (int i = 1; i < kWords; ++i) sum += words[i] ^ words[(i * 2654435761u) % kWords];
  int length = snprintf(text, sizeof(text), "%s: %u\n", name, sum);
  (void)!write(1, text, (size_t)length);
}

static void install(unsigned refusal, unsigned flags) {
  struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 ALLOW(SYS_write),
                                 ALLOW(SYS_exit_group),
                                 ALLOW(SYS_exit),
                                 ALLOW(SYS_brk),
                                 ALLOW(SYS_rt_sigreturn),
                                 ALLOW(SYS_futex),
                                 BPF_STMT(BPF_RET | BPF_K, refusal)};
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) != 0) _exit(3);
}

// Computes for some seconds, without a system call. Prints the result if it was the same each time.
static void work_long(const char* name) {
  unsigned first = 0, x = 1;
  bool same = true;
  for (int i = 0; i < kWords; ++i) words[i] = x = x * 1664525 + 1013904223;
  for (int round = 0; round < 80000; ++round) {
    unsigned sum = 0;
    for (int i = 0; i < kWords; ++i) sum += words[(unsigned)i * 2654435761u % kWords] ^ (unsigned)i;
    if (round == 0) first = sum;
    same &= sum == first;
  }
  int length = snprintf(text, sizeof(text), "%s: %s\n", name, same ? "the same" : "different");
  (void)!write(1, text, (size_t)length);
}

// As engines of containers do: some calls fail, one depends on its argument, all others are permitted.
static void install_of_container(unsigned refusal) {
  struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                                 BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 3),
                                 BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0),
                                 BPF_STMT(BPF_RET | BPF_K, refusal),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mount, 2, 0),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_keyctl, 1, 0),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                                 BPF_STMT(BPF_RET | BPF_K, refusal)};
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) _exit(3);
}

static void container(void) {
  install_of_container(SECCOMP_RET_ERRNO | EPERM);
  work_long("container");
}

static void trapping(void) {
  install_of_container(SECCOMP_RET_TRAP);
  work_long("trapping");
}

static void allow_list_long(void) {
  install(SECCOMP_RET_KILL_PROCESS, 0);
  work_long("allow list");
}

static void strict_long(void) {
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(3);
  work_long("strict");
  syscall(SYS_exit, 0);
}

static void strict(void) {
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(3);
  work("strict");
  syscall(SYS_exit, 0);
}

static void allow_list(void) {
  install(SECCOMP_RET_KILL_PROCESS, 0);
  work("allow list");
  qsort(words, kWords / 16, sizeof(*words), by_value);
  work("sorted");
}

static void refuses(void) {
  install(SECCOMP_RET_ERRNO | ENOSYS, 0);
  errno = 0;
  long result = syscall(SYS_getuid);
  printf("getuid: %ld, errno %d\n", result, errno);
  fflush(stdout);
  work("refuses");
}

extern const char call_of_test[], behind_call_of_test[];
static volatile int traps, right_places;
static void on_refusal(int signal, siginfo_t* info, void* context) {
  (void)signal;
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  ++traps;
  right_places += info->si_call_addr == (void*)behind_call_of_test &&
                  registers[REG_RIP] == (greg_t)behind_call_of_test && info->si_syscall == SYS_getppid;
  registers[REG_RAX] = 77;
}

// getppid by an instruction with a known address.
static long trapped_call(void) {
  long result = SYS_getppid;
  __asm__ volatile("call_of_test: syscall\nbehind_call_of_test:" : "+a"(result) : : "rcx", "r11", "memory");
  return result;
}

static void handled(void) {
  struct sigaction action = {.sa_sigaction = on_refusal, .sa_flags = SA_SIGINFO};
  sigaction(SIGSYS, &action, 0);
  install(SECCOMP_RET_TRAP, 0);
  long sum = 0;
  for (int i = 0; i < 10; ++i) sum += trapped_call();
  int length =
      snprintf(text, sizeof(text), "sum %ld, traps %d at the right place %d\n", sum, traps, right_places);
  (void)!write(1, text, (size_t)length);
  work("handled");
}

// The filter's thread may find each of them awake, asleep in a call, or computing.
static volatile int done;
static int ends[2];
static void* reader(void* ignored) {
  char byte;
  return read(ends[0], &byte, 1) == 1 ? ignored : 0;
}
static void* computer(void* ignored) {
  for (volatile unsigned i = 0; !done; ++i) {
  }
  return ignored;
}
static void of_all_threads(void) {
  pthread_t threads[4];
  if (pipe(ends) != 0) return;
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, i % 2 ? reader : computer, words);
  usleep(20000);
  install(SECCOMP_RET_ERRNO | EPERM, SECCOMP_FILTER_FLAG_TSYNC);
  work("all threads");
  done = 1;
  (void)!write(ends[1], "ab", 2);
  usleep(1);
  _exit(0);
}

// Threads whose stack pointer holds another value for a while: a count, or an address in a table that is only
// read. No signal handler could run there.
static const long kTable[1024] = {[0 ... 1023] = 3};
static void* counts_in_stack_pointer(void* unused) {
  while (!done) {
    __asm__ volatile(
        "mov %%rsp, %%r12\n\t"
        "mov $10000, %%rsp\n"
        "1: sub $1, %%rsp\n\t"
        "jnz 1b\n\t"
        "mov %%r12, %%rsp"
        :
        :
        : "r12", "cc", "memory");
  }
  return unused;
}
static void* sums_by_stack_pointer(void* unused) {
  long sum = 3 * 1024;
  while (!done && sum == 3 * 1024) {
    __asm__ volatile(
        "mov %%rsp, %%r12\n\t"
        "mov %[table], %%rsp\n\t"
        "xor %[sum], %[sum]\n"
        "1: pop %%r13\n\t"
        "add %%r13, %[sum]\n\t"
        "cmp %[end], %%rsp\n\t"
        "jne 1b\n\t"
        "mov %%r12, %%rsp"
        : [sum] "=&b"(sum)
        : [table] "r"(kTable), [end] "r"(kTable + 1024)
        : "r12", "r13", "cc", "memory");
  }
  if (sum != 3 * 1024) printf("the table was changed\n");
  return unused;
}
static void other_stack_pointers(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], 0, i % 2 ? counts_in_stack_pointer : sums_by_stack_pointer, words);
  usleep(20000);
  install(SECCOMP_RET_ERRNO | EPERM, SECCOMP_FILTER_FLAG_TSYNC);
  work("other stack pointers");
  done = 1;
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  printf("all have ended\n");
}

// A common feature test; and a filter of one thread, which other threads lack.
static void* with_filter(void* unused) {
  install(SECCOMP_RET_ERRNO | EPERM, 0);
  long denied = syscall(SYS_getppid);
  return denied == -1 ? unused : 0;
}
static void of_one_thread(void) {
  int probe = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 0);
  printf("probe %d %s\n", probe, strerror(errno));
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, with_filter, words);
  pthread_join(thread, &result);
  printf("the thread's call was denied: %d, ours is: %d\n", result == words, syscall(SYS_getppid) == -1);
  fflush(stdout);
  work("one thread");
}

static volatile char selector;
static volatile int dispatched, number;
static void on_dispatch(int signal, siginfo_t* info, void* context) {
  (void)signal;
  selector = 0;
  ++dispatched;
  number = info->si_syscall;
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_RAX] = 77;
}
static void user_dispatch(void) {
  struct sigaction action = {.sa_sigaction = on_dispatch, .sa_flags = SA_SIGINFO};
  sigaction(SIGSYS, &action, 0);
  int failed = prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, 0, 0, &selector);
  long sum = 0;
  for (int i = 0; i < 5; ++i) {
    selector = 1;
    sum += syscall(SYS_getuid);
    selector = 0;
  }
  printf("failed %d, sum %ld, dispatched %d, number %d\n", failed, sum, dispatched, number);
}

// In a child; the parent continues unrestricted.
static void child(void) {
  if (fork() == 0) {
    allow_list();
    _exit(5);
  }
  int status = 0;
  wait(&status);
  printf("the child's status: %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

// The time-stamp counter, after the program has disabled it.
static void time_stamps(void) {
  printf("before: %d\n", __builtin_ia32_rdtsc() != 0);
  int failed = prctl(PR_SET_TSC, PR_TSC_SIGSEGV), state = 0;
  prctl(PR_GET_TSC, &state);
  printf("failed %d, state %d\n", failed, state);
  fflush(stdout);
  work("without time stamps");
  printf("after: %d\n", __builtin_ia32_rdtsc() != 0);
}

// Prints a traced child's system calls and signals.
static void follow(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, child, NULL, &registers);
    bool of_call = WSTOPSIG(status) == SIGTRAP;
    if (of_call) printf("call %lld\n", (long long)registers.orig_rax);
    if (!of_call) printf("signal %d\n", WSTOPSIG(status));
    ptrace(PTRACE_SYSCALL, child, NULL, NULL);
  }
  printf("status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

// The parent traces the child, and lets it receive no signals.
static void traced(void) {
  fflush(stdout);
  pid_t child = fork();
  if (child != 0) return follow(child);
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGSTOP);
  work("traced");
  syscall(SYS_close, 99);
  raise(SIGUSR1);
  _exit(5);
}

int main(int count, char** arguments) {
  static const struct {
    const char* name;
    void (*way)(void);
  } kWays[] = {{"strict", strict},
               {"allow_list", allow_list},
               {"refuses", refuses},
               {"handled", handled},
               {"all_threads", of_all_threads},
               {"other_stack_pointers", other_stack_pointers},
               {"one_thread", of_one_thread},
               {"user_dispatch", user_dispatch},
               {"time_stamps", time_stamps},
               {"child", child},
               {"traced", traced},
               {"container", container},
               {"trapping", trapping},
               {"allow_list_long", allow_list_long},
               {"strict_long", strict_long}};
  for (unsigned i = 0; i < sizeof(kWays) / sizeof(*kWays); ++i) {
    if (count > 1 && strcmp(arguments[1], kWays[i].name) == 0) kWays[i].way();
  }
  return 0;
}
