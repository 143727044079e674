// SPDX-License-Identifier: MIT
// A program at a low, fixed address owns what lies behind it: its break moves up by 1 GiB, and free addresses
// can be mapped.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  enum { kStep = 16 << 20, kSteps = 64 };
  void* wanted = (void*)(uintptr_t)0xa000000;
  void* mapped =
      mmap(wanted, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  printf("16 MiB behind the program: %s\n", mapped == wanted ? "mapped" : strerror(errno));
  if (mapped == wanted) munmap(mapped, kStep);
  int steps = 0;
  for (; steps < kSteps; ++steps) {
    char* memory = sbrk(kStep);
    if (memory == (char*)-1) break;
    *memory = 1;
  }
  printf("the break moved by %d MiB\n", steps * 16);
  return 0;
}
