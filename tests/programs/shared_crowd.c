// SPDX-License-Identifier: MIT
// More processes than the models have slots: each adds to numbers in one line of common memory. Ten more
// never end, and are killed while they run.
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kProcesses = 80, kEndless = 10, kSteps = 2000 };

static atomic_ulong* numbers;

static pid_t start(uint64_t steps) {
  pid_t child = fork();
  if (child < 0) exit(1);
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (uint64_t i = 0; i < steps; ++i) {
    atomic_fetch_add(&numbers[steps == kSteps ? 0 : 1], 1);
    __builtin_ia32_pause();
  }
  _exit(0);
}

int main(void) {
  numbers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (numbers == MAP_FAILED) return 1;
  pid_t endless[kEndless], others[kProcesses];
  for (int i = 0; i < kEndless; ++i) endless[i] = start(UINT64_MAX);
  for (int i = 0; i < kProcesses; ++i) others[i] = start(kSteps);
  for (int i = 0; i < kProcesses; ++i) waitpid(others[i], NULL, 0);
  for (int i = 0; i < kEndless; ++i) kill(endless[i], SIGKILL);
  while (wait(NULL) > 0) {
  }
  printf("%lu\n", (unsigned long)numbers[0]);
  return 0;
}
