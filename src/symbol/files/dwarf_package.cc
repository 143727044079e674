// SPDX-License-Identifier: MIT
#include "symbol/files/dwarf_package.h"

#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "symbol/files/elf_sections.h"
#include "symbol/files/zstd_sections.h"
#include "unpack/unpack.h"

namespace hm::symbol {
namespace {

using Parts = std::map<std::string, std::string>;  // sections by name

// Section names by their numbers in an index: DWARF 5, table 7.1; and those of GNU's version 2.
constexpr std::array kSections5{"",
                                ".debug_info",
                                "",
                                ".debug_abbrev",
                                ".debug_line",
                                ".debug_loclists",
                                ".debug_str_offsets",
                                ".debug_macro",
                                ".debug_rnglists"};
constexpr std::array kSections2{
    "",           ".debug_info",        ".debug_types",   ".debug_abbrev", ".debug_line",
    ".debug_loc", ".debug_str_offsets", ".debug_macinfo", ".debug_macro"};
constexpr uint16_t kVersion5 = 5;

std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Returns an empty span if the bytes are not all present.
Bytes part(Bytes bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return {};
  return bytes.subspan(offset, size);
}

std::string_view string_at(Bytes bytes, uint64_t offset) {
  ByteReader in(part(bytes, offset, bytes.size() - std::min<uint64_t>(offset, bytes.size())));
  return in.text(in.remaining());
}

Elf64_Shdr section_header(ByteWriter& names, std::string_view name, uint64_t offset, uint64_t size) {
  Elf64_Shdr header{};
  header.sh_name = static_cast<Elf64_Word>(names.bytes().size());
  header.sh_type = SHT_PROGBITS;
  header.sh_offset = offset;
  header.sh_size = size;
  header.sh_addralign = 1;
  names.text(name);
  names.u8(0);
  return header;
}

uint16_t unit_version(std::string_view unit) {
  ByteReader in(std::as_bytes(std::span(unit)));
  in.skip(sizeof(uint32_t));  // its length
  return in.u16();
}

// Returns true if the section begins with a type unit: DWARF 5, section 7.5.1. GCC's -fdebug-types-section
// makes a section of the name .debug_info.dwo for each type unit, and one for the compilation unit.
bool has_type_unit(Bytes section) {
  ByteReader in(section);
  in.skip(sizeof(uint32_t));  // its length
  return in.u16() >= kVersion5 && in.u8() == DW_UT_split_type;
}

// Returns a relocatable ELF file with these sections.
std::string elf_of(const Parts& parts) {
  ByteWriter file, names;
  std::vector<Elf64_Shdr> headers(1);
  Elf64_Ehdr head{};
  file.write(head);
  names.u8(0);
  for (const auto& [name, bytes] : parts) {
    headers.push_back(section_header(names, name, file.bytes().size(), bytes.size()));
    file.text(bytes);
  }
  headers.push_back(section_header(names, ".shstrtab", file.bytes().size(), 0));
  headers.back().sh_type = SHT_STRTAB;
  headers.back().sh_size = names.bytes().size();
  file.append(names.bytes());
  file.pad_to(alignof(Elf64_Shdr));
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_ident[EI_VERSION] = EV_CURRENT;
  head.e_type = ET_REL;
  head.e_machine = EM_X86_64;
  head.e_version = EV_CURRENT;
  head.e_shoff = file.bytes().size();
  head.e_ehsize = sizeof head;
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = static_cast<Elf64_Half>(headers.size());
  head.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  for (const Elf64_Shdr& header : headers) file.write(header);
  file.patch(0, head);
  return text_of(file.bytes());
}

std::string whole_unit(Parts parts, const SkeletonParts& skeleton) {
  parts[".debug_addr"] = text_of(skeleton.addresses);
  if (!skeleton.ranges.empty()) parts[".debug_ranges"] = text_of(skeleton.ranges);
  return elf_of(parts);
}

// The index of units: section .debug_cu_index.
struct UnitIndex {
  uint16_t version = 0;
  uint32_t columns = 0, units = 0, slots = 0;
  Bytes hashes, rows, names, offsets, sizes;

  explicit UnitIndex(Bytes bytes) {
    ByteReader in(bytes);
    version = in.u16();
    in.skip(sizeof(uint16_t));
    columns = in.u32();
    units = in.u32();
    slots = in.u32();
    constexpr uint64_t kMaxColumns = 16;
    uint64_t cells = uint64_t{columns} * units * sizeof(uint32_t);
    hashes = in.take(uint64_t{slots} * sizeof(uint64_t));
    rows = in.take(uint64_t{slots} * sizeof(uint32_t));
    names = in.take(uint64_t{columns} * sizeof(uint32_t));
    if (columns <= kMaxColumns) {
      offsets = in.take(cells);
      sizes = in.take(cells);
    }
    if (!in.ok() || columns > kMaxColumns) slots = columns = 0;
  }

  static uint32_t word(Bytes words, uint64_t number) {
    return ByteReader(part(words, number * sizeof(uint32_t), sizeof(uint32_t))).u32();
  }

  // Returns a row number from 0; nullopt if there is no unit with this id.
  [[nodiscard]] std::optional<uint32_t> row_of(uint64_t id) const {
    ByteReader all(hashes);
    for (uint64_t slot = 0; slot < slots; ++slot) {
      bool is_it = all.u64() == id;
      uint32_t row = is_it ? word(rows, slot) : 0;
      if (row != 0 && row <= units) return row - 1;
    }
    return std::nullopt;
  }
};

// Unpacks the section if it is compressed. Returns false if it cannot be unpacked, or would become larger
// than sound data does.
bool is_unpacked(Elf_Scn* section, const GElf_Shdr& header) {
  if ((header.sh_flags & SHF_COMPRESSED) == 0) return true;
  GElf_Chdr packed;
  return gelf_getchdr(section, &packed) != nullptr && packed.ch_size <= unpack_limit(header.sh_size) &&
         elf_compress(section, 0, 0) >= 0;
}

}  // namespace

std::optional<DwarfPackage> DwarfPackage::read(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return std::nullopt;
  Result<UniqueFd> copy = copy_without_zstd(fd.get());
  if (!copy) return std::nullopt;
  DwarfPackage package(copy->valid() ? *std::move(copy) : std::move(fd));
  return package.read_sections() ? std::optional(std::move(package)) : std::nullopt;
}

std::optional<DwarfPackage> DwarfPackage::open(const std::string& path) {
  std::optional<DwarfPackage> package = read(path);
  return package && package->sections_.contains(".debug_cu_index") ? std::move(package) : std::nullopt;
}

bool DwarfPackage::read_sections() {
  // Not from mapped memory: libelf would use its headers in place, and change them when it unpacks a section.
  elf_.reset(elf_begin(file_.get(), ELF_C_READ, nullptr));
  const char* head = elf_ == nullptr ? nullptr : elf_getident(elf_.get(), nullptr);
  if (head == nullptr || head[EI_CLASS] != ELFCLASS64 || head[EI_DATA] != ELFDATA2LSB) return false;
  for_each_named_section(elf_.get(), [&](std::string_view name, Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type == SHT_NOBITS || !is_unpacked(section, header)) return;
    Bytes bytes = bytes_of(elf_getdata(section, nullptr));
    auto [known, is_new] = sections_.try_emplace(std::string(name), bytes);
    if (!is_new && name == ".debug_info.dwo" && has_type_unit(known->second)) known->second = bytes;
  });
  return true;
}

Parts DwarfPackage::parts_of(uint64_t id) const {
  const UnitIndex index(sections_.find(std::string_view(".debug_cu_index"))->second);
  std::optional<uint32_t> row = index.row_of(id);
  if (!row) return {};
  const auto& names = index.version == kVersion5 ? kSections5 : kSections2;
  Parts parts;
  for (uint32_t column = 0; column < index.columns; ++column) {
    uint32_t section = UnitIndex::word(index.names, column);
    uint64_t cell = uint64_t{*row} * index.columns + column;
    uint32_t size = UnitIndex::word(index.sizes, cell);
    if (section >= names.size() || *names[section] == '\0' || size == 0) continue;
    auto whole = sections_.find(std::string(names[section]) + ".dwo");
    if (whole == sections_.end()) return {};
    Bytes bytes = part(whole->second, UnitIndex::word(index.offsets, cell), size);
    if (bytes.empty()) return {};
    parts[names[section]] = text_of(bytes);
  }
  return parts;
}

// Replaces the section with the strings of all units by one with only this unit's strings. Returns false for
// 64-bit offsets, and if the strings need far more space than all strings of the package.
bool DwarfPackage::take_strings(Parts& parts) const {
  auto offsets = parts.find(".debug_str_offsets");
  auto all = sections_.find(std::string_view(".debug_str.dwo"));
  if (offsets == parts.end() || all == sections_.end()) return true;
  std::string& table = offsets->second;
  constexpr uint32_t kWide = 0xffffffff;
  constexpr size_t kHeader5 = 8;
  // In DWARF 5 the table has a header: its length, its version, padding.
  bool has_header = unit_version(parts[".debug_info"]) == kVersion5;
  uint32_t first = 0;
  if (table.size() >= sizeof first) std::memcpy(&first, table.data(), sizeof first);
  if (has_header && first == kWide) return false;
  // In a sound package the offsets of a unit are distinct; only strings that end alike may share bytes.
  constexpr size_t kMaxSharing = 4;
  const size_t max_bytes = kMaxSharing * all->second.size() + table.size();
  std::string strings(1, '\0');
  for (size_t at = has_header ? kHeader5 : 0; at + sizeof(uint32_t) <= table.size(); at += sizeof(uint32_t)) {
    uint32_t old = 0;
    std::memcpy(&old, table.data() + at, sizeof old);
    auto offset = static_cast<uint32_t>(strings.size());
    strings += string_at(all->second, old);
    strings += '\0';
    if (strings.size() > max_bytes) return false;
    std::memcpy(table.data() + at, &offset, sizeof offset);
  }
  parts[".debug_str"] = std::move(strings);
  return true;
}

std::string DwarfPackage::unit(uint64_t id, const SkeletonParts& skeleton) const {
  Parts parts = parts_of(id);
  if (!parts.contains(".debug_info") || !parts.contains(".debug_abbrev") || !take_strings(parts)) return {};
  return whole_unit(std::move(parts), skeleton);
}

std::string DwarfPackage::unit_of_file(const std::string& path, const SkeletonParts& skeleton) {
  constexpr std::string_view kEnd = ".dwo";
  std::optional<DwarfPackage> file = read(path);
  Parts parts;
  if (!file) return {};
  for (const auto& [name, bytes] : file->sections_) {
    if (name.starts_with(".debug_") && name.ends_with(kEnd))
      parts[name.substr(0, name.size() - kEnd.size())] = text_of(bytes);
  }
  return parts.contains(".debug_info") ? whole_unit(std::move(parts), skeleton) : std::string();
}

}  // namespace hm::symbol
