// SPDX-License-Identifier: MIT
// Follows pointers through 64 MiB, one per line, in a random cycle: every load waits for the one before it.
// Argument: loads, in millions (10).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLineBytes = 64, kLines = 64 << 20 >> 6 };

struct Line {
  struct Line* next;
  char rest[kLineBytes - sizeof(struct Line*)];
};

static uint64_t random_number(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// Links all lines in one cycle (Sattolo, Information Processing Letters 22, 1986).
static void link_lines(struct Line* lines) {
  for (uint32_t i = 0; i < kLines; ++i) lines[i].next = &lines[i];
  for (uint32_t i = kLines - 1; i > 0; --i) {
    uint32_t other = (uint32_t)(random_number() % i);
    struct Line* next = lines[i].next;
    lines[i].next = lines[other].next;
    lines[other].next = next;
  }
}

int main(int argc, char** argv) {
  long loads = (argc > 1 ? atol(argv[1]) : 10) * 1000000;
  struct Line* lines = aligned_alloc(kLineBytes, sizeof(struct Line) * kLines);
  if (lines == NULL || loads < 0) return 1;
  link_lines(lines);
  const struct Line* at = lines;
  for (long i = 0; i < loads; ++i) at = at->next;
  printf("%ld\n", (long)(at - lines));
  return 0;
}
