// SPDX-License-Identifier: MIT
// Makes executable mappings in every way, runs code in each and prints the kernel's description of them:
// mappings FOLDER, or mappings storm COUNT: as a compiler, makes one page at a time writable and executable
// in turns, COUNT times.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kPage = 4096 };

static void fail(const char* what) {
  perror(what);
  exit(3);
}

static void* map(size_t bytes, int protection, int flags, int fd, off_t offset) {
  void* mapped = mmap(NULL, bytes, protection, flags, fd, offset);
  if (mapped == MAP_FAILED) fail("mmap");
  return mapped;
}

static void protect(void* page, size_t bytes, int protection) {
  if (mprotect(page, bytes, protection) != 0) fail("mprotect");
}

// mov $value, %eax; ret
static void write_code(uint8_t* at, uint32_t value) {
  at[0] = 0xb8;
  memcpy(at + 1, &value, sizeof(value));
  at[5] = 0xc3;
}

static uint32_t run(const uint8_t* code) { return ((uint32_t(*)(void))(uintptr_t)code)(); }

// Prints the kernel's own line about the page, behind a given name.
static void tell(const char* name, const uint8_t* page, uint32_t value) {
  char line[8192];
  FILE* maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) fail("/proc/self/maps");
  if (run(page) != value) printf("wrong ");
  while (fgets(line, sizeof(line), maps) != NULL) {
    uintptr_t start, end;
    if (sscanf(line, "%lx-%lx", &start, &end) == 2 && start <= (uintptr_t)page && (uintptr_t)page < end)
      printf("%s %lx %s", name, (unsigned long)(uintptr_t)page, line);
  }
  fclose(maps);
}

static int code_file(const char* folder, uint32_t first) {
  uint8_t pages[4 * kPage] = {0};
  char path[4096];
  snprintf(path, sizeof(path), "%s/code", folder);
  for (uint32_t i = 0; i < 4; ++i) write_code(pages + i * kPage, first + i);
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || write(fd, pages, sizeof(pages)) != (ssize_t)sizeof(pages)) fail(path);
  return fd;
}

static void map_every_way(const char* folder) {
  const int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;
  int fd = code_file(folder, 100);
  tell("file", map(2 * kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, kPage), 101);
  uint8_t* later = map(kPage, PROT_READ, MAP_PRIVATE, fd, 3 * kPage);
  protect(later, kPage, PROT_READ | PROT_EXEC);
  tell("file-by-mprotect", later, 103);
  uint8_t* memory = map(4 * kPage, PROT_READ | PROT_WRITE, kPrivate, -1, 0);
  for (uint32_t i = 0; i < 4; ++i) write_code(memory + i * kPage, 200 + i);
  protect(memory + kPage, 2 * kPage, PROT_READ | PROT_EXEC);
  tell("memory-by-mprotect", memory + 2 * kPage, 202);
  uint8_t* both = map(kPage, PROT_READ | PROT_WRITE | PROT_EXEC, kPrivate, -1, 0);
  write_code(both, 300);
  tell("memory", both, 300);
  if (mmap(both, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0) != both) fail("mmap");
  tell("file-over-memory", both, 100);
  uint8_t* shared = map(kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  write_code(shared, 400);
  protect(shared, kPage, PROT_READ | PROT_EXEC);
  tell("shared-memory", shared, 400);
  uint8_t* moved = map(kPage, PROT_READ | PROT_WRITE | PROT_EXEC, kPrivate, -1, 0);
  write_code(moved, 500);
  if (run(moved) != 500) printf("wrong\n");
  uint8_t* place = map(kPage, PROT_READ, kPrivate, -1, 0);
  if (mremap(moved, kPage, kPage, MREMAP_MAYMOVE | MREMAP_FIXED, place) != place) fail("mremap");
  tell("moved-memory", place, 500);
}

static void change_in_turns(long count) {
  uint8_t* page = map(kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (long i = 0; i < count; ++i) {
    write_code(page, (uint32_t)i);
    protect(page, kPage, PROT_READ | PROT_EXEC);
    if (run(page) != (uint32_t)i) printf("wrong\n");
    protect(page, kPage, PROT_READ | PROT_WRITE);
  }
}

int main(int count, char** words) {
  if (count == 3 && strcmp(words[1], "storm") == 0) {
    change_in_turns(atol(words[2]));
    return 0;
  }
  if (count != 2) return 2;
  map_every_way(words[1]);
  return 0;
}
