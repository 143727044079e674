// SPDX-License-Identifier: MIT
// Loops of known behaviour that bench/fidelity.py measures on the clock and on the model.
#ifndef BENCH_FIDELITY_KERNELS_H
#define BENCH_FIDELITY_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { kLineBytes = 64, kPageBytes = 4096 };

struct workspace;

struct kernel {
  const char* name;
  void (*set_up)(struct workspace* work);  // NULL: the kernel needs no memory
  // Runs `accesses` accesses, and continues where the previous round ended. Returns a checksum.
  uint64_t (*round)(struct workspace* work, uint64_t accesses);
  uint64_t accesses;  // in one round
  size_t bytes;       // size of the memory
  size_t stride;      // bytes between two accesses of a walk; rows of a padded matrix
  bool huge_pages;
  bool threads;  // needs two CPUs
};

// The memory of a kernel, and the position of its next round.
struct workspace {
  const struct kernel* kernel;
  char* memory;       // `kernel->bytes` bytes
  char* more;         // second array, NULL if the kernel has one only
  char* third;        // third array of matrix products
  size_t elements;    // size of `more`, of a matrix's row, or of a table, in elements
  uint64_t position;  // count of accesses, or index, depending on the kernel
  char* pointers[4];  // where pointer chases continue
};

// Hides a value from the compiler: it can neither be removed nor combined with the values of other
// iterations.
#define OPAQUE(value) __asm__ volatile("" : "+r"(value))
// Makes the compiler complete all stores before it continues.
#define STORED() __asm__ volatile("" ::: "memory")
#define NOT_INLINED __attribute__((noinline, noclone))

// Returns a well mixed number; equal for equal arguments.
static inline uint64_t hash(uint64_t number) {
  number *= 0x9E3779B97F4A7C15u;
  number ^= number >> 32;
  number *= 0xBF58476D1CE4E5B9u;
  return number ^ number >> 29;
}

// Returns zeroed memory, aligned to 2 MiB, with or without transparent huge pages. Exits if there is none.
char* map_memory(size_t bytes, bool huge_pages);

// Returns the length of the piece of an array of `count` elements from the current position to the end of the
// array or of the round. Sets `begin`, and moves the position behind the piece.
static inline uint64_t next_piece(struct workspace* work, uint64_t count, uint64_t* left, uint64_t* begin) {
  uint64_t rest = count - work->position, piece = *left < rest ? *left : rest;
  *begin = work->position;
  work->position = piece == rest ? 0 : work->position + piece;
  *left -= piece;
  return piece;
}

// Set-ups. Each maps the kernel's memory and writes to all of its pages.
void set_up_bytes(struct workspace* work);
void set_up_copy(struct workspace* work);  // two halves
void set_up_ring(struct workspace* work);  // a cycle of all lines in random order
void set_up_ordered_ring(struct workspace* work);
void set_up_four_rings(struct workspace* work);
void set_up_random_index(struct workspace* work);
void set_up_sorted_index(struct workspace* work);
void set_up_random_bits(struct workspace* work);
void set_up_transpose(struct workspace* work);
void set_up_product(struct workspace* work);
void set_up_hash_table(struct workspace* work);
void set_up_sorted_keys(struct workspace* work);
void set_up_tree(struct workspace* work);

// Rounds.
uint64_t add_chain(struct workspace* work, uint64_t accesses);
uint64_t add_independent(struct workspace* work, uint64_t accesses);
uint64_t divide_chain(struct workspace* work, uint64_t accesses);
uint64_t multiply_add_chain(struct workspace* work, uint64_t accesses);
uint64_t unpredictable_branch(struct workspace* work, uint64_t accesses);
uint64_t scan_words(struct workspace* work, uint64_t accesses);
uint64_t scan_vectors(struct workspace* work, uint64_t accesses);
uint64_t stride_up(struct workspace* work, uint64_t accesses);
uint64_t stride_down(struct workspace* work, uint64_t accesses);
uint64_t store_words(struct workspace* work, uint64_t accesses);
uint64_t store_non_temporal(struct workspace* work, uint64_t accesses);
uint64_t increment_words(struct workspace* work, uint64_t accesses);
uint64_t fill_lines(struct workspace* work, uint64_t accesses);
uint64_t copy_lines(struct workspace* work, uint64_t accesses);
uint64_t copy_by_instruction(struct workspace* work, uint64_t accesses);
uint64_t load_random(struct workspace* work, uint64_t accesses);
uint64_t store_random(struct workspace* work, uint64_t accesses);
uint64_t increment_random(struct workspace* work, uint64_t accesses);
uint64_t chase_pointers(struct workspace* work, uint64_t accesses);
uint64_t chase_four(struct workspace* work, uint64_t accesses);
uint64_t gather(struct workspace* work, uint64_t accesses);
uint64_t sum_list(struct workspace* work, uint64_t accesses);
uint64_t transpose(struct workspace* work, uint64_t accesses);
uint64_t transpose_blocked(struct workspace* work, uint64_t accesses);
uint64_t product_ijk(struct workspace* work, uint64_t accesses);
uint64_t product_ikj(struct workspace* work, uint64_t accesses);
uint64_t look_up(struct workspace* work, uint64_t accesses);
uint64_t look_up_prefetched(struct workspace* work, uint64_t accesses);
uint64_t search_binary(struct workspace* work, uint64_t accesses);
uint64_t search_branchless(struct workspace* work, uint64_t accesses);
uint64_t search_tree(struct workspace* work, uint64_t accesses);
uint64_t increment_shared_line(struct workspace* work, uint64_t accesses);
uint64_t increment_own_line(struct workspace* work, uint64_t accesses);

#endif
