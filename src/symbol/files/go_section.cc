// SPDX-License-Identifier: MIT
#include "symbol/files/go_section.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "symbol/files/go_tables.h"

namespace hm::symbol {
namespace {

constexpr uint64_t kAlignment = 32;        // of the table
constexpr uint64_t kTextStartOffset = 24;  // of the address of the code in the table, from Go 1.18 on

bool may_hold_table(std::string_view section) {
  constexpr std::array<std::string_view, 3> kSections{".data.rel.ro", ".rodata", ".noptrdata"};
  return std::ranges::find(kSections, section) != kSections.end();
}

// The parts of a sound table lie in it, one behind the other.
bool is_table(Bytes bytes) {
  GoTables tables = read_go_tables(bytes, 0);
  constexpr uint64_t kMinEntryBytes = 16;  // that describe a function
  if (tables.functions == 0 || tables.functions > bytes.size() / kMinEntryBytes) return false;
  const std::array<size_t, 5> sizes{tables.names.size(), tables.units.size(), tables.files.size(),
                                    tables.values.size(), tables.entries.size()};
  return std::ranges::is_sorted(sizes, std::greater<>()) && sizes.back() != 0 && sizes.front() < bytes.size();
}

std::optional<uint64_t> offset_of_table(Bytes section, uint64_t address) {
  uint64_t first = (kAlignment - address % kAlignment) % kAlignment;
  for (uint64_t at = first; at < section.size(); at += kAlignment) {
    if (is_table(section.subspan(at))) return at;
  }
  return std::nullopt;
}

// Position-independent code has the address as the addend of a relocation.
std::optional<uint64_t> addend_at(Elf* elf, uint64_t address) {
  std::optional<uint64_t> addend;
  for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_RELA || header.sh_entsize == 0 || addend) return;
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Rela each;
    for (int i = 0; data != nullptr && gelf_getrela(data, i, &each) != nullptr; ++i) {
      if (each.r_offset != address) continue;
      addend = static_cast<uint64_t>(each.r_addend);
      return;
    }
  });
  return addend;
}

bool is_of_go(Elf* elf) {
  bool found = false;
  for_each_named_section(elf, [&](std::string_view name, Elf_Scn*, const GElf_Shdr&) {
    found = found || name == ".note.go.buildid" || name == ".go.buildinfo";
  });
  return found;
}

void find_merged_table(Elf* elf, GoSection& found) {
  for_each_named_section(elf, [&](std::string_view name, Elf_Scn* section, const GElf_Shdr& header) {
    if (!found.table.empty() || !may_hold_table(name)) return;
    Bytes bytes = bytes_of(elf_rawdata(section, nullptr));
    std::optional<uint64_t> at = offset_of_table(bytes, header.sh_addr);
    if (!at) return;
    found.table = bytes.subspan(*at);
    found.address = header.sh_addr + *at;
    found.text_start = addend_at(elf, found.address + kTextStartOffset).value_or(found.text_start);
  });
}

}  // namespace

GoSection find_go_section(Elf* elf) {
  GoSection found;
  for_each_named_section(elf, [&](std::string_view name, Elf_Scn* section, const GElf_Shdr& header) {
    if (name == ".text") found.text_start = header.sh_addr;
    if (!name.ends_with(".gopclntab")) return;  // .data.rel.ro.gopclntab if position-independent
    found.table = bytes_of(elf_rawdata(section, nullptr));
    found.address = header.sh_addr;
  });
  if (found.table.empty() && is_of_go(elf)) find_merged_table(elf, found);
  return found;
}

}  // namespace hm::symbol
