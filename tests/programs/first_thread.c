// SPDX-License-Identifier: MIT
// A process whose first thread ends, while others go on: they run new code, generate code, take signals,
// start threads and processes, and execute this program again: first_thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int handled;
static void on_signal(int signal) { handled = signal; }

// Waits until the kernel has ended the first thread, whose state is then Z.
static void await_end_of_first(void) {
  char state = '?';
  while (state != 'Z') {
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)getpid());
    FILE* file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = '?';
    if (file != NULL) fclose(file);
    usleep(1000);
  }
}

static int descending(const void* one, const void* other) { return *(const int*)other - *(const int*)one; }

static void* in_thread(void* data) {
  *(int*)data += 1;
  return NULL;
}

static int run_generated(void) {
  static const unsigned char kCode[] = {0xb8, 42, 0, 0, 0, 0xc3};  // mov $42, %eax; ret
  void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(page, kCode, sizeof(kCode));
  int (*function)(void);
  memcpy(&function, &page, sizeof(function));
  return function();
}

static void* go_on(void* program) {
  await_end_of_first();
  int numbers[] = {3, 1, 2}, started = 0, status = 0;
  qsort(numbers, 3, sizeof(int), descending);
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  pthread_t another;
  pthread_create(&another, NULL, in_thread, &started);
  pthread_join(another, NULL);
  pid_t child = fork();
  if (child == 0) _exit(run_generated());
  waitpid(child, &status, 0);
  printf("largest %d, generated %d, signal %d, started %d, child %d\n", numbers[0], run_generated(), handled,
         started, WEXITSTATUS(status));
  fflush(stdout);
  execl(program, program, "again", NULL);
  return NULL;
}

int main(int count, char** arguments) {
  if (count > 1) return puts("executed") < 0;
  pthread_t thread;
  pthread_create(&thread, NULL, go_on, arguments[0]);
  pthread_exit(NULL);
}
