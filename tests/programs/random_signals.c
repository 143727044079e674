// SPDX-License-Identifier: MIT
// Sends itself signals, blocks and unblocks them, waits for them, and changes actions, at random from a fixed
// seed, also within handlers: random_signals SEED. Prints the signals in order. The thread sends all signals
// itself, so the order is the same in each run.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static const int signals[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGTERM, SIGCHLD, SIGWINCH, SIGILL, SIGTRAP,
                              SIGBUS, SIGFPE,  SIGSEGV, 34,      35,      50,       64};
enum { kSignals = sizeof(signals) / sizeof(signals[0]), kSteps = 300, kDepth = 4 };

static uint32_t state;
static int depth, budget;
static char stack[1 << 18];

static uint32_t random_number(uint32_t below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

static int any_signal(void) { return signals[random_number(kSignals)]; }

static sigset_t any_set(uint32_t in_hundred) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < kSignals; ++i) {
    if (random_number(100) < in_hundred) sigaddset(&set, signals[i]);
  }
  return set;
}

static void show_set(const char* what, const sigset_t* set) {
  printf("%*s%s", 2 * depth, "", what);
  for (int i = 0; i < kSignals; ++i) {
    if (sigismember(set, signals[i])) printf(" %d", signals[i]);
  }
  printf("\n");
}

static void step(void);

static void handler(int signal, siginfo_t* info, void* context) {
  const ucontext_t* frame = context;
  sigset_t mask;
  stack_t now;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigaltstack(NULL, &now);
  ++depth;
  printf("%*shandler of %d: %d code %d value %d, stack %x, before %x\n", 2 * depth, "", signal,
         info->si_signo, info->si_code, info->si_code == SI_QUEUE ? info->si_value.sival_int : 0,
         (unsigned)now.ss_flags, (unsigned)frame->uc_stack.ss_flags);
  show_set("masked", &mask);
  show_set("later", &frame->uc_sigmask);
  if (depth < kDepth) {
    for (uint32_t i = random_number(4); i > 0; --i) step();
  }
  printf("%*send of %d\n", 2 * depth, "", signal);
  --depth;
}

static void change_action(void) {
  static const int flags[] = {SA_NODEFER, SA_RESETHAND, SA_ONSTACK, SA_RESTART};
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  for (int i = 0; i < 4; ++i) {
    if (random_number(4) == 0) action.sa_flags |= flags[i];
  }
  action.sa_mask = any_set(20);
  if (random_number(12) == 0) action.sa_handler = SIG_IGN;
  sigaction(any_signal(), &action, NULL);
}

// With SA_RESETHAND, the next such signal would end the program.
static void repair_actions(void) {
  for (int i = 0; i < kSignals; ++i) {
    struct sigaction action;
    sigaction(signals[i], NULL, &action);
    if (action.sa_handler != SIG_DFL) continue;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(signals[i], &action, NULL);
  }
}

// These come in the order of sending to a thread: the copying engine cannot leave them to the kernel.
static int is_raised_by_faults(int signal) {
  return signal == SIGILL || signal == SIGTRAP || signal == SIGBUS || signal == SIGFPE || signal == SIGSEGV;
}

static void send(void) {
  int signal = any_signal();
  union sigval value = {.sival_int = (int)random_number(1000)};
  repair_actions();
  uint32_t how = random_number(3);
  if (is_raised_by_faults(signal)) how = 1;
  switch (how) {
    case 0:
      printf("%*skill %d\n", 2 * depth, "", signal);
      kill(getpid(), signal);
      break;
    case 1:
      printf("%*sraise %d\n", 2 * depth, "", signal);
      raise(signal);
      break;
    default:
      printf("%*squeue %d %d\n", 2 * depth, "", signal, value.sival_int);
      sigqueue(getpid(), signal, value);
  }
}

// Pending signals that are not in `set`.
static int would_come(const sigset_t* set) {
  sigset_t pending;
  sigpending(&pending);
  for (int i = 0; i < kSignals; ++i) {
    struct sigaction action;
    sigaction(signals[i], NULL, &action);
    int comes = action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL;
    if (comes && sigismember(&pending, signals[i]) && !sigismember(set, signals[i])) return 1;
  }
  return 0;
}

static void wait_with_mask(void) {
  sigset_t set = any_set(50);
  struct timespec none = {0, 1000000};
  struct pollfd nothing = {-1, 0, 0};
  repair_actions();
  int comes = would_come(&set), result = 0;
  show_set("wait without", &set);
  switch (random_number(3)) {
    case 0:
      if (comes) result = sigsuspend(&set);
      break;
    case 1:
      result = ppoll(&nothing, 1, &none, &set);
      break;
    default:
      result = pselect(0, NULL, NULL, NULL, &none, &set);
  }
  printf("%*swaited: %d %d\n", 2 * depth, "", result, result < 0 ? errno : 0);
}

static void take(void) {
  sigset_t set = any_set(40);
  siginfo_t info = {0};
  struct timespec none = {0, 0};
  if (random_number(2) == 0) {
    int signal = sigtimedwait(&set, &info, &none);
    printf("%*staken: %d code %d\n", 2 * depth, "", signal, signal > 0 ? info.si_code : 0);
    return;
  }
  struct signalfd_siginfo read_info = {0};
  int file = signalfd(-1, &set, SFD_NONBLOCK);
  ssize_t bytes = read(file, &read_info, sizeof(read_info));
  printf("%*sread: %zd %u code %d\n", 2 * depth, "", bytes, read_info.ssi_signo, read_info.ssi_code);
  close(file);
}

static void change_stack(void) {
  static const unsigned flags[] = {0, SS_DISABLE, 1u << 31};
  stack_t next = {.ss_sp = stack, .ss_flags = (int)flags[random_number(3)], .ss_size = sizeof(stack)};
  printf("%*ssigaltstack: %d\n", 2 * depth, "", sigaltstack(&next, NULL));
}

static void change_mask(void) {
  static const int how[] = {SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK};
  sigset_t set = any_set(40);
  repair_actions();
  sigprocmask(how[random_number(3)], &set, NULL);
  sigpending(&set);
  show_set("pending", &set);
}

static void step(void) {
  if (--budget < 0) return;
  switch (random_number(8)) {
    case 0:
      return change_action();
    case 1:
      return wait_with_mask();
    case 2:
      return take();
    case 3:
      return change_stack();
    case 4:
      return change_mask();
    default:
      return send();
  }
}

int main(int count, char** words) {
  state = count > 1 ? (uint32_t)atoi(words[1]) : 1;
  budget = kSteps;
  setvbuf(stdout, NULL, _IOLBF, 0);
  repair_actions();
  for (int i = 0; i < kSignals; ++i) {
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = handler;
    sigaction(signals[i], &action, NULL);
  }
  while (budget > 0) step();
  return 0;
}
