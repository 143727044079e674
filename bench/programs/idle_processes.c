// SPDX-License-Identifier: MIT
// idle_processes PROCESSES THREADS: starts PROCESSES processes with THREADS threads each, which sleep until
// this process ends.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static void* wait_for_end(void* nothing) {
  for (;;) pause();
  return nothing;
}

static void be_one(int threads) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  for (int i = 1; i < threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, wait_for_end, NULL) != 0) _exit(1);
  }
  if (write(STDOUT_FILENO, ".", 1) != 1) _exit(1);
  wait_for_end(NULL);
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  for (int i = atoi(arguments[1]); i > 0; --i) {
    pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) be_one(atoi(arguments[2]));
  }
  wait_for_end(NULL);
  return 0;
}
