// SPDX-License-Identifier: MIT
// reading ROUNDS: reads pages of zeros into 4 MiB of memory, one page after the other, ROUNDS times. The
// kernel writes 64 lines a round; the program does not use them.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { kPage = 4096, kPages = 1024 };

static _Alignas(kPage) char memory[kPages][kPage];

int main(int count, char** words) {
  int zeros = open("/dev/zero", O_RDONLY);
  if (count != 2 || zeros < 0) return 2;
  long rounds = strtol(words[1], NULL, 10);
  for (long round = 0; round < rounds; ++round) {
    if (read(zeros, memory[round % kPages], kPage) != kPage) return 1;
  }
  return 0;
}
