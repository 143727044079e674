// SPDX-License-Identifier: MIT
// Rules of signal(7) and sigaltstack(2) that programs rely on: signal_rules MODE. Prints its observations.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static char* self;
static volatile int came[65], order[256], ordered;
static volatile int values[4096], value_count;
static sigset_t in_handler;

static void count(int signal, siginfo_t* info, void* context) {
  (void)context;
  came[signal]++;
  if (ordered < 256) order[ordered++] = signal;
  if (info->si_code == SI_QUEUE && value_count < 4096) values[value_count++] = info->si_value.sival_int;
  sigprocmask(SIG_BLOCK, NULL, &in_handler);
}

static void catch (int signal, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = count;
  action.sa_flags = flags | SA_SIGINFO;
  sigaction(signal, &action, NULL);
}

static int is_left_alone(int signal) {
  return signal == SIGKILL || signal == SIGSTOP || signal == SIGSTKFLT || signal == SIGCONT ||
         signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU || signal == 32 || signal == 33;
}

// All signals at once, while they are blocked: shown by sigpending, and delivered before sigprocmask returns.
static void pending(void) {
  sigset_t all, old, found;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &old);
  for (int signal = 1; signal <= 64; ++signal) {
    if (is_left_alone(signal)) continue;
    catch (signal, 0);
    kill(getpid(), signal);
    sigpending(&found);
    if (!sigismember(&found, signal) || came[signal] != 0) printf("signal %d is not pending\n", signal);
  }
  if (fork() == 0) {
    sigpending(&found);
    for (int signal = 1; signal <= 64; ++signal) {
      if (sigismember(&found, signal)) printf("signal %d is pending in a child\n", signal);
    }
    for (int signal = 1; signal <= 64; ++signal) {
      if (!is_left_alone(signal)) kill(getppid(), signal);
    }
    _exit(0);
  }
  wait(NULL);
  sigprocmask(SIG_SETMASK, &old, NULL);
  for (int i = 0; i < ordered; ++i) printf("%d ", order[i]);
  printf("\n");
}

static void show_mask(const char* what) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("%s: in the handler USR1 %d USR2 %d HUP %d, then USR1 %d USR2 %d HUP %d; USR1 came %d, HUP %d\n",
         what, sigismember(&in_handler, SIGUSR1), sigismember(&in_handler, SIGUSR2),
         sigismember(&in_handler, SIGHUP), sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2),
         sigismember(&now, SIGHUP), came[SIGUSR1], came[SIGHUP]);
}

// A handler begins with the mask of the interrupted call.
static void masks(void) {
  sigset_t blocked, during;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGHUP);
  sigemptyset(&during);
  sigaddset(&during, SIGUSR2);
  catch (SIGUSR1, 0);
  catch (SIGHUP, 0);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  raise(SIGUSR1);
  printf("%d\n", sigsuspend(&during));
  show_mask("sigsuspend");
  raise(SIGUSR1);
  raise(SIGHUP);
  printf("%d\n", ppoll(NULL, 0, NULL, &during));
  show_mask("ppoll");
  raise(SIGHUP);
  printf("%d\n", pselect(0, NULL, NULL, NULL, NULL, &during));
  show_mask("pselect");
  // A child sends meanwhile.
  if (fork() == 0) {
    usleep(20000);
    kill(getppid(), SIGUSR1);
    _exit(0);
  }
  printf("%d\n", ppoll(NULL, 0, NULL, &during));
  show_mask("ppoll, later");
  wait(NULL);
}

static char first[65536], second[65536];
static void rearm(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info;
  const ucontext_t* frame = context;
  stack_t next = {.ss_sp = second, .ss_size = sizeof(second)}, old;
  int result = sigaltstack(&next, &old) == 0 ? 0 : errno;
  printf("in the handler %d: %x %d %zu; frame %x %d %zu\n", result, (unsigned)old.ss_flags,
         old.ss_sp == (void*)first, old.ss_size, (unsigned)frame->uc_stack.ss_flags,
         frame->uc_stack.ss_sp == (void*)first, frame->uc_stack.ss_size);
}

static void stack(void) {
  static const unsigned flags[] = {0, 1, 1u << 31, 1u << 31 | 1, SS_DISABLE, 1u << 31 | SS_DISABLE};
  for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
    for (int use = 0; use < 2; ++use) {
      stack_t next = {.ss_sp = first, .ss_flags = (int)flags[i], .ss_size = sizeof(first)}, old;
      struct sigaction action = {.sa_flags = SA_SIGINFO | (use ? SA_ONSTACK : 0)};
      action.sa_sigaction = rearm;
      sigaction(SIGUSR1, &action, NULL);
      printf("flags %x, used %d: %d\n", flags[i], use, sigaltstack(&next, NULL));
      raise(SIGUSR1);
      sigaltstack(NULL, &old);
      printf("then %x %d %zu\n", (unsigned)old.ss_flags, old.ss_sp == (void*)first, old.ss_size);
    }
  }
}

static void show_actions(const char* what) {
  for (int signal = 1; signal <= 64; ++signal) {
    struct sigaction action;
    if (signal == 32 || signal == 33 || sigaction(signal, NULL, &action) != 0) continue;
    if (action.sa_handler != SIG_DFL || action.sa_flags != 0)
      printf("%s: signal %d %s %x\n", what, signal, action.sa_handler == SIG_IGN ? "ignored" : "caught",
             (unsigned)action.sa_flags);
  }
  fflush(stdout);
}

static void end_child(void) {
  struct sigaction action;
  int kept = sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler != SIG_DFL;
  int ignored = sigaction(SIGBUS, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
  raise(SIGBUS);
  _exit(10 + 2 * kept + ignored);
}

// Like posix_spawn(3): the child has a stack of its own in common memory.
static void clear_sharing(unsigned long long flags) {
  static char memory[65536] __attribute__((aligned(16)));
  struct clone_args arguments = {
      .flags = flags, .exit_signal = SIGCHLD, .stack = (unsigned long)memory, .stack_size = sizeof(memory)};
  long child = SYS_clone3;
  __asm__ volatile("syscall\n\ttest %%rax, %%rax\n\tjnz 1f\n\tcall *%3\n1:"
                   : "+a"(child)
                   : "D"(&arguments), "S"(sizeof(arguments)), "r"(end_child)
                   : "rcx", "r11", "memory");
  int status = 0;
  waitpid((pid_t)child, &status, 0);
  printf("common memory, flags %llx: status %x\n", flags, (unsigned)status);
}

// CLONE_CLEAR_SIGHAND, with and without common memory.
static void clear(void) {
  catch (SIGUSR1, SA_RESTART);
  catch (SIGSEGV, SA_ONSTACK);
  catch (SIGFPE, 0);
  signal(SIGBUS, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  const unsigned long long flags[] = {0, CLONE_VFORK, CLONE_CLEAR_SIGHAND, CLONE_CLEAR_SIGHAND | CLONE_VFORK};
  fflush(stdout);
  for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
    struct clone_args arguments = {.flags = flags[i], .exit_signal = SIGCHLD};
    long child = syscall(SYS_clone3, &arguments, sizeof(arguments));
    if (child == 0) {
      show_actions("child");
      raise(SIGBUS);
      raise(SIGUSR1);
      _exit(came[SIGUSR1]);
    }
    int status = 0;
    waitpid((pid_t)child, &status, 0);
    printf("flags %llx: status %x\n", flags[i], (unsigned)status);
    fflush(stdout);
  }
  clear_sharing(CLONE_VM | CLONE_VFORK);
  clear_sharing(CLONE_VM | CLONE_VFORK | CLONE_CLEAR_SIGHAND);
  clear_sharing(CLONE_VM | CLONE_CLEAR_SIGHAND);
  show_actions("parent");
}

static int show_stack(void* pipe_end) {
  stack_t now;
  sigaltstack(NULL, &now);
  char text[64];
  int length = snprintf(text, sizeof(text), "child's stack %x %d\n", (unsigned)now.ss_flags,
                        now.ss_sp == (void*)first);
  return write(*(int*)pipe_end, text, (size_t)length) == length ? 0 : 1;
}

// The signal stack and the actions of children that share memory.
static void vfork_children(void) {
  const int flags[] = {0, CLONE_VM | CLONE_VFORK, CLONE_VM, CLONE_VFORK};
  stack_t next = {.ss_sp = first, .ss_size = sizeof(first)};
  sigaltstack(&next, NULL);
  int out = STDOUT_FILENO;
  for (int i = 0; i < 4; ++i) {
    char* memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t child = clone(show_stack, memory + 65536, flags[i] | SIGCHLD, &out);
    int status = 0;
    waitpid(child, &status, 0);
    printf("status %x\n", (unsigned)status);
    fflush(stdout);
  }
}

static pthread_t receiver;
static volatile int receives;
static void* receive(void* unused) {
  receives = 1;
  while (came[SIGTERM] == 0) usleep(1000);
  return unused;
}

// 1,000 queued signals of three numbers, to a thread that computes meanwhile.
static void burst(void) {
  for (int i = 0; i < 3; ++i) catch (40 + i, 0);
  catch (SIGTERM, 0);
  pthread_create(&receiver, NULL, receive, NULL);
  while (!receives) usleep(100);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  for (int i = 0; i < 1000; ++i) {
    union sigval value = {.sival_int = i};
    while (pthread_sigqueue(receiver, 40, value) != 0) usleep(1000);
  }
  pthread_kill(receiver, SIGTERM);
  pthread_join(receiver, NULL);
  int in_order = value_count == 1000;
  for (int i = 0; i < value_count; ++i) in_order = in_order && values[i] == i;
  printf("%d came, in order %d\n", value_count, in_order);
}

static void* count_slowly(void* unused) {
  for (volatile int i = 0; i < 20000000; ++i) continue;
  return unused;
}

// SIGSTKFLT, which the kernel never sends, but programs may: also while threads share a core.
static void stack_fault(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, count_slowly, NULL);
  catch (SIGSTKFLT, 0);
  raise(SIGSTKFLT);
  kill(getpid(), SIGSTKFLT);
  sigqueue(getpid(), SIGSTKFLT, (union sigval){.sival_int = 5});
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  printf("handled %d, the last value is %d\n", came[SIGSTKFLT], values[0]);
  signal(SIGSTKFLT, SIG_IGN);
  raise(SIGSTKFLT);
  kill(getpid(), SIGSTKFLT);
  catch (SIGSTKFLT, 0);
  sigset_t set, found;
  sigemptyset(&set);
  sigaddset(&set, SIGSTKFLT);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGSTKFLT);
  sigpending(&found);
  printf("blocked: handled %d, pending %d\n", came[SIGSTKFLT], sigismember(&found, SIGSTKFLT));
  siginfo_t info;
  int taken = sigwaitinfo(&set, &info);
  printf("waited for: signal %d with code %d, from itself %d\n", taken, info.si_code,
         info.si_pid == getpid());
  raise(SIGSTKFLT);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  printf("unblocked: handled %d\n", came[SIGSTKFLT]);
  signal(SIGSTKFLT, SIG_DFL);
  fflush(stdout);
  for (int by_kill = 0; by_kill < 2; ++by_kill) {
    pid_t child = fork();
    if (child == 0) {
      if (by_kill)
        kill(getpid(), SIGSTKFLT);
      else
        raise(SIGSTKFLT);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("by default: status %x\n", (unsigned)status & 0x7fu);
  }
}

static void show_pending(void) {
  sigset_t now;
  sigpending(&now);
  for (int signal = 1; signal <= 64; ++signal) {
    if (sigismember(&now, signal)) printf("%d ", signal);
  }
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("pending; blocked");
  for (int signal = 1; signal <= 64; ++signal) {
    if (sigismember(&now, signal)) printf(" %d", signal);
  }
  printf("\n");
}

// The next program inherits pending, blocked and ignored signals; a failed execve(2) changes nothing.
static void exec(void) {
  sigset_t set;
  sigemptyset(&set);
  const int sent[] = {SIGUSR1, SIGSEGV, SIGTRAP, SIGBUS, 45};
  for (int i = 0; i < 5; ++i) sigaddset(&set, sent[i]);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGFPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  catch (SIGUSR2, 0);
  for (int i = 0; i < 5; ++i) raise(sent[i]);
  char* arguments[] = {self, "show", NULL};
  printf("%d\n", execv("/no/such/program", arguments));
  show_pending();
  raise(SIGUSR2);
  printf("%d\n", came[SIGUSR2]);
  fflush(stdout);
  execv(self, arguments);
}

static void show(void) {
  show_actions("next");
  show_pending();
}

static void fork_pending(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGFPE);
  catch (SIGUSR1, 0);
  catch (SIGFPE, 0);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  raise(SIGFPE);
  fflush(stdout);
  if (fork() == 0) {
    show_pending();
    fflush(stdout);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    _exit(came[SIGUSR1] + came[SIGFPE]);
  }
  int status = 0;
  wait(&status);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  printf("status %x, came %d %d\n", (unsigned)status, came[SIGUSR1], came[SIGFPE]);
}

static const struct {
  const char* name;
  void (*run)(void);
} modes[] = {{"pending", pending},
             {"masks", masks},
             {"stack", stack},
             {"clear", clear},
             {"vfork", vfork_children},
             {"burst", burst},
             {"exec", exec},
             {"show", show},
             {"fork", fork_pending},
             {"stack_fault", stack_fault}};

int main(int argument_count, char** arguments) {
  self = arguments[0];
  for (unsigned i = 0; argument_count > 1 && i < sizeof(modes) / sizeof(modes[0]); ++i) {
    if (strcmp(arguments[1], modes[i].name) != 0) continue;
    modes[i].run();
    return 0;
  }
  return 2;
}
