/* SPDX-License-Identifier: MIT
 * Two threads at a time, of which one is in a region; then a forked child that has none of its own. */
#include <hardmeter/hardmeter.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;
long data[1 << 18]; /* not static: its values are not known */

__attribute__((noipa)) static void measured(void) {
  for (size_t i = 0; i < sizeof(data) / sizeof(*data); i += 8) sink += data[i];
}
__attribute__((noipa)) static void unmeasured(void) {
  for (size_t i = 0; i < sizeof(data) / sizeof(*data); i += 8) sink -= data[i];
}

static void* other(void* unused) {
  (void)unused;
  unmeasured();
  return NULL;
}

int main(void) {
  pthread_t thread;
  if (hardmeter_start("outer") != 0) return 1;
  if (pthread_create(&thread, NULL, other, NULL) != 0) return 1;
  if (hardmeter_start("inner") != 0) return 1;
  measured();
  if (hardmeter_stop() != 0) return 1;
  measured();
  pid_t child = fork();
  if (child == 0) {
    unmeasured();
    _exit(hardmeter_stop() == -1 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  pthread_join(thread, NULL);
  if (hardmeter_stop() != 0) return 1;
  unmeasured();
  return status != 0 || hardmeter_stop() != -1;
}
