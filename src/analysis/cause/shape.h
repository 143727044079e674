// SPDX-License-Identifier: MIT
// Classifies how an instruction walks through memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "symbol/code/address_source.h"

namespace hm::cause {

enum class Shape : uint8_t {
  kUnknown,
  kOnePlace,      // repeated accesses to one line
  kSequential,    // consecutive lines
  kStrided,       // constant steps of more than a line
  kPointerChase,  // the next address is loaded from the current element
  kIndirect,      // the address depends on data loaded elsewhere, such as an index or a pointer from a table
  kComputed,      // the address is computed, for example by a hash function
  kIrregular,     // the steps vary, and the code does not reveal the cause
  kNotClear,      // the steps are constant, but no loop that produces them is found in the code
};

// Returns "sequential", "pointer_chase", ...
[[nodiscard]] std::string_view name_of(Shape shape);

struct Walk {
  Shape shape = Shape::kUnknown;
  // The most common step between successive misses of the instruction, and its fraction of all observed
  // steps.
  std::optional<int64_t> step_bytes;
  double step_share = 0;  // 0: no step was observed; step_bytes comes from the code
  symbol::AddressSource source =
      symbol::AddressSource::kNoCode;  // origin of the address according to the code
};

// How a loop covers the lines it walks through, according to its code.
struct LineCoverage {
  int64_t step_bytes = 0;   // between successive accesses of the instruction, not between misses
  uint64_t used_bytes = 0;  // bytes used of each missed line by all instructions of the loop that move along

  bool operator==(const LineCoverage&) const = default;
};

// Returns the absolute value of a step.
[[nodiscard]] constexpr uint64_t magnitude(int64_t step) {
  return step < 0 ? 0 - static_cast<uint64_t>(step) : static_cast<uint64_t>(step);
}

// `steps` are the distances between successive misses of all samples. `code` decides the shape if there are
// too few steps.
[[nodiscard]] Walk walk_of(std::span<const int64_t> steps, const symbol::AddressFacts& code,
                           uint64_t line_bytes);

// Returns nullopt if the code does not determine the instruction's step.
[[nodiscard]] std::optional<LineCoverage> coverage_of(const symbol::AddressFacts& code, uint64_t line_bytes);

// Returns the number of distinct offsets modulo `size` that the accesses touch.
[[nodiscard]] uint64_t used_bytes(const std::vector<symbol::NearAccess>& near, uint64_t size);

}  // namespace hm::cause
