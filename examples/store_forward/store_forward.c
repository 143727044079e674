// SPDX-License-Identifier: MIT
// store_forward [KEYS=3000000]: writes a key in two halves and at once reads it as a whole, to hash it. A
// load of which a younger store has only a part cannot be forwarded from the store buffer: it waits until the
// stores are in the cache. Mended: the halves are put together in a register and stored as a whole.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

union key {
  uint32_t halves[2];
  uint64_t whole;
};

__attribute__((noipa)) static void make_key(union key* key, uint32_t host, uint32_t port) {
#ifdef MENDED
  key->whole = (uint64_t)port << 32 | host;
#else
  key->halves[0] = host;
  __asm__ volatile("" ::: "memory");  // as where other code lies between: the stores are not merged
  key->halves[1] = port;
#endif
}

__attribute__((noipa)) static uint64_t hash_of(const union key* key) {
  return key->whole * UINT64_C(0x9e3779b97f4a7c15);
}

int main(int count, char** arguments) {
  uint32_t keys = count > 1 ? (uint32_t)atoi(arguments[1]) : 3000000;
  uint64_t hash = 0;
  for (uint32_t i = 0; i < keys; ++i) {
    union key key;
    make_key(&key, (uint32_t)hash, i);
    hash = hash_of(&key);
  }
  printf("%lu\n", (unsigned long)hash);
  return 0;
}
