// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace hm::symbol {

// One function that holds an address: the real one, or one that the compiler inlined into it.
struct Frame {
  std::string function;  // demangled; empty where the debug information does not say
  std::string file;      // empty: not known
  uint32_t line = 0;     // 1-based; 0: not known
  bool inlined = false;
};

struct SourceLine {
  std::string file;   // empty: not known
  uint32_t line = 0;  // 1-based; 0: not known
};

}  // namespace hm::symbol
