// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "symbol/resolver.h"

namespace hm::measure {

// Where in a file an address is, in a process that was seen.
struct CodePlace {
  std::string program;  // what the process is called; empty where nothing was told
  std::string file;     // empty where nothing is mapped there
  uint64_t offset = 0;  // in the file
};

// The function's name; empty where no symbol covers the place.
[[nodiscard]] std::string function_name(const CodePlace& place, const symbol::Resolver& resolver);

// "in function main (program+0x1136)", "in program+0x1136", or nothing.
[[nodiscard]] std::string place_text(const CodePlace& place, const symbol::Resolver& resolver);

}  // namespace hm::measure
