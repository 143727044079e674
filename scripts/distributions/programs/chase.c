// SPDX-License-Identifier: MIT
// Follows pointers through 16 MiB in random order; with an argument, again and again.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kNodes = 1 << 18 };

struct Node {
  struct Node* next;
  char rest[56];
};

static struct Node* chase(struct Node* node, long steps) {
  for (long i = 0; i < steps; ++i) node = node->next;
  return node;
}

int main(int argc, char** argv) {
  (void)argv;
  struct Node* nodes = malloc(kNodes * sizeof(struct Node));
  uint32_t* order = malloc(kNodes * sizeof(uint32_t));
  if (nodes == NULL || order == NULL) return 1;
  uint32_t random = 1;
  for (uint32_t i = 0; i < kNodes; ++i) order[i] = i;
  for (uint32_t i = kNodes - 1; i > 0; --i) {
    random = random * 1664525u + 1013904223u;
    uint32_t other = random % (i + 1), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  for (uint32_t i = 0; i < kNodes; ++i) nodes[order[i]].next = &nodes[order[(i + 1) % kNodes]];
  struct Node* node = nodes;
  do node = chase(node, 2000000);
  while (argc > 1);
  printf("%d\n", node == nodes);
  return 0;
}
