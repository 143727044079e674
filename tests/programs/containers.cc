// SPDX-License-Identifier: MIT
// Like heap.c, with the allocation functions of C++.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#define OWN [[gnu::noinline, gnu::noclone]]

extern "C" OWN void walk(const volatile char* block, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64) (void)block[i];
  (void)block[bytes - 1];
}

namespace {

OWN void show(const char* by, size_t bytes, const void* block) {
  std::printf("%s %zu %p\n", by, bytes, block);
  std::fflush(stdout);
  walk(static_cast<const char*>(block), bytes);
}

struct alignas(256) Aligned {
  char bytes[25600];
};

OWN char* by_new_array() { return new char[30000]; }
OWN Aligned* by_aligned_new() { return new Aligned; }
OWN std::vector<long> by_vector() {
  std::vector<long> numbers;
  for (long i = 0; i < 4096; ++i) numbers.push_back(i);  // with powers of two as sizes
  return numbers;
}
OWN std::string by_string() { return std::string(20000, 'x'); }
OWN void by_throwing() {
  for (int i = 0; i < 3; ++i) {
    try {
      volatile size_t too_much = size_t{1} << 62;
      char* block = new char[too_much];
      asm volatile("" : : "r"(block) : "memory");
    } catch (const std::bad_alloc&) {
    }
  }
}

}  // namespace

int main() {
  static char in_no_block[30000];
  std::puts("none 0 0");
  walk(in_no_block, sizeof(in_no_block));
  char* array = by_new_array();
  show("by_new_array", 30000, array);
  delete[] array;
  by_throwing();
  Aligned* aligned = by_aligned_new();
  show("by_aligned_new", sizeof(Aligned), aligned);
  delete aligned;
  std::vector<long> numbers = by_vector();
  show("by_vector", 4096 * sizeof(long), numbers.data());
  std::string text = by_string();
  std::printf("by_string 20001 %p\n", static_cast<const void*>(text.data()));
  std::fflush(stdout);
  walk(text.data(), text.size());
}
