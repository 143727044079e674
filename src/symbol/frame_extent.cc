// SPDX-License-Identifier: MIT
#include "symbol/frame_extent.h"

#include <gelf.h>

#include <algorithm>

namespace hm::symbol {
namespace {

// DW_EH_PE_*: how .eh_frame_hdr writes its pointers.
constexpr uint8_t kUnsigned4 = 0x03;
constexpr uint8_t kRelativeSigned4 = 0x1b;
constexpr uint8_t kTableSigned4 = 0x3b;
constexpr size_t kHeaderBytes = 12;
constexpr size_t kEntryBytes = 8;

std::optional<GElf_Phdr> find_table(Elf* elf) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) return std::nullopt;
    if (header.p_type == PT_GNU_EH_FRAME) return header;
  }
  return std::nullopt;
}

uint64_t signed4(ByteReader& in) { return static_cast<uint64_t>(int64_t{static_cast<int32_t>(in.u32())}); }

// A pair of the table.
struct Entry {
  uint64_t code;
  uint64_t description;
};

class Table {
 public:
  Table(Bytes bytes, uint64_t address) : bytes_(bytes), address_(address) {
    ByteReader in(bytes);
    bool usual =
        in.u8() == 1 && in.u8() == kRelativeSigned4 && in.u8() == kUnsigned4 && in.u8() == kTableSigned4;
    in.skip(4);
    uint64_t count = in.u32();
    if (usual && in.ok()) count_ = std::min<uint64_t>(count, in.remaining() / kEntryBytes);
  }

  // The last one that starts at or below `code`.
  [[nodiscard]] std::optional<Entry> find(uint64_t code) const {
    uint64_t low = 0;
    uint64_t high = count_;
    while (low < high) {
      uint64_t middle = low + (high - low) / 2;
      if (at(middle).code <= code)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == 0) return std::nullopt;
    return at(low - 1);
  }

 private:
  [[nodiscard]] Entry at(uint64_t index) const {
    ByteReader in(bytes_.subspan(kHeaderBytes + index * kEntryBytes, kEntryBytes));
    uint64_t code = address_ + signed4(in);
    return {code, address_ + signed4(in)};
  }

  Bytes bytes_;
  uint64_t address_;
  uint64_t count_ = 0;
};

}  // namespace

std::optional<Extent> frame_extent(const ElfModule& module, uint64_t address) {
  std::optional<GElf_Phdr> header = find_table(module.elf());
  if (!header) return std::nullopt;
  Table table(module.bytes_at(header->p_vaddr, header->p_filesz), header->p_vaddr);
  std::optional<Entry> entry = table.find(address);
  if (!entry) return std::nullopt;
  // Length, the distance to the common part, the code's start relative to where that is written, its size.
  constexpr uint64_t kStartAt = 8;
  ByteReader in(module.bytes_at(entry->description, kStartAt + 8));
  in.skip(kStartAt);
  uint64_t start = entry->description + kStartAt + signed4(in);
  Extent extent{start, in.u32()};
  // The start is said twice: where both agree, it is written the usual way, and so is the size.
  bool sure = in.ok() && start == entry->code && extent.holds(address);
  return sure ? std::optional(extent) : std::nullopt;
}

}  // namespace hm::symbol
