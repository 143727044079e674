// SPDX-License-Identifier: MIT
// Code that changes while it runs, in ways that a write fault does not show or shows too late: changing_code
// WAY. Prints the errors, and the sum of the code's return values.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kCodeBytes = 6, kPage = 4096, kRounds = 600 };

static int wrong;
static long sum;

// mov eax, value; ret
static void assemble(unsigned char* code, int value) {
  code[0] = 0xb8;
  memcpy(code + 1, &value, sizeof(value));
  code[5] = 0xc3;
}

static void run(const void* code, int expected) {
  int found = ((int (*)(void))code)();
  sum += found;
  if (found != expected && ++wrong < 4) printf("expected %d, found %d\n", expected, found);
}

static unsigned char* pages(int protection) {
  return mmap(0, 2 * kPage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

// Two mappings of one memory: BeamAsm and .NET write their code this way.
static void two_mappings(void) {
  int fd = memfd_create("code", 0);
  if (ftruncate(fd, kPage) != 0) return;
  unsigned char* writable = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  unsigned char* executable = mmap(0, kPage, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
  for (int i = 0; i < kRounds; ++i) {
    assemble(writable, i);
    run(executable, i);
  }
  munmap(executable, kPage);  // once more, made executable later
  executable = mmap(0, kPage, PROT_READ, MAP_SHARED, fd, 0);
  mprotect(executable, kPage, PROT_READ | PROT_EXEC);
  for (int i = 0; i < 10; ++i) {
    assemble(writable, i + 7);
    run(executable, i + 7);
  }
}

// Another process writes.
static void another_process(void) {
  unsigned char* code = mmap(0, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 20; ++i) {
    if (fork() == 0) {
      assemble(code, i);
      _exit(0);
    }
    wait(0);
    run(code, i);
  }
}

// The kernel writes, for system calls of all kinds.
static void by_system_calls(void) {
  unsigned char* code = pages(PROT_READ | PROT_WRITE | PROT_EXEC) + kPage - 3;  // on two pages
  int ends[2], sockets[2];
  if (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) != 0) return;
  for (int i = 0; i < kRounds; ++i) {
    unsigned char made[kCodeBytes];
    assemble(made, i);
    struct iovec here = {made, kCodeBytes}, halves[2] = {{code, 3}, {code + 3, 3}},
                 there = {code, kCodeBytes};
    struct msghdr message = {.msg_iov = halves, .msg_iovlen = 2};
    ssize_t got = -1;
    switch (i % 5) {
      case 0:
        got = write(ends[1], made, kCodeBytes) == kCodeBytes ? read(ends[0], code, kCodeBytes) : -1;
        break;
      case 1:
        got = write(ends[1], made, kCodeBytes) == kCodeBytes ? readv(ends[0], halves, 2) : -1;
        break;
      case 2:
        got =
            send(sockets[1], made, kCodeBytes, 0) == kCodeBytes ? recv(sockets[0], code, kCodeBytes, 0) : -1;
        break;
      case 3:
        got = send(sockets[1], made, kCodeBytes, 0) == kCodeBytes ? recvmsg(sockets[0], &message, 0) : -1;
        break;
      default:
        got = process_vm_writev(getpid(), &here, 1, &there, 1, 0);
    }
    if (got != kCodeBytes && ++wrong < 4) printf("way %d: %zd %s\n", i % 5, got, strerror(errno));
    run(code, i);
  }
}

// A store into the next instruction, and into later ones.
static void into_what_follows(void) {
  for (int distance = 0; distance < 3; ++distance) {
    unsigned char* code = pages(PROT_READ | PROT_WRITE | PROT_EXEC);
    unsigned char* at = code;
    *at++ = 0x40, *at++ = 0x88, *at++ = 0x3d;  // mov [rip + d], dil
    int32_t displacement = distance + 1;       // to the constant of the mov behind the nops
    memcpy(at, &displacement, sizeof(displacement));
    at += sizeof(displacement);
    for (int i = 0; i < distance; ++i) *at++ = 0x90;
    assemble(at, 0);
    for (int i = 0; i < 200; ++i) {
      int found = ((int (*)(int))code)(i);
      sum += found;
      if (found != i && ++wrong < 4) printf("distance %d: expected %d, found %d\n", distance, i, found);
    }
  }
}

// Code on the stack, written again for each call, as compilers do for pointers to nested functions.
static __attribute__((noinline)) int on_stack_at(int depth, int value) {
  unsigned char code[kCodeBytes];
  if (depth > 0) return on_stack_at(depth - 1, value) + (int)(depth & code[0] & 0);
  assemble(code, value);
  __asm__ volatile("" ::"r"(code) : "memory");  // the compiler does not see the use of the bytes
  return ((int (*)(void))code)();
}
static void on_stack(void) {
  char* here = (char*)((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)(kPage - 1));
  mprotect(here - 8 * kPage, 9 * kPage, PROT_READ | PROT_WRITE | PROT_EXEC);
  for (int i = 0; i < 20000; ++i) {
    int found = on_stack_at(i % 5, i % 7);
    sum += found;
    if (found != i % 7 && ++wrong < 4) printf("expected %d, found %d\n", i % 7, found);
  }
}

// V8 changes its code's protection by pkey_mprotect(2), if the processor has keys. Key -1 makes it
// mprotect(2).
static void protection_keys(void) {
  unsigned char* code = pages(PROT_READ | PROT_WRITE);
  for (int i = 0; i < kRounds; ++i) {
    assemble(code, i);
    if (syscall(SYS_pkey_mprotect, code, kPage, PROT_READ | PROT_EXEC, -1) != 0) return;
    run(code, i);
    syscall(SYS_pkey_mprotect, code, kPage, PROT_READ | PROT_WRITE, -1);
  }
}

// A write to /proc/self/mem changes code whatever its protection is: by its own offset, by the file's
// position, and from several buffers.
static void by_memory_file(void) {
  unsigned char bytes[kCodeBytes];
  unsigned char* code = pages(PROT_READ | PROT_WRITE);
  assemble(code, 0);
  mprotect(code, kPage, PROT_READ | PROT_EXEC);
  int memory = open("/proc/self/mem", O_RDWR);
  off_t place = (off_t)(uintptr_t)code;
  for (int i = 0; i < kRounds; ++i) {
    ssize_t written = 0;
    assemble(bytes, i);
    struct iovec halves[2] = {{bytes, 3}, {bytes + 3, kCodeBytes - 3}};
    if (i % 4 == 0) written = pwrite(memory, bytes, kCodeBytes, place);
    if (i % 4 == 1) written = pwritev(memory, halves, 2, place);
    if (i % 4 > 1) lseek(memory, place, SEEK_SET);
    if (i % 4 == 2) written = write(memory, bytes, kCodeBytes);
    if (i % 4 == 3) written = writev(memory, halves, 2);
    if (written != kCodeBytes && ++wrong < 4) printf("not written: %zd, errno %d\n", written, errno);
    run(code, i);
  }
  close(memory);
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*way)(void);
  } kWays[] = {{"two_mappings", two_mappings},
               {"another_process", another_process},
               {"by_system_calls", by_system_calls},
               {"into_what_follows", into_what_follows},
               {"on_stack", on_stack},
               {"protection_keys", protection_keys},
               {"by_memory_file", by_memory_file}};
  for (unsigned i = 0; i < sizeof(kWays) / sizeof(*kWays); ++i) {
    if (count > 1 && strcmp(words[1], kWays[i].name) == 0) kWays[i].way();
  }
  printf("%d wrong, sum %ld\n", wrong, sum);
  return wrong != 0;
}
