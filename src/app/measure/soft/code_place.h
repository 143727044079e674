// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "symbol/resolver.h"

namespace hm::measure {

// File and offset of a code address in an observed process.
struct CodePlace {
  std::string program;  // name of the process; empty if unknown
  std::string file;     // empty if no file is mapped at the address
  uint64_t offset = 0;  // offset in the file
};

// Returns the function's name; empty if no symbol covers the location.
[[nodiscard]] std::string function_name(const CodePlace& place, const symbol::Resolver& resolver);

// Returns "in function main (program+0x1136)", "in program+0x1136", or "".
[[nodiscard]] std::string place_text(const CodePlace& place, const symbol::Resolver& resolver);

}  // namespace hm::measure
