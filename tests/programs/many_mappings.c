// SPDX-License-Identifier: MIT
// Maps code of its own file thousands of times, between memory without code. Prints the number of mappings,
// and the bytes that the process has read for each: the cost of one must not grow with their number.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

enum { kMappings = 2000, kPageBytes = 4096, kMaxReadBytes = 4096 };

// Bytes read by read(2) and similar calls; 0: unknown.
static unsigned long long read_bytes(void) {
  unsigned long long bytes = 0;
  FILE* file = fopen("/proc/self/io", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "rchar: %llu", &bytes) != 1) bytes = 0;
  fclose(file);
  return bytes;
}

int main(void) {
  int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), mapped = 0;
  char* area = mmap(NULL, 2 * kMappings * kPageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fd < 0 || area == MAP_FAILED) return 3;
  unsigned long long before = read_bytes();
  for (int i = 0; i < kMappings; ++i) {
    char* at = area + (size_t)(2 * (kMappings - 1 - i)) * kPageBytes;
    mapped += mmap(at, kPageBytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0) == at;
  }
  unsigned long long most = (unsigned long long)kMappings * kMaxReadBytes;
  printf("%d mappings, %s\n", mapped, read_bytes() - before < most ? "little read" : "much read");
  return 0;
}
