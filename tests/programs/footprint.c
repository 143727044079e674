// SPDX-License-Identifier: MIT
// footprint KIB ROUNDS [KIB ROUNDS ...]: loads and stores in every line of KIB KiB of memory, in order,
// ROUNDS times; then of other memory. Prints nothing.
#include <stdlib.h>
#include <sys/mman.h>

enum { kLine = 64 };

static void walk(size_t bytes, long rounds) {
  volatile char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(1);
  for (long round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < bytes; i += kLine) memory[i] = (char)(memory[i] + 1);
  }
}

int main(int count, char** words) {
  if (count < 3) return 2;
  for (int i = 1; i + 1 < count; i += 2)
    walk(strtoul(words[i], NULL, 10) << 10, strtol(words[i + 1], NULL, 10));
  return 0;
}
