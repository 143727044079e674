// SPDX-License-Identifier: MIT
#include "symbol/files/split_units.h"

#include <dwarf.h>
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "base/mapped_file.h"
#include "symbol/files/build_id.h"
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

// Cuts the addresses to those of the unit, by the table's header: DWARF 5, section 7.27. DWARF 4 has none.
Bytes addresses_of(Dwarf_Die skeleton) {
  constexpr uint64_t kHeaderBytes = 8;  // length, version, sizes
  Bytes all = part_of(skeleton, ".debug_addr", {DW_AT_addr_base, DW_AT_GNU_addr_base});
  Dwarf_Attribute attribute;
  Dwarf_Word base = 0;
  if (dwarf_attr(&skeleton, DW_AT_addr_base, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &base) != 0 || base < kHeaderBytes)
    return all;
  Bytes section = section_of(dwarf_cu_getdwarf(skeleton.cu), ".debug_addr");
  if (base > section.size()) return all;
  uint64_t length = ByteReader(section.subspan(base - kHeaderBytes)).u32();  // without its own 4 bytes
  return all.first(std::min<size_t>(all.size(), length - std::min<uint64_t>(length, kHeaderBytes / 2)));
}

SkeletonParts parts_of(Dwarf_Die skeleton) {
  SkeletonParts parts{addresses_of(skeleton), {}};
  if (dwarf_hasattr(&skeleton, DW_AT_GNU_ranges_base) != 0)
    parts.ranges = part_of(skeleton, ".debug_ranges", {DW_AT_GNU_ranges_base});
  return parts;
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

// Returns the paths at which libdw looks for the unit's .dwo file.
std::vector<std::string> unit_files_of(Dwfl_Module* module, Dwarf_Die skeleton) {
  Dwarf_Attribute attribute;
  const char* name = nullptr;
  for (unsigned by : {DW_AT_dwo_name, DW_AT_GNU_dwo_name}) {
    if (name == nullptr) name = dwarf_formstring(dwarf_attr(&skeleton, by, &attribute));
  }
  if (name == nullptr) return {};
  if (*name == '/') return {name};
  std::vector<std::string> files;
  if (const char* folder = dwarf_formstring(dwarf_attr(&skeleton, DW_AT_comp_dir, &attribute)))
    files.push_back(std::string(folder) + '/' + name);
  const char* program = nullptr;
  (void)dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, &program, nullptr);
  if (program != nullptr) files.push_back((std::filesystem::path(program).parent_path() / name).string());
  return files;
}

std::string number_of(uint64_t id) { return fmt::format("{:016x}", id); }

}  // namespace

Dwarf_Die SplitUnits::whole(Dwarf_Die unit) {
  uint8_t kind = 0;
  uint64_t id = 0;
  Dwarf_Die entry, split;
  if (dwarf_cu_info(unit.cu, nullptr, &kind, &entry, &split, &id, nullptr, nullptr) != 0) return unit;
  if (kind != DW_UT_skeleton) return unit;
  skeletons_.try_emplace(id, unit);
  return split.addr != nullptr ? split : from_package(unit, id).value_or(unit);
}

void SplitUnits::open_packages() {
  if (is_open_) return;
  is_open_ = true;
  for (const std::string& path : packages_of(module_)) {
    if (std::optional<DwarfPackage> package = DwarfPackage::open(path)) open_.push_back(*std::move(package));
  }
}

std::unique_ptr<SplitUnits::Unit> SplitUnits::find(Dwarf_Die skeleton, uint64_t id) {
  open_packages();
  const SkeletonParts parts = parts_of(skeleton);
  for (const DwarfPackage& package : open_) {
    if (auto unit = read(package.unit(id, parts), id)) return unit;
  }
  for (const std::string& path : unit_files_of(module_, skeleton)) {
    if (auto unit = read(DwarfPackage::unit_of_file(path, parts), id)) return unit;
  }
  return read(archived_image(id), id);
}

// A recording without build IDs has archived units without them.
std::string SplitUnits::archived_image(uint64_t id) const {
  Dwarf_Addr bias = 0;
  for (const std::string& build_id : {build_id_of(dwfl_module_getelf(module_, &bias)), std::string()}) {
    UniqueFd file = archives_.open_archived(ArchivedKind::kUnit, number_of(id), build_id);
    if (!file.valid()) continue;
    Result<MappedFile> image = MappedFile::open(fmt::format("/proc/self/fd/{}", file.get()));
    if (image) return {reinterpret_cast<const char*>(image->bytes().data()), image->bytes().size()};
  }
  return {};
}

void SplitUnits::visit_images(const std::function<void(const std::string& number, Bytes image)>& visit) {
  for (const auto& [id, skeleton] : skeletons_) {
    if (auto unit = find(skeleton, id)) visit(number_of(id), std::as_bytes(std::span(unit->image)));
  }
}

std::optional<Dwarf_Die> SplitUnits::from_package(Dwarf_Die skeleton, uint64_t id) {
  auto [known, is_new] = units_.try_emplace(id);
  if (is_new) known->second = find(skeleton, id);
  return known->second == nullptr ? std::nullopt : std::optional(known->second->entry);
}

std::unique_ptr<SplitUnits::Unit> SplitUnits::read(std::string image, uint64_t id) {
  if (image.empty()) return nullptr;
  auto unit = std::make_unique<Unit>();
  unit->image = std::move(image);
  unit->elf.reset(elf_memory(unit->image.data(), unit->image.size()));
  if (unit->elf == nullptr) return nullptr;
  unit->dwarf.reset(dwarf_begin_elf(unit->elf.get(), DWARF_C_READ, nullptr));
  Dwarf_CU* first = nullptr;
  if (unit->dwarf == nullptr ||
      dwarf_get_units(unit->dwarf.get(), nullptr, &first, nullptr, nullptr, &unit->entry, nullptr) != 0)
    return nullptr;
  uint64_t found = 0;
  bool is_it =
      dwarf_cu_info(first, nullptr, nullptr, nullptr, nullptr, &found, nullptr, nullptr) == 0 && found == id;
  return is_it ? std::move(unit) : nullptr;
}

}  // namespace hm::symbol
