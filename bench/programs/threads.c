// SPDX-License-Identifier: MIT
// threads [N [walk]]: starts N threads that each do the same work in their own memory: a shuffle of 256 KiB
// and sums over it, or walks over 1 MiB, a line at a time.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kWords = 256 << 10 >> 2,
  kRounds = 3000,
  kMaxThreads = 256,
  kWalked = 1 << 20,
  kWalks = 2000,
  kLine = 64
};

static void* shuffle(void* result) {
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

static void* walk(void* result) {
  volatile unsigned char* bytes = malloc(kWalked);
  if (bytes == NULL) abort();
  memset((void*)bytes, 1, kWalked);
  uint64_t sum = 0;
  for (int walked = 0; walked < kWalks; ++walked) {
    for (int at = 0; at < kWalked; at += kLine) sum += bytes[at];
  }
  *(uint64_t*)result = sum;
  free((void*)bytes);
  return NULL;
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  if (threads < 1 || threads > kMaxThreads) return 1;
  void* (*work)(void*) = argc > 2 && strcmp(argv[2], "walk") == 0 ? walk : shuffle;
  pthread_t ids[kMaxThreads];
  uint64_t sums[kMaxThreads];
  for (int i = 0; i < threads; ++i) {
    if (pthread_create(&ids[i], NULL, work, &sums[i]) != 0) return 1;
  }
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
  printf("%llu\n", (unsigned long long)sums[0]);
  return 0;
}
