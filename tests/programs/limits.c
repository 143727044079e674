// SPDX-License-Identifier: MIT
// Resource limits as a program sees them, and the effects of exceeding them. Prints one line for each step;
// the lines are the same natively and under an engine.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMegabyte = 1 << 20 };

static void show(const char* what, int resource) {
  struct rlimit limit, same;
  int result = getrlimit(resource, &limit);
  int again = prlimit(0, resource, NULL, &same);
  printf("%s: %d %lld %lld, %s\n", what, result, (long long)limit.rlim_cur, (long long)limit.rlim_max,
         again == 0 && memcmp(&limit, &same, sizeof limit) == 0 ? "twice" : "not twice");
}

static void set(int resource, rlim_t soft, rlim_t hard) {
  struct rlimit limit = {soft, hard};
  int result = setrlimit(resource, &limit);
  printf("set: %s\n", result == 0 ? "done" : strerror(errno));
}

// The process can still map more than a third of `bytes`, and less than all of it.
static void fill(size_t bytes, int protection) {
  size_t taken = 0;
  while (taken < bytes && mmap(NULL, kMegabyte, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    taken += kMegabyte;
  printf("mapped: %s, %s\n", taken > bytes / 3 ? "much" : "little", taken < bytes ? strerror(errno) : "all");
  void* block = malloc(bytes);
  printf("malloc: %s\n", block == NULL ? strerror(errno) : "given");
  void* old_break = sbrk(0);
  printf("sbrk: %s\n",
         sbrk((intptr_t)bytes) == (void*)-1 && sbrk(0) == old_break ? strerror(errno) : "moved");
}

static void* nothing(void* argument) { return argument; }

static void try_threads(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 512u * kMegabyte);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, nothing, NULL);
  printf("a thread with a large stack: %s\n", error == 0 ? "made" : strerror(error));
}

static void in_child(void (*run)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    run();
    fflush(stdout);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  printf("child: %d\n", status);
}

static void address_space(void) {
  set(RLIMIT_AS, 300u * kMegabyte, RLIM_INFINITY);
  show("soft", RLIMIT_AS);
  fill(300u * kMegabyte, PROT_NONE);
  try_threads();
  set(RLIMIT_AS, RLIM_INFINITY, RLIM_INFINITY);
  show("none", RLIMIT_AS);
}

static void data(void) {
  set(RLIMIT_DATA, 100u * kMegabyte, 100u * kMegabyte);
  show("hard", RLIMIT_DATA);
  fill(100u * kMegabyte, PROT_READ | PROT_WRITE);
  void* not_data = mmap(NULL, 200u * kMegabyte, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("memory that is no data: %s\n", not_data == MAP_FAILED ? strerror(errno) : "given");
}

static void remapping(void) {
  char* block = mmap(NULL, kMegabyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  set(RLIMIT_AS, 200u * kMegabyte, 200u * kMegabyte);
  void* grown = mremap(block, kMegabyte, 300u * kMegabyte, MREMAP_MAYMOVE);
  printf("mremap: %s\n", grown == MAP_FAILED ? strerror(errno) : "grown");
  grown = mremap(block, kMegabyte, 2 * kMegabyte, MREMAP_MAYMOVE);
  printf("mremap: %s\n", grown == MAP_FAILED ? strerror(errno) : "grown");
  void* in_place = mmap(grown, 2 * kMegabyte, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  printf("in place: %s\n", in_place == grown ? "mapped" : strerror(errno));
}

static void wrong_calls(void) {
  set(RLIMIT_AS, 300, 200);
  errno = 0;
  long result = syscall(SYS_prlimit64, 0, RLIMIT_AS, (void*)16, NULL);
  printf("a bad pointer: %ld %s\n", result, strerror(errno));
  result = syscall(SYS_prlimit64, 0, RLIMIT_AS, NULL, (void*)16);
  printf("a bad pointer: %ld %s\n", result, strerror(errno));
  result = syscall(SYS_getrlimit, RLIMIT_DATA, NULL);
  printf("no pointer: %ld %s\n", result, strerror(errno));
  result = syscall(SYS_prlimit64, 0, RLIMIT_AS, NULL, NULL);
  printf("nothing asked: %ld\n", result);
}

static void of_a_child(void) {
  int ready[2];
  if (pipe(ready) != 0) exit(1);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    close(ready[1]);
    ssize_t ended = read(ready[0], &byte, 1);  // until the limit is set
    show("set by the parent", RLIMIT_AS);
    fflush(stdout);
    _exit(ended == 0 ? 0 : 1);
  }
  struct rlimit limit = {400u * kMegabyte, 500u * kMegabyte}, before;
  int result = prlimit(child, RLIMIT_AS, &limit, &before);
  struct rlimit now;
  prlimit(child, RLIMIT_AS, NULL, &now);
  printf("of a child: %d %lld, then %lld %lld\n", result, (long long)before.rlim_cur, (long long)now.rlim_cur,
         (long long)now.rlim_max);
  fflush(stdout);
  close(ready[1]);
  int status;
  waitpid(child, &status, 0);
}

// The number of descriptors, and whether the program can set each of them.
static void descriptors(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  int opened = 0, failed = 0;
  while (dup(1) >= 0) ++opened;
  printf("%lld, opened %d: %s\n", (long long)limit.rlim_cur, opened, strerror(errno));
  for (int fd = 3; fd < (int)limit.rlim_cur; ++fd) failed += dup2(1, fd) != fd;
  printf("not set: %d, behind the last %d\n", failed, dup2(1, (int)limit.rlim_cur));
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "show") == 0) {
    show("address space", RLIMIT_AS);
    show("data", RLIMIT_DATA);
    show("files", RLIMIT_FSIZE);
    void* block = malloc(kMegabyte);
    printf("malloc: %s\n", block == NULL ? strerror(errno) : "given");
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "descriptors") == 0) {
    descriptors();
    return 0;
  }
  show("at first", RLIMIT_AS);
  in_child(address_space);
  in_child(data);
  in_child(remapping);
  in_child(wrong_calls);
  in_child(of_a_child);
  show("at last", RLIMIT_AS);
  return 0;
}
