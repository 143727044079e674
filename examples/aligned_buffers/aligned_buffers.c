// SPDX-License-Identifier: MIT
// aligned_buffers [CONNECTIONS=64]: each connection has a buffer of 256 KiB, and a short request is at its
// beginning. 256 KiB are a multiple of a way of the second-level cache, so that all the beginnings fall into
// the same sets, which hold a few of them; most of the cache stays empty. Mended: each buffer is one page
// longer, so neighbouring ones begin in neighbouring sets.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  kMaxConnections = 64,
  kBufferBytes = 256 << 10,
  kPageBytes = 4096,
  kRequestBytes = 4096,
  kRounds = 100
};
#ifdef MENDED
enum { kPadding = kPageBytes };
#else
enum { kPadding = 0 };
#endif

struct buffer {
  uint8_t bytes[kBufferBytes + kPadding];
};
static _Alignas(kBufferBytes) struct buffer buffers[kMaxConnections];

__attribute__((noipa)) static uint64_t answer(struct buffer* buffer, unsigned round) {
  uint64_t sum = round;
  for (unsigned i = 0; i < kRequestBytes; i += 64) {
    sum = sum * 31 + buffer->bytes[i];
    buffer->bytes[i] = (uint8_t)sum;
  }
  return sum;
}

int main(int count, char** arguments) {
  int connections = count > 1 ? atoi(arguments[1]) : kMaxConnections;
  if (connections < 1 || connections > kMaxConnections) return 1;
  uint64_t sum = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (int i = 0; i < connections; ++i) sum += answer(&buffers[i], round);
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
