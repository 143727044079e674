// SPDX-License-Identifier: MIT
// Two programs that share only a file, argv[1], of two pages. Each maps the second page; argv[2] is the
// program with the first turn, 0 or 1. A thousand turns each.
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kTurns = 1000, kPage = 4096 };

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  unsigned long me = strtoul(argv[2], NULL, 10);
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, 2 * kPage) != 0) return 1;
  // One program maps the whole file, the other only the second page.
  char* mapped =
      mmap(NULL, me == 0 ? 2 * kPage : kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, me == 0 ? 0 : kPage);
  if (mapped == MAP_FAILED) return 1;
  volatile atomic_ulong* turn = (volatile atomic_ulong*)(mapped + (me == 0 ? kPage : 0));
  for (unsigned long i = 0; i < kTurns; ++i) {
    while (atomic_load(turn) % 2 != me) sched_yield();
    atomic_fetch_add(turn, 1);
  }
  return 0;
}
