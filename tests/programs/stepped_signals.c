// SPDX-License-Identifier: MIT
// Sends bursts of real-time signals to a thread at each instruction on its way out of a signal handler, and
// checks that each signal arrives, in order: stepped_signals FILE. Prints the ID of the process that gets the
// signals, and begins when FILE exists. Exits with 0 and prints "all right" if no signal was lost.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  kNumbers = 2,
  kOfEach = 3,
  kMaxSteps = 60000,
  kStepsBefore = 150,
  kStepsBehind = 50,
  kRandomInstants = 30
};

// What the process that gets the signals has seen.
struct Seen {
  volatile int count[kNumbers];
  volatile int out_of_order;
};
static struct Seen* seen;
static pid_t receiver;
static int sent;  // of each number

static void on_burst(int number, siginfo_t* info, void* context) {
  (void)context;
  volatile int* count = &seen->count[number - SIGRTMIN - 1];
  if (info->si_value.sival_int != *count) ++seen->out_of_order;
  ++*count;
}

// The system call marks the point from which the tracer steps.
static void on_marker(int number) {
  (void)number;
  syscall(SYS_getppid);
}

static void receive(void) {
  struct sigaction action = {.sa_handler = on_marker};
  sigaction(SIGRTMIN, &action, NULL);
  action = (struct sigaction){.sa_sigaction = on_burst, .sa_flags = SA_SIGINFO};
  for (int i = 0; i < kNumbers; ++i) sigaction(SIGRTMIN + 1 + i, &action, NULL);
  while (1) raise(SIGRTMIN);
}

static void fail(const char* what) {
  printf("stepped_signals: %s: %s\n", what, strerror(errno));
  kill(receiver, SIGKILL);
  exit(2);
}

// Continues the receiver until its next stop. Returns the stop's signal; 0 for a stop of the tracer's own.
static int go_on(int request, int signal) {
  int status = 0;
  if (ptrace(request, receiver, NULL, signal) != 0) fail("ptrace");
  pid_t stopped = waitpid(receiver, &status, __WALL);
  if (stopped != receiver) fail("waitpid");
  if (!WIFSTOPPED(status)) {
    printf("stepped_signals: the receiver has ended, with wait status %#x\n", (unsigned)status);
    exit(2);
  }
  return status >> 16 != 0 ? 0 : WSTOPSIG(status);
}

static int is_call_stop(int stop) { return stop == (SIGTRAP | 0x80); }

// Runs to the end of the marker's system call.
static void run_to_marker(void) {
  struct user_regs_struct registers;
  int stop = 0, calls = 0;
  while (calls < 2) {
    stop = go_on(PTRACE_SYSCALL, is_call_stop(stop) ? 0 : stop);
    if (ptrace(PTRACE_GETREGS, receiver, NULL, &registers) != 0) fail("ptrace");
    calls = is_call_stop(stop) && registers.orig_rax == SYS_getppid ? calls + 1 : 0;
  }
}

// Executes one instruction. Signals that arrive are delivered first.
static void step(void) {
  int stop = 0;
  do stop = go_on(PTRACE_SINGLESTEP, stop);
  while (stop != SIGTRAP);
}

// Clears the trap flag, which a step over a system call may leave set.
static void end_steps(void) {
  struct user_regs_struct registers;
  const unsigned long long trap = 1 << 8;
  if (ptrace(PTRACE_GETREGS, receiver, NULL, &registers) != 0) fail("ptrace");
  registers.eflags &= ~trap;
  if (ptrace(PTRACE_SETREGS, receiver, NULL, &registers) != 0) fail("ptrace");
}

// Returns true if the next instruction makes the system call with this number.
static int is_at_call(long number) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, receiver, NULL, &registers) != 0) fail("ptrace");
  if ((long)registers.rax != number) return 0;
  return (ptrace(PTRACE_PEEKTEXT, receiver, registers.rip, NULL) & 0xffff) == 0x050f;
}

static void send_burst(void) {
  for (int i = 0; i < kOfEach; ++i, ++sent) {
    for (int j = 0; j < kNumbers; ++j) {
      siginfo_t info = {.si_code = SI_QUEUE};
      info.si_value.sival_int = sent;
      if (syscall(SYS_rt_tgsigqueueinfo, receiver, receiver, SIGRTMIN + 1 + j, &info) != 0) fail("sending");
    }
  }
}

static int all_came(void) {
  for (int i = 0; i < kNumbers; ++i) {
    if (seen->count[i] != sent) return 0;
  }
  return 1;
}

// Runs the receiver until all signals have come. Returns false if they do not come within a minute.
static int takes_all(void) {
  time_t end = time(NULL) + 60;
  int stop = 0;
  while (!all_came() && time(NULL) < end) stop = go_on(PTRACE_SYSCALL, is_call_stop(stop) ? 0 : stop);
  return all_came();
}

// Steps behind the marker, at most kStepsBehind instructions behind the return from the handler: the next
// handler must not be reached, because it may block SIGTRAP, and a step would then change its action.
static void step_behind_marker(int steps) {
  int behind = -1;
  run_to_marker();
  for (int i = 0; i < steps && behind < kStepsBehind; ++i) {
    if (behind >= 0 || is_at_call(SYS_rt_sigreturn)) ++behind;
    step();
  }
  end_steps();
}

// Sends a burst `steps` instructions behind the marker.
static int send_behind(int steps) {
  step_behind_marker(steps);
  send_burst();
  if (takes_all() && seen->out_of_order == 0) return 1;
  printf("%d instructions behind the marker: of %d signals each, %d and %d came, %d out of order\n", steps,
         sent, seen->count[0], seen->count[1], seen->out_of_order);
  return 0;
}

// Returns the number of instructions from the marker to the return from the handler.
static int steps_to_return(void) {
  int steps = 0;
  for (run_to_marker(); !is_at_call(SYS_rt_sigreturn); ++steps) {
    if (steps == kMaxSteps) fail("the handler does not return");
    step();
  }
  end_steps();
  return steps;
}

int main(int count, char** words) {
  seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  receiver = fork();
  if (receiver == 0) receive();
  printf("%d\n", receiver);
  fflush(stdout);
  while (count > 1 && access(words[1], F_OK) != 0) usleep(10000);
  if (ptrace(PTRACE_SEIZE, receiver, NULL, PTRACE_O_TRACESYSGOOD) != 0) fail("tracing");
  int status = 0;
  if (ptrace(PTRACE_INTERRUPT, receiver, NULL, NULL) != 0) fail("stopping");
  if (waitpid(receiver, &status, __WALL) != receiver) fail("stopping");
  steps_to_return();
  int steps = steps_to_return(), good = 1, instants = 0;  // the first time, code may have been copied
  int begin = steps < kStepsBefore ? 0 : steps - kStepsBefore;
  for (int at = begin; good && at < steps + kStepsBehind; ++at, ++instants) good = send_behind(at);
  srand(1);
  for (int i = 0; good && i < kRandomInstants; ++i, ++instants) good = send_behind(rand() % (steps + 1));
  kill(receiver, SIGKILL);
  if (good) printf("all right: %d instants, %d instructions to the return\n", instants, steps);
  return good ? 0 : 1;
}
