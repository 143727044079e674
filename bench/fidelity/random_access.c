// SPDX-License-Identifier: MIT
// Accesses in random order: independent, or each by the address that the one before has loaded.
#include "kernels.h"

struct node {
  struct node* next;
  uint64_t values[kLineBytes / 8 - 1];
};

static uint64_t random_offset(uint64_t number, size_t bytes) {
  return hash(number) >> 20 & (bytes - 1) & ~(uint64_t)(kLineBytes - 1);
}

NOT_INLINED uint64_t load_random(struct workspace* work, uint64_t accesses) {
  const size_t bytes = work->kernel->bytes;
  const uint64_t end = work->position + accesses;
  uint64_t sum = 0;
  for (uint64_t i = work->position; i < end; ++i) sum += *(uint64_t*)(work->memory + random_offset(i, bytes));
  work->position = end;
  return sum;
}

NOT_INLINED uint64_t store_random(struct workspace* work, uint64_t accesses) {
  const size_t bytes = work->kernel->bytes;
  const uint64_t end = work->position + accesses;
  for (uint64_t i = work->position; i < end; ++i) *(uint64_t*)(work->memory + random_offset(i, bytes)) = i;
  work->position = end;
  return end;
}

NOT_INLINED uint64_t increment_random(struct workspace* work, uint64_t accesses) {
  const size_t bytes = work->kernel->bytes;
  const uint64_t end = work->position + accesses;
  for (uint64_t i = work->position; i < end; ++i) ++*(uint64_t*)(work->memory + random_offset(i, bytes));
  work->position = end;
  return end;
}

// Returns the image of `number` under a fixed permutation of the numbers below 2^bits. Each step can be
// undone: a shifted exclusive or, and a multiplication by an odd number.
static uint64_t permuted(uint64_t number, unsigned bits) {
  const uint64_t mask = (UINT64_C(1) << bits) - 1;
  for (int step = 0; step < 3; ++step) {
    number ^= number >> (bits / 2);
    number = number * 0x9E3779B97F4A7C15u & mask;
  }
  return number ^ number >> (bits / 2);
}

// Links the lines of `memory` to one cycle, in random order. Returns the first node.
static char* link_ring(char* memory, size_t bytes) {
  struct node* nodes = (struct node*)memory;
  const uint64_t count = bytes / kLineBytes;
  const unsigned bits = (unsigned)__builtin_ctzll(count);
  struct node* first = nodes + permuted(0, bits);
  struct node* before = first;
  for (uint64_t i = 1; i < count; ++i) {
    struct node* node = nodes + permuted(i, bits);
    before->next = node;
    before = node;
  }
  before->next = first;
  return (char*)first;
}

void set_up_ring(struct workspace* work) {
  set_up_bytes(work);
  work->pointers[0] = link_ring(work->memory, work->kernel->bytes);
}

void set_up_four_rings(struct workspace* work) {
  set_up_bytes(work);
  const size_t quarter = work->kernel->bytes / 4;
  for (size_t i = 0; i < 4; ++i) {
    work->pointers[i] = link_ring(work->memory + i * quarter, quarter);
  }
}

void set_up_ordered_ring(struct workspace* work) {
  set_up_bytes(work);
  struct node* nodes = (struct node*)work->memory;
  const uint64_t count = work->kernel->bytes / kLineBytes;
  for (uint64_t i = 0; i < count; ++i) nodes[i].next = nodes + (i + 1) % count;
  work->pointers[0] = work->memory;
}

NOT_INLINED uint64_t chase_pointers(struct workspace* work, uint64_t accesses) {
  const struct node* node = (const struct node*)work->pointers[0];
  for (uint64_t i = 0; i < accesses; ++i) node = node->next;
  work->pointers[0] = (char*)node;
  return (uint64_t)(uintptr_t)node;
}

NOT_INLINED uint64_t chase_four(struct workspace* work, uint64_t accesses) {
  const struct node* nodes[4];
  for (int i = 0; i < 4; ++i) nodes[i] = (const struct node*)work->pointers[i];
  for (uint64_t i = 0; i < accesses; i += 4) {
    nodes[0] = nodes[0]->next;
    nodes[1] = nodes[1]->next;
    nodes[2] = nodes[2]->next;
    nodes[3] = nodes[3]->next;
  }
  for (int i = 0; i < 4; ++i) work->pointers[i] = (char*)nodes[i];
  return (uint64_t)(uintptr_t)nodes[0];
}

NOT_INLINED uint64_t sum_list(struct workspace* work, uint64_t accesses) {
  const struct node* node = (const struct node*)work->pointers[0];
  uint64_t sum = 0;
  for (uint64_t i = 0; i < accesses; ++i) {
    sum += node->values[0];
    node = node->next;
  }
  work->pointers[0] = (char*)node;
  return sum;
}

// 4 Mi indexes of 32 bits into an array of words.
static uint32_t* map_indexes(struct workspace* work) {
  set_up_bytes(work);
  work->elements = (size_t)4 << 20;
  work->more = map_memory(work->elements * sizeof(uint32_t), false);
  return (uint32_t*)work->more;
}

void set_up_random_index(struct workspace* work) {
  uint32_t* indexes = map_indexes(work);
  const uint64_t words = work->kernel->bytes / sizeof(uint64_t);
  for (size_t i = 0; i < work->elements; ++i) indexes[i] = (uint32_t)((hash(i) >> 20) % words);
}

void set_up_sorted_index(struct workspace* work) {
  uint32_t* indexes = map_indexes(work);
  const uint64_t words = work->kernel->bytes / sizeof(uint64_t);
  for (size_t i = 0; i < work->elements; ++i) indexes[i] = (uint32_t)(i * words / work->elements);
}

NOT_INLINED uint64_t gather(struct workspace* work, uint64_t accesses) {
  const uint64_t* words = (const uint64_t*)work->memory;
  uint64_t sum = 0, begin = 0;
  while (accesses != 0) {
    uint64_t length = next_piece(work, work->elements, &accesses, &begin);
    const uint32_t* indexes = (const uint32_t*)work->more + begin;
    for (uint64_t i = 0; i < length; ++i) {
      sum += words[indexes[i]];
      OPAQUE(sum);
    }
  }
  return sum;
}
