// SPDX-License-Identifier: MIT
// .eh_frame or .debug_frame (DWARF 5, section 6.4.1; Linux Standard Base 5.0, "Exception Frames"), gone
// through as elfutils does, from one entry to the next.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "symbol/files/extent.h"

namespace hm::symbol {

// A common part (CIE), or the description of a function or part of one (FDE).
struct FrameEntry {
  uint64_t offset = 0;  // in the section
  bool is_description = false;
  Bytes program{};               // its instructions
  std::optional<Extent> code{};  // of a description; nullopt where its start is not written in a usual way
};

class FrameSection {
 public:
  // nullopt where the file has no such section, or not its bytes.
  static std::optional<FrameSection> find(Elf* elf, std::string_view name);

  [[nodiscard]] uint64_t address() const { return address_; }
  // Until `visit` returns false. False then, and where an entry is not of the usual form.
  bool for_each(const std::function<bool(const FrameEntry&)>& visit) const;

 private:
  FrameSection(Elf* elf, Elf_Data* data, uint64_t address, bool eh_frame)
      : elf_(elf), data_(data), address_(address), eh_frame_(eh_frame) {}

  Elf* elf_;
  Elf_Data* data_;
  uint64_t address_;
  bool eh_frame_;
};

// A number of variable length (DWARF 5, section 7.6), its lowest 64 bits.
[[nodiscard]] uint64_t read_leb(ByteReader& in);

}  // namespace hm::symbol
