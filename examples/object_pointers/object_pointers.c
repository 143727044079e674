// SPDX-License-Identifier: MIT
// object_pointers [OBJECTS=20000]: adds up one field of objects of 200 bytes that an array points to: a line
// for each object. Mended: the field has an array of its own beside the pointers.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxObjects = 20000, kPasses = 40 };

struct object {
  char name[120];
  uint64_t price;
  char rest[72];
};

static struct object* objects[kMaxObjects];
#ifdef MENDED
static uint64_t prices[kMaxObjects];
#endif

static void make(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) objects[i] = malloc(sizeof(struct object));
  uint64_t state = 1;
  for (uint32_t i = count - 1; i > 0; --i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint32_t j = (uint32_t)(state >> 33) % (i + 1);
    struct object* other = objects[i];
    objects[i] = objects[j];
    objects[j] = other;
  }
  for (uint32_t i = 0; i < count; ++i) {
    objects[i]->name[0] = 0;
    objects[i]->price = i * 7;
#ifdef MENDED
    prices[i] = i * 7;
#endif
  }
}

__attribute__((noipa)) static uint64_t total(uint32_t count) {
  uint64_t sum = 0;
#ifdef MENDED
  for (uint32_t i = 0; i < count; ++i) sum += prices[i];
#else
  for (uint32_t i = 0; i < count; ++i) sum += objects[i]->price;
#endif
  return sum;
}

int main(int arguments, char** words) {
  uint32_t count = arguments > 1 ? (uint32_t)atoi(words[1]) : kMaxObjects;
  if (count == 0 || count > kMaxObjects) return 1;
  make(count);
  uint64_t sum = 0;
  for (int pass = 0; pass < kPasses; ++pass) sum = sum * 3 + total(count);
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
