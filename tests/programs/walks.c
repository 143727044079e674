// SPDX-License-Identifier: MIT
// Walks over 64 MiB of memory: "walks KIND MILLISECONDS" prints the array's bounds and walks until it has
// used this processor time, so that a busy host does not matter. KIND: chase (pointers, from C), chase_asm,
// walk, stride, mix.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kLineBytes = 64, kLines = 1 << 20, kWordsPerLine = kLineBytes / sizeof(long) };

struct Line {
  struct Line* next;
  long value;
  char rest[kLineBytes - 2 * sizeof(long)];
};

static volatile long sink;

__attribute__((noinline)) struct Line* chase(struct Line* line, long steps) {
  for (long i = 0; i < steps; ++i) line = line->next;
  return line;
}

struct Line* chase_asm(struct Line* line, long steps);
__asm__(
    ".text\n.globl chase_asm\n.type chase_asm, @function\nchase_asm:\n"
    "1: mov (%rdi), %rax\n"
    "   add $1, %rcx\n"
    "   mov %rax, %rdi\n"
    "   dec %rsi\n"
    "   jnz 1b\n"
    "   ret\n.size chase_asm, . - chase_asm\n");

__attribute__((noinline)) long walk(const long* words, long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += words[i];
  return sum;
}

__attribute__((noinline)) long stride(long* words, long count, long step) {
  for (long i = 0; i < count; i += step) words[i] += 1;
  return words[0];
}

// Line I points to the next one of a cycle through all lines, in an order that no prefetcher recognises.
// (Sattolo's algorithm.)
static void tie(struct Line* lines) {
  static unsigned order[kLines];
  unsigned long state = 1;
  for (unsigned i = 0; i < kLines; ++i) order[i] = i;
  for (unsigned i = kLines - 1; i > 0; --i) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    unsigned other = (unsigned)((state >> 33) % i);
    unsigned kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  for (unsigned i = 0; i < kLines; ++i) lines[order[i]].next = &lines[order[(i + 1) % kLines]];
}

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct Line* go(const char* kind, struct Line* lines, struct Line* at) {
  long words = (long)kLines * kWordsPerLine;
  if (strcmp(kind, "chase") == 0 || strcmp(kind, "mix") == 0) at = chase(at, kLines);
  if (strcmp(kind, "chase_asm") == 0) at = chase_asm(at, kLines);
  if (strcmp(kind, "walk") == 0 || strcmp(kind, "mix") == 0) sink += walk((const long*)lines, words);
  // Offset by one word, which preserves the pointers.
  if (strcmp(kind, "stride") == 0) sink += stride((long*)lines + 1, words - 1, 4 * kWordsPerLine);
  return at;
}

int main(int argc, char** argv) {
  struct Line* lines = aligned_alloc(kLineBytes, (size_t)kLines * kLineBytes);
  if (argc < 3 || lines == NULL) return 2;
  memset(lines, 0, (size_t)kLines * kLineBytes);
  tie(lines);
  printf("%#lx %#lx\n", (unsigned long)lines, (unsigned long)(lines + kLines));
  struct Line* at = lines;
  for (double end = now_ms() + atof(argv[2]); now_ms() < end;) at = go(argv[1], lines, at);
  sink += at->value;
  return 0;
}
