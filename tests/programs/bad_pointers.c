// SPDX-License-Identifier: MIT
// System calls with invalid pointers, signal handlers on invalid stacks, and handler frames
// that the kernel rejects: bad_pointers. Prints each result; native and measured results are
// equal.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { kPage = 4096, kMask = 8 };

struct kernel_action {
  void* handler;
  unsigned long flags;
  void* restorer;
  unsigned long mask;
};

static struct kind {
  const char* name;
  char* address;
} kinds[] = {{"null", NULL},
             {"unmapped", NULL},
             {"no access", NULL},
             {"read-only", NULL},
             {"end of page", NULL},
             {"beyond the file", NULL},
             {"non-canonical", (char*)0x8000000000000000ul},
             {"kernel's", (char*)0xffff800000000000ul}};
enum { kKinds = sizeof(kinds) / sizeof(kinds[0]) };

static char* map(int protection, int flags, int file) {
  return mmap(NULL, 2 * kPage, protection, flags, file, 0);
}

static void make_kinds(void) {
  char* unmapped = map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  kinds[1].address = unmapped + 64;
  kinds[2].address = map(PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1) + 64;
  kinds[3].address = map(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1) + 64;
  char* end = map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  munmap(end + kPage, kPage);
  kinds[4].address = end + kPage - 4;
  kinds[5].address = map(PROT_READ | PROT_WRITE, MAP_SHARED, memfd_create("empty", 0)) + 64;
  munmap(unmapped, 2 * kPage);
}

static void show(const char* call, const struct kind* kind, long result) {
  printf("%s, %s: %ld %s\n", call, kind->name, result, result == -1 ? strerrorname_np(errno) : "");
}

static void ignore(int signal) { (void)signal; }

static void try_actions(const struct kind* kind) {
  struct kernel_action action = {(void*)ignore, SA_RESTART | 0x10, NULL, ~0ul}, found;
  show("rt_sigaction, new", kind, syscall(SYS_rt_sigaction, SIGUSR1, kind->address, &found, kMask));
  show("rt_sigaction, old", kind, syscall(SYS_rt_sigaction, SIGUSR1, &action, kind->address, kMask));
  syscall(SYS_rt_sigaction, SIGUSR1, NULL, &found, kMask);
  printf("  installed %d flags %lx mask %lx\n", found.handler == action.handler, found.flags, found.mask);
  show("rt_sigaction, size", kind, syscall(SYS_rt_sigaction, SIGUSR1, kind->address, NULL, kMask - 1));
  show("rt_sigaction, number", kind, syscall(SYS_rt_sigaction, 65, kind->address, NULL, kMask));
  show("rt_sigaction, SIGKILL", kind, syscall(SYS_rt_sigaction, SIGKILL, NULL, kind->address, kMask));
  action.handler = SIG_DFL;
  syscall(SYS_rt_sigaction, SIGUSR1, &action, NULL, kMask);
}

static void try_masks(const struct kind* kind) {
  unsigned long mask = 1ul << (SIGUSR2 - 1), found = 0;
  show("rt_sigprocmask, new", kind, syscall(SYS_rt_sigprocmask, SIG_BLOCK, kind->address, NULL, kMask));
  show("rt_sigprocmask, old", kind, syscall(SYS_rt_sigprocmask, SIG_BLOCK, &mask, kind->address, kMask));
  show("rt_sigprocmask, how", kind, syscall(SYS_rt_sigprocmask, 7, kind->address, NULL, kMask));
  show("rt_sigprocmask, size", kind, syscall(SYS_rt_sigprocmask, SIG_BLOCK, kind->address, NULL, kMask + 1));
  syscall(SYS_rt_sigprocmask, 0, NULL, &found, kMask);
  printf("  blocked %lx\n", found);
  mask = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, kMask);
  struct timespec none = {0, 0};
  show("rt_sigpending", kind, syscall(SYS_rt_sigpending, kind->address, kMask));
  show("rt_sigtimedwait", kind, syscall(SYS_rt_sigtimedwait, kind->address, NULL, &none, kMask));
  show("ppoll", kind, syscall(SYS_ppoll, NULL, 0, &none, kind->address, kMask));
  show("pselect6", kind, syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, kind->address));
  if (kind->address != NULL && strcmp(kind->name, "read-only") != 0)
    show("rt_sigsuspend", kind, syscall(SYS_rt_sigsuspend, kind->address, kMask));
}

static void try_stacks(const struct kind* kind) {
  static char memory[65536];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)}, found;
  show("sigaltstack, new", kind, syscall(SYS_sigaltstack, kind->address, &found));
  show("sigaltstack, old", kind, syscall(SYS_sigaltstack, &stack, kind->address));
  sigaltstack(NULL, &found);
  printf("  installed %d flags %x\n", found.ss_sp == (void*)memory, (unsigned)found.ss_flags);
  const unsigned flags[] = {1, 2, 3, 4, 1u << 31, 1u << 31 | 1, 1u << 31 | 2, 1u << 30};
  for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
    stack.ss_flags = (int)flags[i];
    show("sigaltstack, flags", kind, sigaltstack(&stack, NULL));
    sigaltstack(NULL, &found);
    printf("  %d %x %zu\n", found.ss_sp == (void*)memory, (unsigned)found.ss_flags, found.ss_size);
  }
  stack.ss_flags = 0;
  stack.ss_size = 2047;
  show("sigaltstack, size", kind, sigaltstack(&stack, NULL));
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, NULL);
}

static void try_clone(const struct kind* kind) {
  const size_t sizes[] = {0, 63, 64, 88, 120, 300, 4096, 4097};
  for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
    char call[40];
    snprintf(call, sizeof(call), "clone3, %zu bytes", sizes[i]);
    if (strcmp(kind->name, "read-only") == 0) break;  // this pointer is valid
    show(call, kind, syscall(SYS_clone3, kind->address, sizes[i]));
  }
  struct clone_args arguments = {
      .flags = CLONE_PIDFD, .exit_signal = SIGCHLD, .pidfd = (uintptr_t)kind->address};
  long child = syscall(SYS_clone3, &arguments, sizeof(arguments));
  if (child == 0) _exit(0);
  show("clone3, pidfd", kind, child > 0 ? 1 : child);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
}

// Fields unknown to the kernel must be zero; stacks have sizes.
static void try_clone_arguments(void) {
  static const struct kind none = {"good pointer", NULL};
  union {
    struct clone_args arguments;
    char bytes[2 * kPage];
  } call;
  for (int at = 88; at < 400; at += 104) {
    for (int value = 0; value < 2; ++value) {
      memset(&call, 0, sizeof(call));
      call.arguments.exit_signal = SIGCHLD;
      call.bytes[at] = (char)value;
      long child = syscall(SYS_clone3, &call, 400);
      if (child == 0) _exit(0);
      show("clone3, longer", &none, child > 0 ? 1 : child);
      if (child > 0) waitpid((pid_t)child, NULL, 0);
    }
  }
  memset(&call, 0, sizeof(call));
  call.arguments.stack_size = 4096;
  show("clone3, size of no stack", &none, syscall(SYS_clone3, &call, 88));
  call.arguments = (struct clone_args){.stack = (uintptr_t)&call};
  show("clone3, stack of no size", &none, syscall(SYS_clone3, &call, 88));
  call.arguments = (struct clone_args){.stack = ~0xfffful, .stack_size = 4096};
  show("clone3, kernel's stack", &none, syscall(SYS_clone3, &call, 88));
}

static void try_others(const struct kind* kind) {
  char* arguments[] = {"true", NULL};
  show("prctl, name", kind, prctl(PR_SET_NAME, kind->address));
  show("prctl, region", kind, prctl(0x48524d31, kind->address));
  show("execve, path", kind, syscall(SYS_execve, kind->address, arguments, NULL));
  char** list = (char**)(void*)(kind->address);
  if (kind->address != NULL && strcmp(kind->name, "read-only") != 0) {
    show("execve, arguments", kind, syscall(SYS_execve, "/bin/true", list, NULL));
    show("execve, environment", kind, syscall(SYS_execve, "/bin/true", arguments, list));
  }
}

static sigjmp_buf out;
static volatile int came, from_kernel;

static void leave_fault(int signal, siginfo_t* info, void* context) {
  (void)context;
  came = signal;
  from_kernel = info->si_code == 0x80 && info->si_addr == NULL;
  siglongjmp(out, 1);
}

static void catch (int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = handler;
  action.sa_flags = flags | SA_SIGINFO;
  sigaction(signal, &action, NULL);
}

static volatile int began;
static void begin(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info, (void)context;
  began = 1;
}

// Calls tgkill(2) for the thread itself, with that stack pointer.
static void raise_on(char* stack, int signal) {
  long number = SYS_tgkill, process = getpid(), thread = gettid();
  __asm__ volatile("mov %%rsp, %%rbx\n\tmov %4, %%rsp\n\tsyscall\n\tmov %%rbx, %%rsp"
                   : "+a"(number)
                   : "D"(process), "S"(thread), "d"((long)signal), "r"(stack)
                   : "rbx", "rcx", "r11", "memory");
}

static void use_signal_stack(void) {
  static char memory[1 << 17];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
  sigaltstack(&stack, NULL);
}

static void show_end(const char* what, const struct kind* kind, pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  printf("%s, %s: ended by %d, status %d\n", what, kind->name, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
         WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

static void push_on(const struct kind* kind) {
  fflush(stdout);
  char* stack = kind->address;
  for (int catches = 0; catches < 2; ++catches) {
    pid_t child = fork();
    if (child == 0) {
      use_signal_stack();
      catch (SIGUSR1, begin, 0);
      if (catches) catch (SIGSEGV, leave_fault, SA_ONSTACK);
      if (sigsetjmp(out, 1) == 0) raise_on(stack, SIGUSR1);
      _exit(10 * came + 2 * began + from_kernel);
    }
    show_end(catches ? "a handler's frame, SIGSEGV caught" : "a handler's frame", kind, child);
  }
  pid_t child = fork();
  if (child == 0) {
    catch (SIGSEGV, leave_fault, 0);
    if (sigsetjmp(out, 1) == 0) raise_on(stack, SIGSEGV);
    _exit(came);
  }
  show_end("SIGSEGV's own frame", kind, child);
}

// Calls rt_sigreturn(2) with that stack pointer.
static void return_on(char* stack) {
  __asm__ volatile("mov %0, %%rsp\n\tmov $15, %%eax\n\tsyscall\n\tud2" : : "r"(stack) : "rax", "memory");
}

static void return_from(const struct kind* kind) {
  if (strcmp(kind->name, "read-only") == 0) return;  // a frame of zeros
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    use_signal_stack();
    catch (SIGSEGV, leave_fault, SA_ONSTACK);
    if (sigsetjmp(out, 1) == 0) return_on(kind->address);
    _exit(2 * came + from_kernel);
  }
  show_end("rt_sigreturn", kind, child);
}

static const struct kind* bad_state;
static void spoil(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info;
  ucontext_t* frame = context;
  frame->uc_mcontext.fpregs = (void*)bad_state->address;
  frame->uc_stack.ss_flags = 77;  // the kernel ignores it
  memset(&frame->uc_sigmask, 0xff, kMask);
}

static void return_with_state(const struct kind* kind) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    use_signal_stack();
    bad_state = kind;
    catch (SIGUSR1, spoil, 0);
    if (sigsetjmp(out, 1) == 0) raise(SIGUSR1);
    unsigned long mask = 0;
    syscall(SYS_rt_sigprocmask, 0, NULL, &mask, kMask);
    _exit(mask == ~(1ul << (SIGKILL - 1) | 1ul << (SIGSTOP - 1)) ? 1 : 2);
  }
  show_end("vector state of a frame", kind, child);
}

int main(void) {
  make_kinds();
  for (int i = 0; i < kKinds; ++i) {
    try_actions(&kinds[i]);
    try_masks(&kinds[i]);
    try_stacks(&kinds[i]);
    try_clone(&kinds[i]);
    try_others(&kinds[i]);
    push_on(&kinds[i]);
    return_from(&kinds[i]);
    return_with_state(&kinds[i]);
  }
  try_clone_arguments();
  return 0;
}
