// SPDX-License-Identifier: MIT
#include "host/calibration/bandwidth.h"

#include <emmintrin.h>

#include <algorithm>

#include "host/chase_ring.h"

namespace hm::host {
namespace {

constexpr size_t kBlockBytes = 128;  // of one round of a loop

// All loops use the widest registers that every x86-64 processor has.

void read_all(const std::byte* from, size_t bytes) {
  __m128i sums[4] = {};
  for (size_t at = 0; at < bytes; at += kBlockBytes) {
    const auto* words = reinterpret_cast<const __m128i*>(from + at);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) sums[i % 4] = _mm_add_epi64(sums[i % 4], _mm_load_si128(words + i));
  }
  for (__m128i& sum : sums) asm volatile("" : : "x"(sum));  // keeps the loads
}

void write_all(std::byte* to, size_t bytes) {
  __m128i value = _mm_set1_epi64x(1);
  for (size_t at = 0; at < bytes; at += kBlockBytes) {
    auto* words = reinterpret_cast<__m128i*>(to + at);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) _mm_store_si128(words + i, value);
    asm volatile("" : : : "memory");  // or the compiler calls memset
  }
}

void copy_all(std::byte* to, const std::byte* from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kBlockBytes) {
    const auto* words = reinterpret_cast<const __m128i*>(from + at);
    auto* out = reinterpret_cast<__m128i*>(to + at);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) _mm_store_si128(out + i, _mm_load_si128(words + i));
    asm volatile("" : : : "memory");  // or the compiler calls memcpy
  }
}

// Uses pieces of `bytes` in turns, and returns the bandwidth.
template <typename Use>
Estimate bandwidth_of(size_t bytes, const Repetitions& repetitions, Use use) {
  size_t piece = std::min<size_t>(bytes, size_t{1} << 16), at = 0;
  Estimate ns = time_of_step(repetitions, [&](uint64_t blocks) {
    uint64_t done = 0;
    for (; done < blocks; done += piece / kBlockBytes) {
      use(at, piece);
      at = at + 2 * piece <= bytes ? at + piece : 0;
    }
    return done;
  });
  return rate(static_cast<double>(kBlockBytes), ns);
}

}  // namespace

Bandwidth measure_bandwidth(std::span<std::byte> memory, const Repetitions& repetitions) {
  std::byte* begin = memory.data();
  size_t half = memory.size() / 2;
  Bandwidth found;
  found.read =
      bandwidth_of(memory.size(), repetitions, [&](size_t at, size_t bytes) { read_all(begin + at, bytes); });
  found.write = bandwidth_of(memory.size(), repetitions,
                             [&](size_t at, size_t bytes) { write_all(begin + at, bytes); });
  found.copy = bandwidth_of(half, repetitions,
                            [&](size_t at, size_t bytes) { copy_all(begin + half + at, begin + at, bytes); });
  return found;
}

Estimate time_of_store(std::span<std::byte> memory, const Repetitions& repetitions) {
  uint64_t lines = memory.size() / kLineBytes;
  uint64_t state = 1;
  // A linear congruential generator of full period reaches all lines evenly (Knuth, The Art of Computer
  // Programming, volume 2, 3.2.1.2, theorem A); its high bits are well mixed.
  const auto next = [&] { return state = state * 6364136223846793005 + 1442695040888963407; };
  unsigned shift = 64 - static_cast<unsigned>(__builtin_ctzll(lines));
  return time_of_step(repetitions, [&](uint64_t stores) {
    for (uint64_t i = 0; i < stores; ++i) {
      auto* line = reinterpret_cast<uint64_t*>(memory.data() + (next() >> shift) * kLineBytes);
      *const_cast<volatile uint64_t*>(line) = i;
    }
    return stores;
  });
}

}  // namespace hm::host
