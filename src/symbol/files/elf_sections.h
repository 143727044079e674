// SPDX-License-Identifier: MIT
// Iterates over the sections of an ELF file.
#pragma once

#include <gelf.h>

#include <optional>
#include <string_view>

#include "base/bytes.h"

namespace hm::symbol {

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};

struct ElfSection {
  Elf_Scn* section = nullptr;
  GElf_Shdr header{};
};

// Calls visit(SECTION, HEADER) for each section with a readable header.
template <typename Visit>
void for_each_section(Elf* elf, Visit&& visit) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr) visit(section, header);
  }
}

// Calls visit(NAME, SECTION, HEADER) for each section with a readable header and name.
template <typename Visit>
void for_each_named_section(Elf* elf, Visit&& visit) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return;
  for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name != nullptr) visit(std::string_view(name), section, header);
  });
}

// Returns the first section with this name; nullopt if there is none.
inline std::optional<ElfSection> find_section(Elf* elf, std::string_view wanted) {
  std::optional<ElfSection> found;
  for_each_named_section(elf, [&](std::string_view name, Elf_Scn* section, const GElf_Shdr& header) {
    if (!found && name == wanted) found = ElfSection{section, header};
  });
  return found;
}

// Returns the bytes of a section's data; empty if `data` is nullptr or has none, as of .bss.
inline Bytes bytes_of(const Elf_Data* data) {
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const std::byte*>(data->d_buf), data->d_size};
}

}  // namespace hm::symbol
