// SPDX-License-Identifier: MIT
// The functions in an ELF file's symbol tables: elf(5). Freestanding. Reads only the file's bytes, even if
// the file is damaged.
#pragma once

#include <linux/elf.h>
#include <stdint.h>

namespace hm::soft {

class ElfFunctions {
 public:
  ElfFunctions(const void* file, uint64_t bytes) : file_(static_cast<const uint8_t*>(file)), bytes_(bytes) {
    valid_ = read(0, header_) && is_ours();
  }

  // Calls visit(name, address) for each function that is defined here. `address` is the file's virtual
  // address.
  template <typename Visit>
  void for_each(Visit visit) const {
    Elf64_Shdr table;
    for (uint32_t i = 0; section(i, table); ++i) {
      if (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM) visit_table(table, visit);
    }
  }

  // Whether a symbol has this name, defined here or undefined.
  [[nodiscard]] bool names(const char* name) const {
    bool found = false;
    Elf64_Shdr table;
    for (uint32_t i = 0; !found && section(i, table); ++i) {
      if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
      visit_symbols(table, [&](const char* each, const Elf64_Sym&) {
        uint32_t at = 0;
        while (each[at] != '\0' && each[at] == name[at]) ++at;
        found = found || each[at] == name[at];
      });
    }
    return found;
  }

  // Converts an address to an offset in the file; false if no part of the file is loaded at the address.
  bool offset_of(uint64_t address, uint64_t& offset) const {
    for (uint32_t i = 0; valid_ && i < header_.e_phnum; ++i) {
      Elf64_Phdr part;
      if (!read_element(header_.e_phoff, i, part)) return false;
      if (part.p_type != PT_LOAD || address < part.p_vaddr || address - part.p_vaddr >= part.p_filesz)
        continue;
      offset = part.p_offset + (address - part.p_vaddr);
      return true;
    }
    return false;
  }

 private:
  [[nodiscard]] bool is_ours() const {
    return __builtin_memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0 &&
           header_.e_ident[EI_CLASS] == ELFCLASS64 && header_.e_ident[EI_DATA] == ELFDATA2LSB &&
           header_.e_phentsize == sizeof(Elf64_Phdr) && header_.e_shentsize == sizeof(Elf64_Shdr);
  }

  [[nodiscard]] bool holds(uint64_t offset, uint64_t bytes) const {
    return offset <= bytes_ && bytes <= bytes_ - offset;
  }

  template <typename T>
  bool read(uint64_t offset, T& to) const {
    if (!holds(offset, sizeof(T))) return false;
    __builtin_memcpy(&to, file_ + offset, sizeof(T));
    return true;
  }

  template <typename T>
  bool read_element(uint64_t table, uint64_t index, T& to) const {
    return table <= bytes_ && index <= bytes_ / sizeof(T) && read(table + index * sizeof(T), to);
  }

  bool section(uint32_t index, Elf64_Shdr& to) const {
    return valid_ && index < header_.e_shnum && read_element(header_.e_shoff, index, to);
  }

  template <typename Visit>
  void visit_table(const Elf64_Shdr& table, Visit visit) const {
    visit_symbols(table, [&](const char* name, const Elf64_Sym& symbol) {
      bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
      if (is_function) visit(name, symbol.st_value);
    });
  }

  template <typename Visit>
  void visit_symbols(const Elf64_Shdr& table, Visit visit) const {
    Elf64_Shdr strings;
    if (!section(table.sh_link, strings) || strings.sh_size == 0 ||
        !holds(strings.sh_offset, strings.sh_size) || !holds(table.sh_offset, table.sh_size))
      return;
    const char* names = reinterpret_cast<const char*>(file_) + strings.sh_offset;
    if (names[strings.sh_size - 1] != '\0') return;  // the last name could be unterminated
    for (uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      Elf64_Sym symbol;
      if (!read_element(table.sh_offset, i, symbol)) return;
      if (symbol.st_name < strings.sh_size) visit(names + symbol.st_name, symbol);
    }
  }

  const uint8_t* file_;
  uint64_t bytes_;
  Elf64_Ehdr header_{};
  bool valid_ = false;
};

}  // namespace hm::soft
