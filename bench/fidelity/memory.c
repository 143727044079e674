// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "kernels.h"

char* map_memory(size_t bytes, bool huge_pages) {
  const size_t alignment = 2u << 20;
  char* mapped = mmap(NULL, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    perror("kernels: cannot map memory");
    exit(1);
  }
  char* aligned = (char*)(((uintptr_t)mapped + alignment - 1) & ~(alignment - 1));
  madvise(aligned, bytes, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  // One store a page: the pages are the program's own, and most lines are still in no cache.
  for (size_t i = 0; i < bytes; i += kPageBytes) ((volatile char*)aligned)[i] = 0;
  return aligned;
}

void set_up_bytes(struct workspace* work) {
  work->memory = map_memory(work->kernel->bytes, work->kernel->huge_pages);
}

void set_up_copy(struct workspace* work) {
  set_up_bytes(work);
  work->more = work->memory + work->kernel->bytes / 2;
}
