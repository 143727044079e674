// SPDX-License-Identifier: MIT
// Executes other programs in every way that Linux has, also in ways that fail: successors MODE. The output is
// the same natively and measured.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static char* successor[] = {"echo", "successor", NULL};
static char** words;
static char** volatile nowhere = (char**)(intptr_t)8;  // no memory

static void become_echo(void) {
  execv("/bin/echo", successor);
  perror("execv");
}

static void* become_in_thread(void* unused) {
  become_echo();
  return unused;
}

static void* spin(void* unused) {
  for (volatile int go = 1; go;) continue;
  return unused;
}

static void start(void* (*body)(void*)) {
  pthread_t id;
  if (pthread_create(&id, NULL, body, NULL) != 0) exit(3);
}

// A thread other than the first, while another runs.
static void thread(void) {
  start(spin);
  start(become_in_thread);
  pause();
}

// All threads at once: one of them succeeds.
static void race(void) {
  pthread_t id;  // none is created once another thread executes echo
  for (int i = 0; i < 8; ++i) (void)pthread_create(&id, NULL, become_in_thread, NULL);
  become_echo();
}

static void by_descriptor(void) {
  fexecve(open("/bin/echo", O_RDONLY | O_CLOEXEC), successor, environ);
  perror("fexecve");
}

static void by_folder(void) {
  syscall(SYS_execveat, open("/bin", O_PATH | O_CLOEXEC), "echo", successor, environ, 0);
  perror("execveat");
}

static void tell(const char* what, int result) { printf("%s: %d %s\n", what, result, strerror(errno)); }

static void fail(void) {
  static char large[200000];  // MAX_ARG_STRLEN is 32 pages
  memset(large, 'a', sizeof(large) - 1);
  char* too_large[] = {"echo", large, NULL};
  tell("no such file", execv("/nonexistent/program", successor));
  tell("not executable", execv("/etc/passwd", successor));
  tell("a folder", execv("/", successor));
  tell("too large", execv("/bin/echo", too_large));
  tell("bad arguments", execve("/bin/echo", nowhere, environ));
  tell("bad path", execv((char*)nowhere, successor));
}

// Children that end before they execute a program.
static void crash(void) {
  for (int i = 0; i < 10; ++i) {
    pid_t child = vfork();
    if (child == 0) __builtin_trap();
    int status = 0;
    waitpid(child, &status, 0);
    printf("signal %d\n", WTERMSIG(status));
  }
}

static void* fail_often(void* unused) {
  for (int i = 0; i < 100; ++i) execve("/bin/echo", nowhere, environ);
  return unused;
}

static void fail_in_threads(void) {
  pthread_t ids[4];
  for (int i = 0; i < 4; ++i) {
    if (pthread_create(&ids[i], NULL, fail_often, NULL) != 0) exit(3);
  }
  for (int i = 0; i < 4; ++i) pthread_join(ids[i], NULL);
  puts("failed everywhere");
}

// A program that its parent traces already.
static void traced(void) {
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    become_echo();
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("stopped: %d\n", WIFSTOPPED(status) ? WSTOPSIG(status) : -1);
  ptrace(PTRACE_CONT, child, NULL, NULL);
  waitpid(child, &status, 0);
  printf("ended: %d\n", status);
}

// Executes itself repeatedly while many signals arrive.
static void storm(void) {
  int left = words[2] == NULL ? 10 : atoi(words[2]);
  pid_t parent = getpid();
  if (left == 0) return (void)puts("calm");
  if (fork() == 0) {
    for (int i = 0; i < 2000; ++i) {
      kill(parent, SIGWINCH);
      if (i % 100 == 0 && kill(parent, SIGSTOP) == 0) kill(parent, SIGCONT);
    }
    _exit(0);
  }
  char number[16];
  snprintf(number, sizeof(number), "%d", left - 1);
  char* again[] = {words[0], words[1], number, NULL};
  execv("/proc/self/exe", again);
}

// The inheritance of a program: ignored, blocked and pending signals.
static void inheritance(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGTRAP);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  signal(SIGFPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  kill(getpid(), SIGUSR1);
  char* inherits[] = {words[0], "inherited", NULL};
  execv("/proc/self/exe", inherits);
}

static void inherited(void) {
  sigset_t blocked, pending;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  sigpending(&pending);
  for (int number = 1; number < 32; ++number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0) continue;
    printf("%d%s%s%s\n", number, action.sa_handler == SIG_IGN ? " ignored" : "",
           sigismember(&blocked, number) ? " blocked" : "", sigismember(&pending, number) ? " pending" : "");
  }
}

// Descriptors from 3 on are closed, even if the engine has some.
static void descriptors(void) {
  for (int fd = 3; fd < 1000; ++fd) {
    if (dup2(1, fd) != fd) printf("dup2 to %d failed\n", fd);
  }
  for (int fd = 3; fd < 500; ++fd) {
    if (close(fd) != 0) printf("close of %d failed\n", fd);
  }
  int range = close_range(3, ~0u, 0);
  int wrong_range = close_range(9, 3, 0);
  printf("%d %d %d\n", range, wrong_range, errno);
  become_echo();
}

static const struct {
  const char* name;
  void (*run)(void);
} modes[] = {{"thread", thread},
             {"race", race},
             {"fexecve", by_descriptor},
             {"execveat", by_folder},
             {"fail", fail},
             {"crash", crash},
             {"fail_in_threads", fail_in_threads},
             {"traced", traced},
             {"storm", storm},
             {"inheritance", inheritance},
             {"inherited", inherited},
             {"descriptors", descriptors}};

int main(int count, char** arguments) {
  words = arguments;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (size_t i = 0; count > 1 && i < sizeof(modes) / sizeof(modes[0]); ++i) {
    if (strcmp(arguments[1], modes[i].name) != 0) continue;
    modes[i].run();
    return 0;
  }
  return 2;
}
