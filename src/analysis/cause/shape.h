// SPDX-License-Identifier: MIT
// How an instruction walks through memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "symbol/code/address_source.h"

namespace hm::cause {

enum class Shape : uint8_t {
  kUnknown,
  kOnePlace,      // again and again the same line
  kSequential,    // one line after the other
  kStrided,       // by steps of the same size, over lines
  kPointerChase,  // where it goes next was loaded where it was
  kIndirect,      // where it goes was loaded elsewhere: an index or a pointer from a table
  kComputed,      // where it goes was computed, as a hash
  kIrregular,     // steps differ, and the code does not say why
  kNotClear,      // steps are the same, but no loop in the code makes them, as far as it can be read
};

// "sequential", "pointer_chase", ...
[[nodiscard]] std::string_view name_of(Shape shape);

struct Walk {
  Shape shape = Shape::kUnknown;
  // The most common step from one miss to the next of the same instruction, and its part of all that were
  // seen.
  std::optional<int64_t> step_bytes;
  double step_share = 0;  // 0: none was seen, it is what the code says
  symbol::AddressSource source = symbol::AddressSource::kNoCode;  // as the code says
};

// How a loop meets the lines of what it walks through, as its code says.
struct LineCoverage {
  int64_t step_bytes = 0;   // from one access of the instruction to its next, not from miss to miss
  uint64_t used_bytes = 0;  // of each line that is missed, by all instructions of the loop that walk along

  bool operator==(const LineCoverage&) const = default;
};

// How far that is, either way.
[[nodiscard]] constexpr uint64_t magnitude(int64_t step) {
  return step < 0 ? 0 - static_cast<uint64_t>(step) : static_cast<uint64_t>(step);
}

// `steps`: from miss to miss, of all samples; `code`: what the code says, which decides where these are too
// few.
[[nodiscard]] Walk walk_of(std::span<const int64_t> steps, const symbol::AddressFacts& code,
                           uint64_t line_bytes);

// nullopt where the code does not say how far the instruction goes.
[[nodiscard]] std::optional<LineCoverage> coverage_of(const symbol::AddressFacts& code, uint64_t line_bytes);

// How many of `size` bytes accesses use that come back at each multiple of `size`.
[[nodiscard]] uint64_t used_bytes(const std::vector<symbol::NearAccess>& near, uint64_t size);

}  // namespace hm::cause
