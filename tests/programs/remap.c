// SPDX-License-Identifier: MIT
// remap PIECES STEP KIB: maps PIECES pieces of 256 KiB one after the other, each at a new address, as node
// does; stores to every STEP bytes of a piece, and unmaps it. After every 16 pieces loads every line of a
// buffer of KIB KiB. Prints the process's maximum memory in KiB.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { kLine = 64, kPiece = 256 << 10, kBetween = 16 };

static void use_piece(unsigned long number, size_t step) {
  // Spread over the lower half of user address space.
  uintptr_t address = 0x100000000000 + (number * 0x9e3779b97f4a7c15 >> 18) / kPiece * kPiece;
  volatile char* piece =
      mmap((void*)address, kPiece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (piece == MAP_FAILED) exit(1);
  for (size_t i = 0; i < kPiece; i += step) piece[i] = 1;
  munmap((void*)piece, kPiece);
}

int main(int count, char** words) {
  if (count != 4) return 2;
  unsigned long pieces = strtoul(words[1], NULL, 10);
  size_t step = strtoul(words[2], NULL, 10), bytes = strtoul(words[3], NULL, 10) << 10;
  volatile char* buffer = calloc(bytes + 1, 1);
  if (buffer == NULL || step == 0) return 1;
  for (unsigned long i = 0; i < pieces; ++i) {
    use_piece(i, step);
    if (i % kBetween != kBetween - 1) continue;
    for (size_t at = 0; at < bytes; at += kLine) (void)buffer[at];
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld\n", usage.ru_maxrss);
  return 0;
}
