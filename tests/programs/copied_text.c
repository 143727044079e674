/* SPDX-License-Identifier: MIT */
/* Moves its own code to other memory at the same place, as programs do that use huge pages: copied_text HOW
   whole: 2 MiB of anonymous memory; page, memfd: one page of anonymous memory or of a memory file. Then it
   spends its time in hot_loop, endlessly if it has a second argument. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile long items[1 << 20];

/* Followed by enough code for a huge page. */
__attribute__((noinline, aligned(2 << 20))) long hot_loop(long rounds) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) sum += items[(i * 7919) & ((1 << 20) - 1)];
  return sum;
}
__asm__(".pushsection .text.filler, \"ax\"\n.fill 4 << 20, 1, 0x90\n.popsection");

/* Behind the filler: what moves the code must stay where it is. */
#define BEHIND __attribute__((noinline, section(".text.moving")))

BEHIND static int fail(const char* what) {
  perror(what);
  return 1;
}

BEHIND static int move(char* code, size_t bytes, int is_memfd) {
  char* copy = malloc(bytes);
  int fd = is_memfd ? memfd_create("text", 0) : -1,
      flags = is_memfd ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  memcpy(copy, code, bytes);
  if (is_memfd && ftruncate(fd, (off_t)bytes) != 0) return fail("ftruncate");
  if (mmap(code, bytes, PROT_READ | PROT_WRITE | PROT_EXEC, flags | MAP_FIXED, fd, 0) != code)
    return fail("mmap");
  memcpy(code, copy, bytes);
  return mprotect(code, bytes, PROT_READ | PROT_EXEC) == 0 ? 0 : fail("mprotect");
}

BEHIND int main(int count, char** words) {
  int is_page = strcmp(words[1], "whole") != 0, is_memfd = strcmp(words[1], "memfd") == 0;
  if (move((char*)hot_loop, is_page ? 4096 : 2 << 20, is_memfd) != 0) return 1;
  puts("moved");
  fflush(stdout);
  do printf("%ld\n", hot_loop(20 * 1000 * 1000));
  while (count > 2);
  return 0;
}
