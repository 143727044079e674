// SPDX-License-Identifier: MIT
// Look-ups in a hash table, in a sorted array and in a tree. An access is one look-up.
#include <immintrin.h>

#include "kernels.h"

enum { kAhead = 16, kKeys = 16 };

struct entry {
  uint64_t key;  // 0: free
  uint64_t value;
};

// Open addressing; `elements` is the number of entries, a power of two. Half of them hold the keys from 1.
static uint64_t slot_of(uint64_t key, uint64_t mask) { return hash(key) >> 24 & mask; }

void set_up_hash_table(struct workspace* work) {
  set_up_bytes(work);
  work->elements = work->kernel->bytes / sizeof(struct entry);
  struct entry* table = (struct entry*)work->memory;
  const uint64_t mask = work->elements - 1;
  for (uint64_t key = 1; key <= work->elements / 2; ++key) {
    uint64_t slot = slot_of(key, mask);
    while (table[slot].key != 0) slot = (slot + 1) & mask;
    table[slot] = (struct entry){key, key};
  }
}

static uint64_t key_of(const struct workspace* work, uint64_t i) {
  return (hash(i) >> 20 & (work->elements / 2 - 1)) + 1;
}

static uint64_t value_of(const struct workspace* work, uint64_t key) {
  const struct entry* table = (const struct entry*)work->memory;
  const uint64_t mask = work->elements - 1;
  uint64_t slot = slot_of(key, mask);
  while (table[slot].key != key) slot = (slot + 1) & mask;
  return table[slot].value;
}

NOT_INLINED uint64_t look_up(struct workspace* work, uint64_t accesses) {
  const uint64_t end = work->position + accesses;
  uint64_t sum = 0;
  for (uint64_t i = work->position; i < end; ++i) sum += value_of(work, key_of(work, i));
  work->position = end;
  return sum;
}

NOT_INLINED uint64_t look_up_prefetched(struct workspace* work, uint64_t accesses) {
  const struct entry* table = (const struct entry*)work->memory;
  const uint64_t end = work->position + accesses;
  uint64_t sum = 0;
  for (uint64_t i = work->position; i < end; ++i) {
    const uint64_t later = key_of(work, i + kAhead);
    _mm_prefetch((const char*)(table + slot_of(later, work->elements - 1)), _MM_HINT_T0);
    sum += value_of(work, key_of(work, i));
  }
  work->position = end;
  return sum;
}

static uint32_t wanted(uint64_t i) { return (uint32_t)(hash(i) >> 32); }

// Keys of 32 bits at equal distances.
void set_up_sorted_keys(struct workspace* work) {
  set_up_bytes(work);
  work->elements = work->kernel->bytes / sizeof(uint32_t);
  uint32_t* keys = (uint32_t*)work->memory;
  for (uint64_t i = 0; i < work->elements; ++i) keys[i] = (uint32_t)((i << 32) / work->elements);
}

NOT_INLINED uint64_t search_binary(struct workspace* work, uint64_t accesses) {
  const uint32_t* keys = (const uint32_t*)work->memory;
  const uint64_t end = work->position + accesses;
  uint64_t sum = 0;
  for (uint64_t i = work->position; i < end; ++i) {
    const uint32_t key = wanted(i);
    uint64_t low = 0, high = work->elements;
    while (low < high) {
      const uint64_t middle = (low + high) / 2;
      // Volatile assembly in both branches keeps the compiler from a conditional move.
      if (keys[middle] < key) {
        low = middle + 1;
        __asm__ volatile("" : "+r"(low));
      } else {
        high = middle;
        __asm__ volatile("" : "+r"(high));
      }
    }
    sum += low;
  }
  work->position = end;
  return sum;
}

NOT_INLINED uint64_t search_branchless(struct workspace* work, uint64_t accesses) {
  const uint32_t* keys = (const uint32_t*)work->memory;
  const uint64_t end = work->position + accesses;
  uint64_t sum = 0;
  for (uint64_t i = work->position; i < end; ++i) {
    const uint32_t key = wanted(i);
    const uint32_t* low = keys;
    for (uint64_t length = work->elements; length > 1; length -= length / 2) {
      const uint32_t* middle = low + length / 2;
      __asm__("cmp %2, %3\n cmova %1, %0" : "+r"(low) : "r"(middle), "m"(middle[-1]), "r"(key) : "cc");
    }
    sum += (uint64_t)(low - keys);
  }
  work->position = end;
  return sum;
}

// Writes the keys of a node and of its descendants in order. Returns the rank of the key behind them.
static uint64_t fill_node(const struct workspace* work, uint64_t node, uint64_t rank) {
  if (node >= work->elements) return rank;
  uint32_t* keys = (uint32_t*)work->memory + node * kKeys;
  for (unsigned i = 0; i < kKeys; ++i) {
    rank = fill_node(work, node * (kKeys + 1) + 1 + i, rank);
    keys[i] = (uint32_t)((rank++ << 32) / (work->elements * kKeys));
  }
  return fill_node(work, node * (kKeys + 1) + 1 + kKeys, rank);
}

// A tree without pointers: node n has the children 17 n + 1 to 17 n + 17. A node is a line.
void set_up_tree(struct workspace* work) {
  set_up_bytes(work);
  work->elements = work->kernel->bytes / kLineBytes;
  fill_node(work, 0, 0);
}

NOT_INLINED uint64_t search_tree(struct workspace* work, uint64_t accesses) {
  const uint64_t end = work->position + accesses;
  uint64_t sum = 0;
  for (uint64_t i = work->position; i < end; ++i) {
    const uint32_t key = wanted(i);
    for (uint64_t node = 0; node < work->elements;) {
      const uint32_t* keys = (const uint32_t*)work->memory + node * kKeys;
      uint64_t child = 0;
      for (unsigned j = 0; j < kKeys; ++j) child += keys[j] < key;
      sum += child;
      node = node * (kKeys + 1) + 1 + child;
    }
  }
  work->position = end;
  return sum;
}
