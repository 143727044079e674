// SPDX-License-Identifier: MIT
// Reads 40 pages, line by line, a thousand times. `same`: pages with frames in one part of a cache of 16
// colours, which has 16 ways; `other`: in all parts equally. `returned`: like `other`, after their memory
// was returned and allocated again. `forked`: a child reads pages that it has copied. Each prints its
// process, and each page's number with that of its frame, from the kernel at the end; a frame of 0 is
// unknown.
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kPageBytes = 4096, kPages = 4096, kRead = 40, kColours = 16, kRounds = 1000 };

static uint64_t frame_of(const volatile char* page) {
  int file = open("/proc/self/pagemap", O_RDONLY);
  uint64_t entry = 0;
  if (pread(file, &entry, sizeof(entry), (off_t)((uintptr_t)page / kPageBytes * sizeof(entry))) < 0)
    entry = 0;
  close(file);
  return entry & ((UINT64_C(1) << 55) - 1);
}

static volatile char* pages[kRead];

static void choose(char* memory, int same) {
  int chosen = 0;
  for (int i = 0; i < kPages && chosen < kRead; ++i) {
    char* page = memory + (size_t)i * kPageBytes;
    int wanted = same ? 0 : chosen % kColours;
    if (frame_of(page) % kColours == (uint64_t)wanted) pages[chosen++] = page;
  }
  for (; chosen < kRead; ++chosen) pages[chosen] = memory + (size_t)chosen * kPageBytes;
}

static void read_all(void) {
  for (int round = 0; round < kRounds; ++round) {
    for (int offset = 0; offset < kPageBytes; offset += 64) {
      for (int i = 0; i < kRead; ++i) (void)pages[i][offset];
    }
  }
  for (int i = 0; i < kRead; ++i)
    printf("%d %" PRIxPTR " %" PRIx64 "\n", (int)getpid(), (uintptr_t)pages[i] / kPageBytes,
           frame_of(pages[i]));
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "same";
  size_t bytes = (size_t)kPages * kPageBytes;
  char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  memset(memory, 1, bytes);
  choose(memory, strcmp(how, "same") == 0);
  if (strcmp(how, "returned") == 0) {
    madvise(memory, bytes, MADV_DONTNEED);
    memset(memory, 2, bytes);
  }
  if (strcmp(how, "forked") == 0 && fork() != 0) return wait(NULL) < 0;
  if (strcmp(how, "forked") == 0) memset(memory, 3, bytes);
  read_all();
  return 0;
}
