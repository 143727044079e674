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

// GCC splits this function at its early return, and inlines the second part into the first.
struct Parts {
  bool done;
  int count;
  void (*calls[8])(int);
  void (*first)(int);
  const char* name;
};
static void call_once(Parts* parts, int argument) {
  if (parts->done) return;
  parts->done = true;
  if (__builtin_expect(parts->name[0] == '\0', 0) && parts->count == 0) return;
  if (__builtin_expect(argument > 1000, 0)) std::printf("calls of %s\n", parts->name);
  if (parts->first != nullptr) parts->first(argument);
  for (int i = 0; i < parts->count; ++i) parts->calls[i](argument);
}
__attribute__((noinline)) void call_each_once(Parts* first, Parts** others, int count, int argument) {
  if (__builtin_expect(first->count > 0, 0)) call_once(first, argument);
  while (count-- > 0) call_once(others[count], argument);
}

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
  if (argc > 50) subject::call_each_once(nullptr, nullptr, 0, 0);
  return static_cast<int>(subject::twice_inlined(stack.items) % 2);
}
