// SPDX-License-Identifier: MIT
// Two programs that know each other by a file only: argv[1], of two pages, of which each maps the second;
// argv[2] is whose turn it is first, 0 or 1. A thousand times each.
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
  // The one has all of it mapped, the other the second page alone.
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
