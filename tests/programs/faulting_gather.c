// SPDX-License-Identifier: MIT
// Loads that fault once and run again: faulting_gather gather|load N. `gather` loads one element of eight by
// an AVX2 gather, `load` the same element by a plain load.
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { kPage = 4096 };

static void on_fault(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  mprotect((void*)((uintptr_t)info->si_addr & ~(uintptr_t)(kPage - 1)), kPage, PROT_READ | PROT_WRITE);
}

int main(int count, char** words) {
  if (count < 3) return 2;
  int gathers = strcmp(words[1], "gather") == 0;
  long pages = atol(words[2]);
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  char* page = mmap(0, (size_t)(pages + 1) * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (long i = 0; i < pages; ++i, page += kPage) {
    if (gathers)
      __asm__ volatile(
          "vpxor %%xmm0, %%xmm0, %%xmm0; vpcmpeqd %%xmm1, %%xmm1, %%xmm1; vpsrldq $12, %%xmm1, %%xmm1;"
          "vpgatherdd %%ymm1, (%0, %%ymm0, 1), %%ymm2"
          :
          : "r"(page)
          : "xmm0", "xmm1", "xmm2", "memory");
    else
      __asm__ volatile("movl (%0), %%ecx" : : "r"(page) : "rcx", "memory");
  }
  return 0;
}
