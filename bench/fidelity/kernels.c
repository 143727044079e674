// SPDX-License-Identifier: MIT
// kernels --list: prints the name of each kernel, its accesses in a round, and its flags, separated by tabs.
// kernels NAME ROUNDS: sets the kernel up, runs it ROUNDS times, and prints the CPU time of each round in
// nanoseconds. The last line has the clock rate in GHz, measured by dependent additions of one cycle each.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels.h"

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

enum { kMi = 1 << 20, kKi = 1 << 10, kSide = 2048, kPaddedSide = 2056, kRateRounds = 20 };

static const struct kernel kKernels[] = {
    {"add, dependent chain", NULL, add_chain, .accesses = 4 * kMi},
    {"add, 4 independent", NULL, add_independent, .accesses = 8 * kMi},
    {"64-bit divide chain", NULL, divide_chain, .accesses = kMi / 4},
    {"double mul+add chain", NULL, multiply_add_chain, .accesses = kMi / 2},
    {"unpredictable branch, L1 data", set_up_random_bits, unpredictable_branch, .accesses = kMi / 4,
     .bytes = KIB(4)},
    {"scan 8 B words, 16 KiB", set_up_bytes, scan_words, .accesses = 2 * kMi, .bytes = KIB(16)},
    {"scan 8 B words, 512 KiB", set_up_bytes, scan_words, .accesses = 2 * kMi, .bytes = KIB(512)},
    {"scan 8 B words, 256 MiB", set_up_bytes, scan_words, .accesses = 4 * kMi, .bytes = MIB(256)},
    {"scan 32 B vectors, 256 MiB", set_up_bytes, scan_vectors, .accesses = 2 * kMi, .bytes = MIB(256)},
    {"stride 64, 256 MiB", set_up_bytes, stride_up, .accesses = kMi, .bytes = MIB(256), .stride = 64},
    {"stride 128, 256 MiB", set_up_bytes, stride_up, .accesses = kMi, .bytes = MIB(256), .stride = 128},
    {"stride 256, 256 MiB", set_up_bytes, stride_up, .accesses = kMi, .bytes = MIB(256), .stride = 256},
    {"stride 1024, 256 MiB", set_up_bytes, stride_up, .accesses = kMi, .bytes = MIB(256), .stride = 1024},
    {"stride 4160, 256 MiB", set_up_bytes, stride_up, .accesses = kMi, .bytes = MIB(256), .stride = 4160},
    {"stride 65600, 256 MiB", set_up_bytes, stride_up, .accesses = kMi, .bytes = MIB(256), .stride = 65600},
    {"stride 64 downwards, 256 MiB", set_up_bytes, stride_down, .accesses = kMi, .bytes = MIB(256),
     .stride = 64},
    {"random independent, 16 KiB", set_up_bytes, load_random, .accesses = kMi, .bytes = KIB(16)},
    {"random independent, 64 KiB", set_up_bytes, load_random, .accesses = kMi, .bytes = KIB(64)},
    {"random independent, 256 KiB", set_up_bytes, load_random, .accesses = kMi, .bytes = KIB(256)},
    {"random independent, 2 MiB", set_up_bytes, load_random, .accesses = kMi, .bytes = MIB(2)},
    {"random independent, 16 MiB", set_up_bytes, load_random, .accesses = kMi, .bytes = MIB(16)},
    {"random independent, 64 MiB", set_up_bytes, load_random, .accesses = kMi, .bytes = MIB(64)},
    {"random independent, 256 MiB", set_up_bytes, load_random, .accesses = kMi, .bytes = MIB(256)},
    {"random independent, 256 MiB, huge pages", set_up_bytes, load_random, .accesses = kMi, .bytes = MIB(256),
     .huge_pages = true},
    {"pointer chase, 16 KiB", set_up_ring, chase_pointers, .accesses = kMi, .bytes = KIB(16)},
    {"pointer chase, 64 KiB", set_up_ring, chase_pointers, .accesses = kMi, .bytes = KIB(64)},
    {"pointer chase, 256 KiB", set_up_ring, chase_pointers, .accesses = kMi, .bytes = KIB(256)},
    {"pointer chase, 2 MiB", set_up_ring, chase_pointers, .accesses = kMi / 2, .bytes = MIB(2)},
    {"pointer chase, 16 MiB", set_up_ring, chase_pointers, .accesses = kMi / 2, .bytes = MIB(16)},
    {"pointer chase, 64 MiB", set_up_ring, chase_pointers, .accesses = kMi / 2, .bytes = MIB(64)},
    {"pointer chase, 256 MiB", set_up_ring, chase_pointers, .accesses = kMi / 2, .bytes = MIB(256)},
    {"pointer chase, 256 MiB, huge pages", set_up_ring, chase_pointers, .accesses = kMi / 2,
     .bytes = MIB(256), .huge_pages = true},
    {"4 pointer chases at once, 256 MiB", set_up_four_rings, chase_four, .accesses = kMi, .bytes = MIB(256)},
    {"gather by random index, 64 MiB", set_up_random_index, gather, .accesses = kMi, .bytes = MIB(64)},
    {"gather by sorted index, 64 MiB", set_up_sorted_index, gather, .accesses = kMi, .bytes = MIB(64)},
    {"store 8 B words, 256 MiB", set_up_bytes, store_words, .accesses = 4 * kMi, .bytes = MIB(256)},
    {"non-temporal store 8 B, 256 MiB", set_up_bytes, store_non_temporal, .accesses = 4 * kMi,
     .bytes = MIB(256)},
    {"memset, 256 MiB (64 B)", set_up_bytes, fill_lines, .accesses = kMi, .bytes = MIB(256)},
    {"memcpy, 128 MiB (64 B)", set_up_copy, copy_lines, .accesses = kMi, .bytes = MIB(256)},
    {"rep movsb, 128 MiB (64 B)", set_up_copy, copy_by_instruction, .accesses = kMi / 2, .bytes = MIB(256)},
    {"memcpy, 16 KiB (64 B)", set_up_copy, copy_lines, .accesses = 256 * kKi, .bytes = KIB(32)},
    {"rep movsb, 16 KiB (64 B)", set_up_copy, copy_by_instruction, .accesses = 256 * kKi, .bytes = KIB(32)},
    {"++ of words in order, 256 MiB", set_up_bytes, increment_words, .accesses = 4 * kMi, .bytes = MIB(256)},
    {"++ at random, 256 MiB", set_up_bytes, increment_random, .accesses = kMi, .bytes = MIB(256)},
    {"++ at random, 2 MiB", set_up_bytes, increment_random, .accesses = kMi, .bytes = MIB(2)},
    {"store at random, 256 MiB", set_up_bytes, store_random, .accesses = kMi, .bytes = MIB(256)},
    {"transpose 2048^2 naive", set_up_transpose, transpose, .accesses = kMi, .bytes = 2 * MIB(32),
     .stride = 8 * kSide},
    {"transpose 2048^2 padded", set_up_transpose, transpose, .accesses = kMi,
     .bytes = 2 * 8 * kPaddedSide * kPaddedSide, .stride = 8 * kPaddedSide},
    {"transpose 2048^2 blocked", set_up_transpose, transpose_blocked, .accesses = kMi, .bytes = 2 * MIB(32),
     .stride = 8 * kSide},
    {"matrix 512 ijk (column walk)", set_up_product, product_ijk, .accesses = 8 * 512 * 512, .bytes = MIB(2),
     .stride = 8 * 512},
    {"matrix 600 ijk (column walk)", set_up_product, product_ijk, .accesses = 6 * 600 * 600,
     .bytes = 8 * 600 * 600, .stride = 8 * 600},
    {"matrix 512 ikj (interchanged)", set_up_product, product_ikj, .accesses = 8 * 512 * 512, .bytes = MIB(2),
     .stride = 8 * 512},
    {"hash look-up, 64 MiB", set_up_hash_table, look_up, .accesses = kMi / 2, .bytes = MIB(64)},
    {"hash look-up prefetched, 64 MiB", set_up_hash_table, look_up_prefetched, .accesses = kMi / 2,
     .bytes = MIB(64)},
    {"list in address order, 64 MiB", set_up_ordered_ring, sum_list, .accesses = kMi, .bytes = MIB(64)},
    {"list shuffled, 64 MiB", set_up_ring, sum_list, .accesses = kMi / 2, .bytes = MIB(64)},
    {"binary search, 64 MiB", set_up_sorted_keys, search_binary, .accesses = 64 * kKi, .bytes = MIB(64)},
    {"binary search branchless, 64 MiB", set_up_sorted_keys, search_branchless, .accesses = 64 * kKi,
     .bytes = MIB(64)},
    {"16-ary tree search, 64 MiB", set_up_tree, search_tree, .accesses = 64 * kKi, .bytes = MIB(64)},
    {"two threads ++, one line", NULL, increment_shared_line, .accesses = 8 * kMi, .threads = true},
    {"two threads ++, a line each", NULL, increment_own_line, .accesses = 8 * kMi, .threads = true},
};

enum { kKernelCount = sizeof(kKernels) / sizeof(*kKernels) };

// CPU time of this process, of all its threads, in nanoseconds.
static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Returns the clock rate in GHz, by the fastest of short chains of dependent additions.
static double clock_rate(void) {
  const uint64_t additions = 256 * kKi;
  uint64_t min_ns = UINT64_MAX;
  for (int i = 0; i < kRateRounds; ++i) {
    const uint64_t before = now_ns();
    add_chain(NULL, additions);
    const uint64_t ns = now_ns() - before;
    if (ns < min_ns) min_ns = ns;
  }
  return (double)additions / (double)min_ns;
}

static void list_kernels(void) {
  for (int i = 0; i < kKernelCount; ++i) {
    printf("%s\t%llu\t%s\t%s\n", kKernels[i].name, (unsigned long long)kKernels[i].accesses,
           kKernels[i].huge_pages ? "huge pages" : "", kKernels[i].threads ? "threads" : "");
  }
}

static uint64_t run(const struct kernel* kernel, int rounds) {
  struct workspace work = {.kernel = kernel};
  if (kernel->set_up != NULL) kernel->set_up(&work);
  uint64_t checksum = 0;
  for (int i = 0; i < rounds; ++i) {
    const uint64_t before = now_ns();
    checksum += kernel->round(&work, kernel->accesses);
    printf("%llu\n", (unsigned long long)(now_ns() - before));
  }
  return checksum;
}

int main(int count, char** arguments) {
  if (count == 2 && strcmp(arguments[1], "--list") == 0) {
    list_kernels();
    return 0;
  }
  if (count != 3) {
    fputs("usage: kernels --list | kernels NAME ROUNDS\n", stderr);
    return 2;
  }
  for (int i = 0; i < kKernelCount; ++i) {
    if (strcmp(kKernels[i].name, arguments[1]) != 0) continue;
    uint64_t checksum = run(kKernels + i, atoi(arguments[2]));
    OPAQUE(checksum);
    printf("%.4f GHz\n", clock_rate());
    return 0;
  }
  fprintf(stderr, "kernels: there is no kernel `%s`; `kernels --list` prints the names\n", arguments[1]);
  return 2;
}
