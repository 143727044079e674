// SPDX-License-Identifier: MIT
// A package of split debug information, PROGRAM.dwp, as dwp(1) and llvm-dwp(1) make it from many .dwo files:
// DWARF 5, section 7.3.5, and its DWARF 4 form (https://gcc.gnu.org/wiki/DebugFissionDWP). libdw cannot read
// packages before elfutils 0.191.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/unique_fd.h"
#include "symbol/files/elf_sections.h"

namespace hm::symbol {

// Sections of the program's debug information that a split unit needs.
struct SkeletonParts {
  Bytes addresses;  // .debug_addr from the unit's first address on
  Bytes ranges;     // .debug_ranges from the unit's first range list on; only in DWARF 4
};

class DwarfPackage {
 public:
  // Returns nullopt if the file is missing or not a package of a little-endian 64-bit program. Sections may
  // be compressed.
  static std::optional<DwarfPackage> open(const std::string& path);

  // Returns the unit with this id as a self-contained ELF file: its part of each section, and the strings
  // that it refers to. Empty if the package does not contain the whole unit.
  [[nodiscard]] std::string unit(uint64_t id, const SkeletonParts& skeleton) const;

  // Returns the ELF file that unit() makes, for the unit in a .dwo file; empty if `path` is no .dwo file.
  [[nodiscard]] static std::string unit_of_file(const std::string& path, const SkeletonParts& skeleton);

 private:
  explicit DwarfPackage(UniqueFd file) : file_(std::move(file)) {}
  static std::optional<DwarfPackage> read(const std::string& path);
  bool read_sections();
  [[nodiscard]] std::map<std::string, std::string> parts_of(uint64_t id) const;
  bool take_strings(std::map<std::string, std::string>& parts) const;

  UniqueFd file_;
  std::unique_ptr<Elf, EndElf> elf_;                    // has the uncompressed sections
  std::map<std::string, Bytes, std::less<>> sections_;  // keyed by name
};

}  // namespace hm::symbol
