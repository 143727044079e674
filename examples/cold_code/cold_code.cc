// SPDX-License-Identifier: MIT
// cold_code [HANDLERS=800]: handlers are called in turn. Each does little, but has code for a rare case in
// its middle: the bytes that run are spread over more lines than the instruction cache has. Mended: the rare
// case is said to be rare, and is a function of its own, which the compiler puts elsewhere.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

constexpr size_t kMaxHandlers = 800;
constexpr uint64_t kRounds = 2000;
volatile uint64_t log_of_errors[16];

#ifdef MENDED
#define RARE [[gnu::cold, gnu::noinline]]
bool rarely(bool condition) { return __builtin_expect(condition, false); }
#else
#define RARE [[gnu::always_inline]] inline
bool rarely(bool condition) { return __builtin_expect_with_probability(condition, true, 0.5); }
#endif

template <size_t kNumber>
RARE void report(uint64_t value) {
#pragma GCC unroll 16
  for (size_t i = 0; i < 16; ++i) log_of_errors[i] = log_of_errors[i] * 3 + value + kNumber;
}

template <size_t kNumber>
[[gnu::noinline]] uint64_t handle(uint64_t value) {
  value ^= value >> 7;
  if (rarely(value == kNumber * 1000003)) report<kNumber>(value);
  return value * 5 + kNumber;
}

using Handler = uint64_t (*)(uint64_t);

template <size_t... kNumbers>
constexpr std::array<Handler, kMaxHandlers> handlers(std::index_sequence<kNumbers...> /*numbers*/) {
  return {handle<kNumbers>...};
}

}  // namespace

int main(int count, char** arguments) {
  size_t used = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : kMaxHandlers;
  if (used > kMaxHandlers) return 1;
  constexpr std::array<Handler, kMaxHandlers> all = handlers(std::make_index_sequence<kMaxHandlers>());
  uint64_t value = 1;
  for (uint64_t round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < used; ++i) value = all[i](value);
  }
  std::printf("%lu\n", static_cast<unsigned long>(value + log_of_errors[3]));
  return 0;
}
