// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "symbol/files/elf_module.h"

namespace hm::symbol {

// .eh_frame_hdr: a lookup table of frame descriptions, sorted by the addresses of their code.
class FrameTable {
 public:
  struct Entry {
    uint64_t code;         // address in the object
    uint64_t description;  // address of the description in .eh_frame
  };

  // Returns nullopt if the object has no table. The table is empty if it does not have the usual form, which
  // GNU ld and lld write (Linux Standard Base 5.0, "Exception Frames": 4-byte offsets).
  static std::optional<FrameTable> of(const ElfModule& module);

  [[nodiscard]] uint64_t size() const { return count_; }
  // Returns the address of .eh_frame; valid only if size() is not 0.
  [[nodiscard]] uint64_t descriptions() const { return descriptions_; }
  // `index` must be below size().
  [[nodiscard]] Entry at(uint64_t index) const;
  // Returns the last entry that starts at or below `code`.
  [[nodiscard]] std::optional<Entry> find(uint64_t code) const;
  // Returns the start of the first entry above `code`.
  [[nodiscard]] std::optional<uint64_t> next(uint64_t code) const;

 private:
  FrameTable(Bytes bytes, uint64_t address);
  // Returns the number of entries that start at or below `code`.
  [[nodiscard]] uint64_t count_to(uint64_t code) const;

  Bytes bytes_;
  uint64_t address_;
  uint64_t descriptions_ = 0;
  uint64_t count_ = 0;
};

// Reads the next four bytes as a signed number, for adding to an address.
[[nodiscard]] inline uint64_t signed4(ByteReader& in) {
  return static_cast<uint64_t>(int64_t{static_cast<int32_t>(in.u32())});
}

}  // namespace hm::symbol
