// SPDX-License-Identifier: MIT
// phases EARLY LATE: early() loads EARLY lines, then late() LATE lines. Each misses every cache of less than
// 64 MiB. Prints nothing.
#include <stdlib.h>
#include <sys/mman.h>

enum { kLine = 64 };
static const size_t kBytes = (size_t)64 << 20;

static volatile char* memory;

__attribute__((noinline)) static void early(long lines) {
  for (long i = 0; i < lines; ++i) (void)memory[(size_t)i * kLine % kBytes];
}

__attribute__((noinline)) static void late(long lines) {
  for (long i = 0; i < lines; ++i) (void)memory[(size_t)i * kLine % kBytes];
}

int main(int count, char** words) {
  if (count != 3) return 2;
  memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  early(strtol(words[1], NULL, 10));
  late(strtol(words[2], NULL, 10));
  return 0;
}
