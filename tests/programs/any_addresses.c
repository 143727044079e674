// SPDX-License-Identifier: MIT
// Uses addresses at which the engine has memory: any_addresses MODE. Natively nothing is there.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kBytes = 1 << 16, kPages = 16 };

static volatile unsigned char used[1 << 20];
static void use_memory(void) {
  for (int round = 0; round < 4; ++round)
    for (unsigned i = 0; i < sizeof(used); i += 64) ++used[i];
}

// Where the engine's image and the tables of touched lines are, among others.
static char* const kAddresses[] = {(char*)0x554000000000, (char*)0x554000800000, (char*)0x554040000000,
                                   (char*)0x554100000000, (char*)0x570000000000, (char*)0x570040000000,
                                   (char*)0x5f0080000000, (char*)0x600000000000, (char*)0x6fffa0000000,
                                   (char*)0x720000000000, (char*)0x740000000000, (char*)0x770000000000};
enum { kCount = sizeof(kAddresses) / sizeof(*kAddresses) };

// Each mapping in /proc/self/maps: locked, unlocked, left out of core files, and protected as before.
static void listed(void) {
  static char text[1 << 20];
  FILE* maps = fopen("/proc/self/maps", "r");
  size_t length = fread(text, 1, sizeof(text) - 1, maps);
  fclose(maps);
  text[length] = 0;
  int failures = 0;
  for (char* line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    unsigned long start, end;
    char rights[5];
    if (strchr(line, '[') != NULL && strstr(line, "[v") != NULL) continue;
    if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3) continue;
    int protection = (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0) |
                     (rights[2] == 'x' ? PROT_EXEC : 0);
    void* memory = (void*)start;
    unsigned long bytes = end - start;
    if (strstr(line, "[stack]") == NULL) failures += mprotect(memory, bytes, protection) != 0;
    if (protection != 0) failures += mlock(memory, bytes) != 0;
    failures += munlock(memory, bytes) != 0;
    failures += madvise(memory, bytes, MADV_DONTDUMP) != 0;
  }
  use_memory();
  printf("%d failures\n", failures);
}

static void unmapped(void) {
  for (int i = 0; i < kCount; ++i) printf("%p: %d\n", kAddresses[i], munmap(kAddresses[i], 4ul << 30));
  use_memory();
  pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  waitpid(child, &status, 0);
  printf("then a child: status %x\n", (unsigned)status);
}

static void check(char* memory, const char* expected) {
  use_memory();
  int kept = memory == expected;
  for (int page = 0; kept && page < kPages; ++page) kept = memory[page * 4096] == page + 1;
  printf("%p: %s\n", (void*)expected, kept ? "kept" : "lost");
}

static void fill(char* memory) {
  for (int page = 0; page < kPages; ++page) memory[page * 4096] = (char)(page + 1);
}

static void mapped(void) {
  for (int i = 0; i < kCount; ++i) {
    char* memory =
        mmap(kAddresses[i], kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (memory != MAP_FAILED) fill(memory);
    check(memory, kAddresses[i]);
  }
}

static void moved(void) {
  for (int i = 0; i < kCount; ++i) {
    char* memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fill(memory);
    check(mremap(memory, kBytes, kBytes, MREMAP_MAYMOVE | MREMAP_FIXED, kAddresses[i]), kAddresses[i]);
  }
}

int main(int argument_count, char** arguments) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kModes[] = {{"listed", listed}, {"unmapped", unmapped}, {"mapped", mapped}, {"moved", moved}};
  for (unsigned i = 0; argument_count > 1 && i < sizeof(kModes) / sizeof(*kModes); ++i) {
    if (strcmp(arguments[1], kModes[i].name) == 0) kModes[i].run();
  }
  return 0;
}
