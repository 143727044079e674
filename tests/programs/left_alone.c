// SPDX-License-Identifier: MIT
// Process-wide behaviour that a program may rely on: left_alone MODE.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long locked_kib(void) {
  char line[256];
  long kib = -1;
  FILE* status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof(line), status)) sscanf(line, "VmLck: %ld", &kib);
  fclose(status);
  return kib;
}

static void drop_lock_capability(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  syscall(SYS_capget, &head, sets);
  sets[0].effective &= ~(1u << CAP_IPC_LOCK);
  sets[0].permitted &= ~(1u << CAP_IPC_LOCK);
  sets[0].inheritable = 0;
  syscall(SYS_capset, &head, sets);
}

static void map_a_megabyte(const char* when) {
  long before = locked_kib();
  char* memory = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("%s: mmap %s, locks %ld KiB more\n", when, memory == MAP_FAILED ? strerror(errno) : "done",
         locked_kib() - before);
}

static int lock_all(int flags, rlim_t limit) {
  struct rlimit both;
  getrlimit(RLIMIT_MEMLOCK, &both);
  both.rlim_cur = limit < both.rlim_max ? limit : both.rlim_max;
  setrlimit(RLIMIT_MEMLOCK, &both);
  int result = mlockall(flags);
  long kib = locked_kib();
  printf("mlockall(%d) up to %lu MiB: %s, locks %s\n", flags, (unsigned long)limit >> 20,
         result != 0 ? strerror(errno) : "done",
         kib == 0     ? "nothing"
         : kib < 8192 ? "less than 8 MiB"
                      : "more");
  return result;
}

// mlockall(2), by a program that may lock only a few MiB.
static void locked(void) {
  drop_lock_capability();
  lock_all(0, 8 << 20);
  lock_all(8, 8 << 20);
  lock_all(MCL_ONFAULT, 8 << 20);
  lock_all(MCL_CURRENT, 1 << 20);
  lock_all(MCL_CURRENT, 8 << 20);
  map_a_megabyte("current");
  lock_all(MCL_FUTURE, 8 << 20);
  map_a_megabyte("future");
  fflush(stdout);
  if (fork() == 0) {
    printf("a child has locked %ld\n", locked_kib());
    map_a_megabyte("a child");
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
  void* before = sbrk(0);
  long kib = locked_kib();
  printf("brk: %d", sbrk(1 << 20) == before);
  printf(", locks %ld KiB more\n", locked_kib() - kib);
  void* large = mmap(0, 256 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("beyond the limit: %s\n", large == MAP_FAILED ? strerror(errno) : "done");
  printf("munlockall %d, locked then %ld\n", munlockall(), locked_kib());
  map_a_megabyte("then");
  lock_all(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT, 8 << 20);
  map_a_megabyte("on fault");
}

// A fatal signal ends the wait for a vfork's child, which continues.
static void killed_in_vfork(void) {
  static const int signals[] = {SIGTERM, SIGALRM, SIGKILL, SIGHUP};
  for (int i = 0; i < 4; ++i) {
    int alive[2], begun[2];
    char byte = 0;
    if (pipe(alive) != 0 || pipe(begun) != 0) return;
    pid_t waiting = fork();
    if (waiting == 0) {
      signal(SIGHUP, SIG_IGN);
      close(alive[1]);
      if (vfork() == 0) {
        if (write(begun[1], "b", 1) == 1 && read(alive[0], &byte, 1) == 0) _exit(0);
      }
      _exit(3);
    }
    close(alive[0]);
    if (read(begun[0], &byte, 1) != 1) return;
    usleep(1000);
    kill(waiting, signals[i]);
    int status = 0;
    if (signals[i] == SIGHUP) close(alive[1]);
    waitpid(waiting, &status, 0);
    if (signals[i] != SIGHUP) close(alive[1]);
    printf("signal %d: status %x\n", signals[i], (unsigned)status);
  }
  // After vfork, signals are handled as before.
  if (vfork() == 0) _exit(0);
  wait(NULL);
  if (fork() == 0) {
    if (vfork() == 0) _exit(0);
    raise(SIGTERM);
  }
  int status = 0;
  wait(&status);
  printf("later: status %x\n", (unsigned)status);
}

static char stack[65536] __attribute__((aligned(16)));
static int says[2], go[2];

static int outlive(void* unused) {
  (void)unused;
  char byte;
  int got = read(go[0], &byte, 1) == 1;
  for (volatile int i = 0; i < 100000; ++i) continue;
  return write(says[1], "c", got) != 1;
}

// A child that shares its parent's memory continues after the parent's end.
static void memory_child(void) {
  if (pipe(says) != 0 || pipe(go) != 0) return;
  pid_t parent = fork();
  if (parent == 0) {
    for (int fd = 0; fd < 3; ++fd) close(fd);
    _exit(clone(outlive, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL) > 0 ? 7 : 1);
  }
  int status = 0;
  waitpid(parent, &status, 0);
  printf("the parent: status %x\n", (unsigned)status);
  struct pollfd wait = {.fd = says[0], .events = POLLIN};
  int wrote = write(go[1], "g", 1) == 1;
  printf("the child: %d %d\n", wrote, poll(&wait, 1, 60000));
}

// Children that are killed at once, by signals that faults raise and by others.
static void killed_after_fork(void) {
  const int signals[] = {SIGHUP, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGTERM, SIGSYS};
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(60);
  for (unsigned i = 0; i < sizeof(signals) / sizeof(*signals); ++i) {
    int right = 0;
    for (int round = 0; round < 20; ++round) {
      pid_t child = fork();
      if (child == 0) pause();
      kill(child, signals[i]);
      int status = 0;
      right += waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == signals[i];
    }
    printf("signal %d: %d of 20 children died of it\n", signals[i], right);
  }
}

static int die(void* number) {
  raise((int)(long)number);
  return 1;
}

// Children that share their parent's memory and die of signals, one after the other. The parent continues,
// and can fork.
static void killed_memory_children(void) {
  const int signals[] = {SIGTERM, SIGFPE, SIGHUP};
  for (unsigned i = 0; i < sizeof(signals) / sizeof(*signals); ++i) {
    int right = 0;
    for (int round = 0; round < 20; ++round) {
      pid_t child = clone(die, stack + sizeof(stack), CLONE_VM | SIGCHLD, (void*)(long)signals[i]);
      int status = 0;
      right += waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == signals[i];
    }
    printf("signal %d: %d of 20 children died of it\n", signals[i], right);
  }
  fflush(stdout);
  if (fork() == 0) _exit(5);
  int status = 0;
  wait(&status);
  printf("a fork: status %x\n", (unsigned)status);
}

// SIGSTOP and SIGCONT interrupt some waits (signal(7)): they fail, and do not begin again.
static void stopped(void) {
  pid_t child = fork();
  if (child == 0) {
    int events = epoll_create1(0);
    struct epoll_event event;
    while (epoll_wait(events, &event, 1, 60000) == 0 || errno != EINTR) continue;
    _exit(4);
  }
  int status = 0, rounds = 0;
  while (rounds < 50 && waitpid(child, &status, WNOHANG) == 0) {
    usleep(100000);
    kill(child, SIGSTOP);
    waitpid(child, &status, WUNTRACED);
    kill(child, SIGCONT);
    usleep(100000);
    ++rounds;
  }
  printf("interrupted: %d, status %x\n", rounds < 50, (unsigned)status);
  kill(child, SIGKILL);
}

int main(int argument_count, char** arguments) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kModes[] = {{"locked", locked},
                {"killed_in_vfork", killed_in_vfork},
                {"memory_child", memory_child},
                {"killed_after_fork", killed_after_fork},
                {"killed_memory_children", killed_memory_children},
                {"stopped", stopped}};
  for (unsigned i = 0; argument_count > 1 && i < sizeof(kModes) / sizeof(*kModes); ++i) {
    if (strcmp(arguments[1], kModes[i].name) == 0) kModes[i].run();
  }
  return 0;
}
