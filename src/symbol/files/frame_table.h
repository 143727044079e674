// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "symbol/files/elf_module.h"

namespace hm::symbol {

// .eh_frame_hdr: frame descriptions sorted by the code that they describe.
class FrameTable {
 public:
  struct Entry {
    uint64_t code;         // address in the object
    uint64_t description;  // likewise, in .eh_frame
  };

  // nullopt where the object has none. Where it is not of the usual form, the one that GNU ld and lld write
  // (Linux Standard Base 5.0, "Exception Frames": 4-byte offsets), it is empty.
  static std::optional<FrameTable> of(const ElfModule& module);

  [[nodiscard]] uint64_t size() const { return count_; }
  // Address of .eh_frame; only where size() is not 0.
  [[nodiscard]] uint64_t descriptions() const { return descriptions_; }
  // `index` must be below size().
  [[nodiscard]] Entry at(uint64_t index) const;
  // The last one that starts at or below `code`.
  [[nodiscard]] std::optional<Entry> find(uint64_t code) const;
  // Where the first one that starts above `code` does.
  [[nodiscard]] std::optional<uint64_t> next(uint64_t code) const;

 private:
  FrameTable(Bytes bytes, uint64_t address);
  // How many start at or below `code`.
  [[nodiscard]] uint64_t count_to(uint64_t code) const;

  Bytes bytes_;
  uint64_t address_;
  uint64_t descriptions_ = 0;
  uint64_t count_ = 0;
};

// The next four bytes as a signed number, to be added to an address.
[[nodiscard]] inline uint64_t signed4(ByteReader& in) {
  return static_cast<uint64_t>(int64_t{static_cast<int32_t>(in.u32())});
}

}  // namespace hm::symbol
