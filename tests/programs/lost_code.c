// SPDX-License-Identifier: MIT
// Code of memory that the program may write to, and whose protection or contents the kernel changes:
// lost_code WAY. Prints each result.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kPage = 4096, kAll = PROT_READ | PROT_WRITE | PROT_EXEC, kMseal = 462, kRefuseWriteExecute = 65 };

static sigjmp_buf behind;

static void on_fault(int number) { siglongjmp(behind, number); }

static void handle_faults(void) {
  struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

// mov eax, value; ret
static void assemble(unsigned char* code, int value) {
  code[0] = 0xb8;
  memcpy(code + 1, &value, sizeof(value));
  code[5] = 0xc3;
}

// Returns the code's result, or the negative number of the signal that it causes.
static int run(const void* code) {
  int number = sigsetjmp(behind, 1);
  return number == 0 ? ((int (*)(void))code)() : -number;
}

static unsigned char* pages(size_t bytes) {
  return mmap(NULL, bytes, kAll, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void show(const char* what, long result) { printf("%s: %ld\n", what, result); }

// The process may not make memory both writable and executable any more; it keeps what is so already.
static void write_xor_execute(void) {
  unsigned char* code = pages(kPage);
  assemble(code, 1);
  show("before", run(code));
  if (prctl(kRefuseWriteExecute, 1, 0, 0, 0) != 0) return;
  for (int i = 2; i < 5; ++i) {
    assemble(code, i);
    show("after", run(code));
  }
}

// The protection of the memory is final.
static void sealed(void) {
  unsigned char* code = pages(2 * kPage);
  assemble(code, 1);
  show("before", run(code));
  syscall(kMseal, code, 2 * kPage, 0);
  for (int i = 2; i < 5; ++i) {
    assemble(code, i);
    show("after", run(code));
    assemble(code + kPage, 10 * i);
    show("new page", run(code + kPage));
  }
}

// More pages of code, each second one of a mapping, than a process may have mappings.
static void many_pages(void) {
  enum { kPages = 70000 };
  unsigned char* code = pages(2ul * kPages * kPage);
  int wrong = 0;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kPages; ++i) {
      unsigned char* at = code + 2ul * i * kPage;
      assemble(at, i + round);
      if (round == 0 || i % 64 == 0) wrong += run(at) != i + round;
    }
  }
  show("wrong", wrong);
}

static void thrown_away(void) {
  unsigned char* code = pages(2 * kPage);
  for (int i = 0; i < 2; ++i) assemble(code + i * kPage, 7 + i);
  mprotect(code + kPage, kPage, PROT_READ | PROT_EXEC);
  for (int i = 0; i < 2; ++i) {
    show("before", run(code + i * kPage));
    madvise(code + i * kPage, kPage, MADV_DONTNEED);
    show("after", run(code + i * kPage));
  }
}

static void truncated(void) {
  int file = memfd_create("code", 0);
  if (ftruncate(file, kPage) != 0) return;
  unsigned char* code = mmap(NULL, kPage, kAll, MAP_SHARED, file, 0);
  assemble(code, 3);
  show("before", run(code));
  if (ftruncate(file, 0) != 0) return;
  show("truncated", run(code));
  if (ftruncate(file, kPage) != 0) return;
  assemble(code, 4);
  show("again", run(code));
}

static void detached(void) {
  int segment = shmget(IPC_PRIVATE, kPage, IPC_CREAT | 0700);
  unsigned char* code = shmat(segment, NULL, SHM_EXEC);
  shmctl(segment, IPC_RMID, NULL);
  if (code == (void*)-1) return;
  assemble(code, 3);
  show("before", run(code));
  shmdt(code);
  show("after", run(code));
}

// The kernel writes behind code of the same mapping, and over code far behind the start of its buffer.
static void long_reads(void) {
  enum { kBytes = 8 << 20, kCodeAt = 5 << 20 };
  int file = memfd_create("data", 0);
  if (ftruncate(file, kBytes) != 0) return;
  unsigned char* buffer = pages(kBytes);
  assemble(buffer + kCodeAt, 9);
  show("before", run(buffer + kCodeAt));
  show("read", read(file, buffer, kBytes));
  assemble(buffer + kCodeAt, 8);
  show("after", run(buffer + kCodeAt));
  show("pread", pread(file, buffer, kBytes, 0));
  show("zeros", run(buffer + kCodeAt));
}

// Calls that fail after they have had an effect: they have it once.
static void failing_calls(void) {
  unsigned char* code = pages(kPage);
  assemble(code, 1);
  show("code", run(code));
  void* volatile nowhere = (void*)8;
  int events = eventfd(5, EFD_NONBLOCK), sockets[2];
  show("read", read(events, nowhere, 8) < 0 ? errno : 0);
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) != 0) return;
  for (int i = 0; i < 3; ++i) show("sent", send(sockets[1], &i, sizeof(i), 0));
  show("recv", recv(sockets[0], nowhere, 4, 0) < 0 ? errno : 0);
  int first = -1;
  show("next", recv(sockets[0], &first, sizeof(first), MSG_DONTWAIT));
  show("which", first);
  if (fork() == 0) _exit(3);
  show("wait", syscall(SYS_wait4, -1, nowhere, 0, NULL) < 0 ? errno : 0);
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &wanted, NULL);
  for (int i = 0; i < 2; ++i) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
  show("sigtimedwait", syscall(SYS_rt_sigtimedwait, &wanted, nowhere, NULL, 8) < 0 ? errno : 0);
  siginfo_t info;
  show("signal", sigwaitinfo(&wanted, &info) > 0 ? info.si_value.sival_int : -1);
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*way)(void);
  } kWays[] = {{"write_xor_execute", write_xor_execute},
               {"sealed", sealed},
               {"many_pages", many_pages},
               {"thrown_away", thrown_away},
               {"truncated", truncated},
               {"detached", detached},
               {"long_reads", long_reads},
               {"failing_calls", failing_calls}};
  handle_faults();
  for (unsigned i = 0; i < sizeof(kWays) / sizeof(*kWays); ++i) {
    if (count > 1 && strcmp(words[1], kWays[i].name) == 0) kWays[i].way();
  }
  return 0;
}
