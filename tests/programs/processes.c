// SPDX-License-Identifier: MIT
// Processes and threads in every way that Linux has, each with a known number of x87 additions (which no
// other code here or in the C library executes): processes MODE.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static const float one = 1;
static char* self;

static void add(long additions) {
  __asm__ volatile("fldz\n1:\tfadds %1\n\tdec %0\n\tjnz 1b\n\tfstp %%st" : "+r"(additions) : "m"(one) : "cc");
}

static void* thread(void* number) {
  add(1000 * (long)(intptr_t)number);
  return NULL;
}

// Thread i of n adds 1000 * i times.
static void threads(const char* number) {
  long n = atol(number);
  pthread_t* ids = calloc((size_t)n, sizeof(*ids));
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (long i = 0; i < n; ++i) {
    if (pthread_create(&ids[i], &small, thread, (void*)(intptr_t)(i + 1)) != 0) exit(3);
  }
  for (long i = 0; i < n; ++i) pthread_join(ids[i], NULL);
  free(ids);
}

static void handler(int number, siginfo_t* info, void* context) {
  (void)context;
  if (number != info->si_signo) _exit(4);
  add(10);
}

// 50 signals on a separate stack, with 30 additions each.
static void signals(const char* unused) {
  (void)unused;
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0) exit(3);
  for (int i = 0; i < 50; ++i) {
    raise(SIGUSR1);
    add(20);
  }
}

static pid_t child_works(long additions) {
  pid_t child = fork();
  if (child == 0) {
    add(additions);
    _exit(0);
  }
  return child;
}

// 4000 in the parent, 1000 of them before the fork; 2000 in the child.
static void fork_once(const char* unused) {
  (void)unused;
  add(1000);
  pid_t child = child_works(2000);
  add(3000);
  waitpid(child, NULL, 0);
}

// 500, after 1000 in the previous image.
static void exec_self(const char* unused) {
  (void)unused;
  add(1000);
  char* arguments[] = {self, "work", "500", NULL};
  execv(self, arguments);
}

// 300 each: posix_spawn, vfork.
static void spawn(const char* unused) {
  (void)unused;
  char* arguments[] = {self, "work", "300", NULL};
  pid_t child;
  if (posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0) exit(3);
  waitpid(child, NULL, 0);
  child = vfork();
  if (child == 0) {
    execv(self, arguments);
    _exit(1);
  }
  waitpid(child, NULL, 0);
}

// A process in a new session, with 700 additions after the command has ended.
static void daemonize(const char* unused) {
  (void)unused;
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  usleep(50000);
  add(700);
}

static void many(const char* number) {
  long n = atol(number);
  for (long i = 0; i < n; ++i) waitpid(child_works(10), NULL, 0);
}

// Closes all descriptors, then adds 400, and a child 40.
static void close_all(const char* unused) {
  (void)unused;
  for (int fd = 0; fd < 4096; ++fd) close(fd);
  syscall(SYS_close_range, 3u, ~0u, 0u);
  add(400);
  waitpid(child_works(40), NULL, 0);
}

// In another root adds 600, and a child 60.
static void change_root(const char* folder) {
  if (chroot(folder) != 0 || chdir("/") != 0) exit(3);
  add(600);
  waitpid(child_works(60), NULL, 0);
}

static volatile int works;

static void* work_for_ever(void* unused) {
  add(100000);
  works = 1;
  for (;;) add(1);
  return unused;
}

// A thread without system calls adds 100000 or more. Then the process ends, or executes another program,
// which adds 50, or a signal kills it: HOW is exit, exec or signal.
static void abandon(const char* how) {
  pthread_t id;
  if (pthread_create(&id, NULL, work_for_ever, NULL) != 0) exit(3);
  while (!works) continue;
  char* arguments[] = {self, "work", "50", NULL};
  if (strcmp(how, "exec") == 0) execv(self, arguments);
  if (strcmp(how, "signal") == 0) raise(SIGTERM);
  _exit(0);
}

static pid_t child_exits(int ready) {
  pid_t child = fork();
  if (child != 0) return child;
  add(10);
  if (write(ready, "", 1) != 1) _exit(1);
  _exit(0);
}

// Each of n children adds 10 and exits while two fatal signals arrive.
static void kill_exiting(const char* number) {
  long n = atol(number);
  int ends[2];
  char ready;
  if (pipe(ends) != 0) exit(3);
  for (long i = 0; i < n; ++i) {
    pid_t child = child_exits(ends[1]);
    if (read(ends[0], &ready, 1) != 1) exit(3);
    for (volatile long delay = 0; delay < 100 * i; ++delay) continue;
    kill(child, SIGTERM);
    kill(child, SIGHUP);
    waitpid(child, NULL, 0);
  }
}

static void add_only(const char* number) { add(atol(number)); }

static const struct {
  const char* name;
  void (*run)(const char* argument);
} modes[] = {
    {"work", add_only},   {"threads", threads},    {"signals", signals},  {"fork", fork_once},
    {"exec", exec_self},  {"spawn", spawn},        {"daemon", daemonize}, {"many", many},
    {"close", close_all}, {"chroot", change_root}, {"abandon", abandon},  {"kill", kill_exiting},
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
