// SPDX-License-Identifier: MIT
// Functions that compiled code calls and that a C or C++ library provides elsewhere.
#include <stddef.h>

#include "pmu/soft/direct/runtime/give_up.h"

extern "C" {

// Called instead of a virtual function that a class does not define.
[[noreturn]] void __cxa_pure_virtual() {  // NOLINT(bugprone-reserved-identifier)
  hm::soft::direct::give_up("hardmeter: the copying engine called a function that is not there\n");
}

void* memcpy(void* to, const void* from, size_t bytes) {
  void* begin = to;
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
  return begin;
}

void* memset(void* to, int value, size_t bytes) {
  void* begin = to;
  asm volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(value) : "memory");
  return begin;
}

int memcmp(const void* a, const void* b, size_t bytes) {
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  for (size_t i = 0; i < bytes; ++i) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}

}  // extern "C"
