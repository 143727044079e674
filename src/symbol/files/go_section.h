// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "symbol/files/elf_sections.h"

namespace hm::symbol {

// The section .gopclntab of a Go program, and the address of its code.
struct GoSection {
  Bytes table{};  // empty if Go did not build the program
  uint64_t address = 0;
  uint64_t text_start = 0;
};

[[nodiscard]] inline GoSection find_go_section(Elf* elf) {
  GoSection found;
  for_each_named_section(elf, [&](std::string_view name, Elf_Scn* section, const GElf_Shdr& header) {
    if (name == ".text") found.text_start = header.sh_addr;
    if (!name.ends_with(".gopclntab")) return;  // .data.rel.ro.gopclntab if position-independent
    found.table = bytes_of(elf_rawdata(section, nullptr));
    found.address = header.sh_addr;
  });
  return found;
}

}  // namespace hm::symbol
