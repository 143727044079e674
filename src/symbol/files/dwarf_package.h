// SPDX-License-Identifier: MIT
// A file of split debug information, PROGRAM.dwp, as dwp(1) and llvm-dwp(1) make it of many .dwo files: DWARF
// 5, section 7.3.5, and its form in DWARF 4 (https://gcc.gnu.org/wiki/DebugFissionDWP). libdw reads none
// until elfutils 0.191.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/mapped_file.h"

namespace hm::symbol {

// What a split unit takes from the program's own debug information.
struct SkeletonParts {
  Bytes addresses;  // .debug_addr from the unit's first address on
  Bytes ranges;     // .debug_ranges from the unit's first range list on; of DWARF 4 only
};

class DwarfPackage {
 public:
  // Nothing if the file is not there or no package of a little-endian 64-bit program.
  static std::optional<DwarfPackage> open(const std::string& path);

  // The unit with this id as an ELF file of its own, which needs nothing else: a part of each section, and
  // the strings that it names. Empty if the package does not have it whole.
  [[nodiscard]] std::string unit(uint64_t id, const SkeletonParts& skeleton) const;

 private:
  explicit DwarfPackage(MappedFile file) : file_(std::move(file)) {}
  bool read_sections();
  [[nodiscard]] std::map<std::string, std::string> parts_of(uint64_t id) const;
  bool take_strings(std::map<std::string, std::string>& parts) const;

  MappedFile file_;
  std::map<std::string_view, Bytes> sections_;  // by name
};

}  // namespace hm::symbol
