// SPDX-License-Identifier: MIT
// list_to_array [NODES=200000]: walks a linked list whose nodes were allocated in another order than they are
// linked: each next node is anywhere in 6 MiB, and where is known only when the one before has come. Mended:
// the same values in the same order, in an array.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxNodes = 200000, kPasses = 10 };

struct node {
  struct node* next;
  uint64_t value;
};

static uint32_t order[kMaxNodes];

static void shuffle(uint32_t nodes) {
  uint64_t state = 1;
  for (uint32_t i = 0; i < nodes; ++i) order[i] = i;
  for (uint32_t i = nodes - 1; i > 0; --i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint32_t j = (uint32_t)(state >> 33) % (i + 1), other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
}

#ifdef MENDED
static uint64_t* make(uint32_t nodes) {
  uint64_t* values = malloc(nodes * sizeof(*values));
  for (uint32_t i = 0; i < nodes; ++i) values[i] = order[i];
  return values;
}

__attribute__((noipa)) static uint64_t walk(const uint64_t* values, uint32_t nodes, uint64_t hash) {
  for (uint32_t i = 0; i < nodes; ++i) hash = hash * 31 + values[i];
  return hash;
}
#else
static struct node* make(uint32_t nodes) {
  struct node** made = malloc(nodes * sizeof(*made));
  for (uint32_t i = 0; i < nodes; ++i) {
    made[i] = malloc(sizeof(struct node));
    made[i]->value = i;
  }
  for (uint32_t i = 0; i + 1 < nodes; ++i) made[order[i]]->next = made[order[i + 1]];
  made[order[nodes - 1]]->next = NULL;
  struct node* first = made[order[0]];
  free(made);
  return first;
}

__attribute__((noipa)) static uint64_t walk(const struct node* first, uint32_t nodes, uint64_t hash) {
  const struct node* node = first;
  for (uint32_t i = 0; i < nodes; ++i, node = node->next) hash = hash * 31 + node->value;
  return hash;
}
#endif

int main(int count, char** arguments) {
  uint32_t nodes = count > 1 ? (uint32_t)atoi(arguments[1]) : kMaxNodes;
  if (nodes == 0 || nodes > kMaxNodes) return 1;
  shuffle(nodes);
  const void* all = make(nodes);
  uint64_t hash = 0;
  for (int pass = 0; pass < kPasses; ++pass) hash = walk(all, nodes, hash);
  printf("%lu\n", (unsigned long)hash);
  return 0;
}
