// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace hm::symbol {

// A function at an address: the real function, or one that the compiler inlined into it.
struct Frame {
  std::string function;  // demangled; empty if the debug information lacks it
  std::string file;      // empty: unknown
  uint32_t line = 0;     // 1-based; 0: unknown
  bool inlined = false;
};

struct SourceLine {
  std::string file;   // empty: unknown
  uint32_t line = 0;  // 1-based; 0: unknown
};

}  // namespace hm::symbol
