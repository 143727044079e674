// SPDX-License-Identifier: MIT
// Test data for the symbol tests: inlined functions, templates, a call through the PLT, a static function.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace subject {

template <typename T>
inline __attribute__((always_inline)) T square(T value) {
  return value * value;
}

inline __attribute__((always_inline)) long sum_of_squares(const std::vector<long>& values) {
  long sum = 0;
  for (long value : values) {
    sum += square(value);
  }
  return sum;
}

template <typename T>
struct Stack {
  __attribute__((noinline)) void push(const T& value) { items.push_back(value); }
  std::vector<T> items;
};

static __attribute__((noinline)) long twice_inlined(const std::vector<long>& values) {
  long first = sum_of_squares(values);
  std::printf("%ld\n", first);
  return first + sum_of_squares(values);
}

}  // namespace subject

extern "C" __attribute__((noinline)) int plain_c_name(int argument) { return argument % 7; }

int main(int argc, char**) {
  subject::Stack<long> stack;
  for (int i = 0; i < 100 * argc; ++i) stack.push(plain_c_name(i));
  if (argc > 100) std::abort();
  return static_cast<int>(subject::twice_inlined(stack.items) % 2);
}
