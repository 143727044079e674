// SPDX-License-Identifier: MIT
// nodes_in_order [NODES=100000]: walks a list of nodes that were allocated one by one in the order of the
// walk: of 32 bytes that the allocator takes for each, 8 are used. Mended: the values side by side in an
// array.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxNodes = 100000, kPasses = 20 };

#ifdef MENDED
static uint64_t* make(uint32_t nodes) {
  uint64_t* values = malloc(nodes * sizeof(*values));
  for (uint32_t i = 0; i < nodes; ++i) values[i] = i * UINT64_C(7);
  return values;
}

__attribute__((noipa)) static uint64_t walk(const uint64_t* values, uint32_t nodes, uint64_t hash) {
  for (uint32_t i = 0; i < nodes; ++i) hash = hash * 31 + values[i];
  return hash;
}
#else
struct node {
  struct node* next;
  uint64_t value;
};

static struct node* make(uint32_t nodes) {
  struct node *first = NULL, **link = &first;
  for (uint32_t i = 0; i < nodes; ++i) {
    *link = malloc(sizeof(**link));
    (*link)->value = i * UINT64_C(7);
    link = &(*link)->next;
  }
  *link = NULL;
  return first;
}

__attribute__((noipa)) static uint64_t walk(const struct node* first, uint32_t nodes, uint64_t hash) {
  (void)nodes;
  for (const struct node* node = first; node != NULL; node = node->next) hash = hash * 31 + node->value;
  return hash;
}
#endif

int main(int count, char** arguments) {
  uint32_t nodes = count > 1 ? (uint32_t)atoi(arguments[1]) : kMaxNodes;
  if (nodes == 0 || nodes > kMaxNodes) return 1;
  const void* all = make(nodes);
  uint64_t hash = 0;
  for (int pass = 0; pass < kPasses; ++pass) hash = walk(all, nodes, hash);
  printf("%lu\n", (unsigned long)hash);
  return 0;
}
