// SPDX-License-Identifier: MIT
// Iterates over the entries of .eh_frame or .debug_frame (DWARF 5, section 6.4.1; Linux Standard Base 5.0,
// "Exception Frames") in the way that elfutils does.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "symbol/files/extent.h"

namespace hm::symbol {

// A common information entry (CIE), or a frame description entry (FDE) of a function or a part of it.
struct FrameEntry {
  uint64_t offset = 0;  // in the section
  bool is_description = false;
  Bytes program{};               // call frame instructions
  std::optional<Extent> code{};  // only of an FDE; nullopt if its start has an unusual encoding
};

class FrameSection {
 public:
  // Returns nullopt if the file has no such section, or not its bytes.
  static std::optional<FrameSection> find(Elf* elf, std::string_view name);

  [[nodiscard]] uint64_t address() const { return address_; }
  // Calls `visit` for each entry until it returns false. Returns false then, and if an entry has an unusual
  // form.
  bool for_each(const std::function<bool(const FrameEntry&)>& visit) const;

 private:
  FrameSection(Elf* elf, Elf_Data* data, uint64_t address, bool eh_frame)
      : elf_(elf), data_(data), address_(address), eh_frame_(eh_frame) {}

  Elf* elf_;
  Elf_Data* data_;
  uint64_t address_;
  bool eh_frame_;
};

// Reads a LEB128 number (DWARF 5, section 7.6); keeps its lowest 64 bits.
[[nodiscard]] uint64_t read_leb(ByteReader& in);

}  // namespace hm::symbol
