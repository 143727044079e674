// SPDX-License-Identifier: MIT
// So many threads (argument: 1), each doing the same work in memory of its own: a shuffle of 256 KiB and sums
// over it.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWords = 256 << 10 >> 2, kRounds = 3000, kMostThreads = 256 };

static void* work(void* result) {
  uint32_t* words = malloc(sizeof(uint32_t) * kWords);
  if (words == NULL) abort();
  for (uint32_t i = 0; i < kWords; ++i) words[i] = i;
  uint64_t random = 88172645463325252u, sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    for (uint32_t i = 0; i < kWords; ++i) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      uint32_t other = (uint32_t)random % kWords;
      uint32_t word = words[i];
      words[i] = words[other];
      words[other] = word;
      sum += words[i] > words[other] ? words[i] : i;
    }
  }
  *(uint64_t*)result = sum;
  free(words);
  return NULL;
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  if (threads < 1 || threads > kMostThreads) return 1;
  pthread_t ids[kMostThreads];
  uint64_t sums[kMostThreads];
  for (int i = 0; i < threads; ++i) {
    if (pthread_create(&ids[i], NULL, work, &sums[i]) != 0) return 1;
  }
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
  printf("%llu\n", (unsigned long long)sums[0]);
  return 0;
}
