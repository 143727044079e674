// SPDX-License-Identifier: MIT
// Two threads that take turns under a lock; built with each sanitizer. sanitized SECONDS [FILE]: runs until
// the time has passed or the file exists; prints "begun" and, at the end, whether the count is right.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { kThreads = 2, kRounds = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count;

static void* run(void* argument) {
  char* block = malloc(1000);
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&mutex);
    block[i] = (char)i;
    count += block[i] == (char)i;
    pthread_mutex_unlock(&mutex);
  }
  free(block);
  return argument;
}

int main(int words, char** word) {
  if (words < 2) return 2;
  time_t end = time(NULL) + atoi(word[1]);
  long expected = 0;
  puts("begun");
  fflush(stdout);
  do {
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
    expected += kThreads * kRounds;
    if (words == 2) break;
  } while (time(NULL) < end && access(word[2], F_OK) != 0);
  puts(count == expected ? "all right" : "wrong count");
  return count == expected ? 0 : 1;
}
