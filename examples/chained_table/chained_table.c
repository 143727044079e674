// SPDX-License-Identifier: MIT
// chained_table [KEYS=65536]: looks up keys in a hash table with a list of nodes for each bucket: the first
// node of a list is anywhere in memory. Mended: open addressing, the entries lie in the table.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxKeys = 65536, kLookUps = 600000 };

static uint64_t hash_of(uint64_t key) { return key * UINT64_C(0x9e3779b97f4a7c15) >> 20; }

static uint64_t key_of(uint32_t number) { return number * UINT64_C(0x2545f4914f6cdd1d) | 1; }

static uint64_t mask;

#ifdef MENDED
struct entry {
  uint64_t key, value;
};

static struct entry* table;

static void make(uint32_t keys) {
  for (mask = 1; mask < 2 * (uint64_t)keys; mask *= 2) continue;
  table = calloc(mask, sizeof(*table));
  mask -= 1;
}

static void insert(uint64_t key, uint64_t value) {
  uint64_t i = hash_of(key) & mask;
  while (table[i].key != 0) i = (i + 1) & mask;
  table[i] = (struct entry){key, value};
}

__attribute__((noipa)) static uint64_t find(uint64_t key) {
  uint64_t i = hash_of(key) & mask;
  while (table[i].key != key) i = (i + 1) & mask;
  return table[i].value;
}
#else
struct node {
  struct node* next;
  uint64_t key, value;
};

static struct node** table;

static void make(uint32_t keys) {
  for (mask = 1; mask < keys; mask *= 2) continue;
  table = calloc(mask, sizeof(*table));
  mask -= 1;
}

static void insert(uint64_t key, uint64_t value) {
  struct node* node = malloc(sizeof(*node));
  struct node** list = &table[hash_of(key) & mask];
  *node = (struct node){*list, key, value};
  *list = node;
}

__attribute__((noipa)) static uint64_t find(uint64_t key) {
  const struct node* node = table[hash_of(key) & mask];
  while (node->key != key) node = node->next;
  return node->value;
}
#endif

int main(int count, char** arguments) {
  uint32_t keys = count > 1 ? (uint32_t)atoi(arguments[1]) : kMaxKeys;
  if (keys == 0 || keys > kMaxKeys) return 1;
  make(keys);
  for (uint32_t i = 0; i < keys; ++i) insert(key_of(i), i);
  uint64_t state = 1, sum = 0;
  for (uint32_t i = 0; i < kLookUps; ++i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    sum = sum * 3 + find(key_of((uint32_t)(state >> 33) % keys));
  }
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
