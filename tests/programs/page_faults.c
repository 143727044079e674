// SPDX-License-Identifier: MIT
// Threads that wait in page faults, which another thread of the process resolves (userfaultfd(2)):
// page_faults THREADS. It resolves none before all threads wait. Prints the values they have read; exits with
// 77 if the system refuses userfaultfd.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kPageBytes = 4096, kMaxThreads = 256 };

static char* memory;

static void* read_page(void* number) { return (void*)(intptr_t)memory[(intptr_t)number * kPageBytes + 5]; }

static int open_faults(size_t bytes) {
  int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register all = {.range = {(uintptr_t)memory, bytes}, .mode = UFFDIO_REGISTER_MODE_MISSING};
  if (fd < 0 || ioctl(fd, UFFDIO_API, &api) != 0 || ioctl(fd, UFFDIO_REGISTER, &all) != 0) exit(77);
  return fd;
}

static int is_one_of(const uint64_t* pages, int count, uint64_t page) {
  for (int i = 0; i < count; ++i) {
    if (pages[i] == page) return 1;
  }
  return 0;
}

// A thread interrupted by a signal in its fault reports the fault again.
static void wait_for_faults(int fd, uint64_t* pages, int count) {
  for (int met = 0; met < count;) {
    struct pollfd ready = {fd, POLLIN, 0};
    struct uffd_msg message;
    if (poll(&ready, 1, -1) < 0 || read(fd, &message, sizeof(message)) != sizeof(message)) continue;
    uint64_t page = message.arg.pagefault.address & ~(uint64_t)(kPageBytes - 1);
    if (!is_one_of(pages, met, page)) pages[met++] = page;
  }
}

int main(int count, char** arguments) {
  int threads = count > 1 ? atoi(arguments[1]) : 1;
  if (threads < 1 || threads > kMaxThreads) return 2;
  memory =
      mmap(NULL, (size_t)threads * kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int fd = open_faults((size_t)threads * kPageBytes);
  pthread_t ids[kMaxThreads];
  for (intptr_t i = 0; i < threads; ++i) {
    if (pthread_create(&ids[i], NULL, read_page, (void*)i) != 0) return 3;
  }
  uint64_t pages[kMaxThreads];
  wait_for_faults(fd, pages, threads);
  static char content[kPageBytes] __attribute__((aligned(4096)));
  memset(content, 3, sizeof(content));
  for (int i = 0; i < threads; ++i) {
    struct uffdio_copy copy = {.dst = pages[i], .src = (uintptr_t)content, .len = kPageBytes};
    if (ioctl(fd, UFFDIO_COPY, &copy) != 0) return 4;
  }
  intptr_t sum = 0;
  for (int i = 0; i < threads; ++i) {
    void* value = NULL;
    pthread_join(ids[i], &value);
    sum += (intptr_t)value;
  }
  printf("%ld\n", (long)sum);
  return 0;
}
