// SPDX-License-Identifier: MIT
#include "symbol/files/split_units.h"

#include <dwarf.h>
#include <gelf.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "symbol/files/elf_sections.h"

namespace hm::symbol {
namespace {

// Limit on one unit's addresses or ranges; real units have fewer.
constexpr size_t kMaxPartBytes = size_t{1} << 20;

Bytes section_of(Dwarf* dwarf, std::string_view wanted) {
  Elf* elf = dwarf_getelf(dwarf);
  std::optional<ElfSection> found = elf == nullptr ? std::nullopt : find_section(elf, wanted);
  if (!found) return {};
  bool is_compressed = (found->header.sh_flags & SHF_COMPRESSED) != 0;
  if (is_compressed && elf_compress(found->section, 0, 0) < 0) return {};
  return bytes_of(elf_getdata(found->section, nullptr));
}

// Returns the section from the offset on that the first present attribute of the unit contains.
Bytes part_of(Dwarf_Die unit, std::string_view section, std::initializer_list<unsigned> attributes) {
  Bytes whole = section_of(dwarf_cu_getdwarf(unit.cu), section);
  Dwarf_Word base = 0;
  for (unsigned name : attributes) {
    Dwarf_Attribute attribute;
    if (dwarf_attr(&unit, name, &attribute) != nullptr && dwarf_formudata(&attribute, &base) == 0) break;
  }
  Bytes part = whole.subspan(std::min<size_t>(base, whole.size()));
  return part.first(std::min(part.size(), kMaxPartBytes));
}

// Returns the package paths next to the program and next to its debug file.
std::vector<std::string> packages_of(Dwfl_Module* module) {
  const char *main_file = nullptr, *debug_file = nullptr;
  (void)dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, &main_file, &debug_file);
  std::vector<std::string> packages;
  for (const char* file : {main_file, debug_file}) {
    if (file != nullptr) packages.push_back(std::string(file) + ".dwp");
  }
  return packages;
}

}  // namespace

Dwarf_Die SplitUnits::whole(Dwarf_Die unit) {
  uint8_t kind = 0;
  uint64_t id = 0;
  Dwarf_Die entry, split;
  if (dwarf_cu_info(unit.cu, nullptr, &kind, &entry, &split, &id, nullptr, nullptr) != 0) return unit;
  if (kind != DW_UT_skeleton) return unit;
  return split.addr != nullptr ? split : from_package(unit, id).value_or(unit);
}

void SplitUnits::open_packages() {
  if (is_open_) return;
  is_open_ = true;
  for (const std::string& path : packages_of(module_)) {
    if (std::optional<DwarfPackage> package = DwarfPackage::open(path)) open_.push_back(*std::move(package));
  }
}

std::optional<Dwarf_Die> SplitUnits::from_package(Dwarf_Die skeleton, uint64_t id) {
  open_packages();
  auto [known, is_new] = units_.try_emplace(id);
  if (is_new && !open_.empty()) {
    SkeletonParts parts{part_of(skeleton, ".debug_addr", {DW_AT_addr_base, DW_AT_GNU_addr_base}), {}};
    if (dwarf_hasattr(&skeleton, DW_AT_GNU_ranges_base) != 0)
      parts.ranges = part_of(skeleton, ".debug_ranges", {DW_AT_GNU_ranges_base});
    for (const DwarfPackage& package : open_) {
      auto unit = std::make_unique<Unit>();
      unit->image = package.unit(id, parts);
      if (!unit->image.empty() && read(*unit)) known->second = std::move(unit);
      if (known->second != nullptr) break;
    }
  }
  return known->second == nullptr ? std::nullopt : std::optional(known->second->entry);
}

bool SplitUnits::read(Unit& unit) {
  unit.elf.reset(elf_memory(unit.image.data(), unit.image.size()));
  if (unit.elf == nullptr) return false;
  unit.dwarf.reset(dwarf_begin_elf(unit.elf.get(), DWARF_C_READ, nullptr));
  if (unit.dwarf == nullptr) return false;
  Dwarf_CU* first = nullptr;
  return dwarf_get_units(unit.dwarf.get(), nullptr, &first, nullptr, nullptr, &unit.entry, nullptr) == 0;
}

}  // namespace hm::symbol
