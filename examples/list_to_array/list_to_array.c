// SPDX-License-Identifier: MIT
// Walks a linked list whose nodes were allocated in another order than they are linked: each next node is
// anywhere in 6 MiB, and where is known only when the one before has come. Mended: the same values in the
// same order, in an array.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kNodes = 200000, kPasses = 10 };

struct node {
  struct node* next;
  uint64_t value;
};

static uint32_t order[kNodes];

static void shuffle(void) {
  uint64_t state = 1;
  for (uint32_t i = 0; i < kNodes; ++i) order[i] = i;
  for (uint32_t i = kNodes - 1; i > 0; --i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint32_t j = (uint32_t)(state >> 33) % (i + 1), other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
}

#ifdef MENDED
static uint64_t* make(void) {
  uint64_t* values = malloc(kNodes * sizeof(*values));
  for (uint32_t i = 0; i < kNodes; ++i) values[i] = order[i];
  return values;
}

__attribute__((noipa)) static uint64_t walk(const uint64_t* values, uint64_t hash) {
  for (uint32_t i = 0; i < kNodes; ++i) hash = hash * 31 + values[i];
  return hash;
}
#else
static struct node* make(void) {
  struct node** nodes = malloc(kNodes * sizeof(*nodes));
  for (uint32_t i = 0; i < kNodes; ++i) {
    nodes[i] = malloc(sizeof(struct node));
    nodes[i]->value = i;
  }
  for (uint32_t i = 0; i + 1 < kNodes; ++i) nodes[order[i]]->next = nodes[order[i + 1]];
  nodes[order[kNodes - 1]]->next = NULL;
  struct node* first = nodes[order[0]];
  free(nodes);
  return first;
}

__attribute__((noipa)) static uint64_t walk(const struct node* first, uint64_t hash) {
  for (const struct node* node = first; node != NULL; node = node->next) hash = hash * 31 + node->value;
  return hash;
}
#endif

int main(void) {
  shuffle();
  const void* all = make();
  uint64_t hash = 0;
  for (int pass = 0; pass < kPasses; ++pass) hash = walk(all, hash);
  printf("%lu\n", (unsigned long)hash);
  return 0;
}
