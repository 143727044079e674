// SPDX-License-Identifier: MIT
// scan [VALUES=2097152]: counts what a file has above a limit: reads 16 MiB once, from the first byte to the
// last. Nothing of it was used before, so every line has to be brought in, whatever the cache. Mended: the
// values, none above 200, are bytes in the file, not words of eight: an eighth of the lines.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef MENDED
typedef uint8_t Value;
#else
typedef uint64_t Value;
#endif
enum { kPiece = 1 << 10 };

// A file that the kernel holds: the program itself only ever wrote the piece.
static const Value* values_in_file(int size) {
  int file = memfd_create("values", 0);
  uint32_t state = 1;
  for (int written = 0; written < size; written += kPiece) {
    Value piece[kPiece];
    for (int i = 0; i < kPiece; ++i) {
      state = state * 1664525 + 1013904223;
      piece[i] = (Value)(state >> 24) % 200;
    }
    if (write(file, piece, sizeof(piece)) != sizeof(piece)) return NULL;
  }
  void* mapped = mmap(NULL, (size_t)size * sizeof(Value), PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  return mapped == MAP_FAILED ? NULL : mapped;
}

__attribute__((noipa)) static uint64_t count_above(const Value* values, int size, Value limit) {
  uint64_t count = 0;
  for (int i = 0; i < size; ++i) count += values[i] > limit;
  return count;
}

int main(int count, char** arguments) {
  int size = count > 1 ? atoi(arguments[1]) / kPiece * kPiece : 1 << 21;
  const Value* values = values_in_file(size);
  if (values == NULL) return 1;
  printf("%lu\n", (unsigned long)count_above(values, size, 120));
  return 0;
}
