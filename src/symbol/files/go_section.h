// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "symbol/files/elf_sections.h"

namespace hm::symbol {

// The section .gopclntab of a Go program, and the address of its code. A linker of C, as for shared
// libraries, merges the section into another one.
struct GoSection {
  Bytes table{};  // up to the end of the section; empty if Go did not build the program
  uint64_t address = 0;
  uint64_t text_start = 0;
};

[[nodiscard]] GoSection find_go_section(Elf* elf);

}  // namespace hm::symbol
