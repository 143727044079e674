// SPDX-License-Identifier: MIT
#include "symbol/files/frame_table.h"

#include <gelf.h>

#include <algorithm>

namespace hm::symbol {
namespace {

// DW_EH_PE_*: pointer encodings in .eh_frame_hdr.
constexpr uint8_t kUnsigned4 = 0x03;
constexpr uint8_t kRelativeSigned4 = 0x1b;
constexpr uint8_t kTableSigned4 = 0x3b;
constexpr size_t kPointerAt = 4;
constexpr size_t kHeaderBytes = 12;
constexpr size_t kEntryBytes = 8;

std::optional<GElf_Phdr> find_header(Elf* elf) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) return std::nullopt;
    if (header.p_type == PT_GNU_EH_FRAME) return header;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FrameTable> FrameTable::of(const ElfModule& module) {
  std::optional<GElf_Phdr> header = find_header(module.elf());
  if (!header) return std::nullopt;
  return FrameTable(module.bytes_at(header->p_vaddr, header->p_filesz), header->p_vaddr);
}

FrameTable::FrameTable(Bytes bytes, uint64_t address) : bytes_(bytes), address_(address) {
  ByteReader in(bytes);
  bool usual =
      in.u8() == 1 && in.u8() == kRelativeSigned4 && in.u8() == kUnsigned4 && in.u8() == kTableSigned4;
  descriptions_ = address + kPointerAt + signed4(in);
  uint64_t count = in.u32();
  if (usual && in.ok()) count_ = std::min<uint64_t>(count, in.remaining() / kEntryBytes);
}

FrameTable::Entry FrameTable::at(uint64_t index) const {
  ByteReader in(bytes_.subspan(kHeaderBytes + index * kEntryBytes, kEntryBytes));
  uint64_t code = address_ + signed4(in);
  return {code, address_ + signed4(in)};
}

uint64_t FrameTable::count_to(uint64_t code) const {
  uint64_t low = 0;
  uint64_t high = count_;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (at(middle).code <= code)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::optional<FrameTable::Entry> FrameTable::find(uint64_t code) const {
  uint64_t count = count_to(code);
  return count == 0 ? std::nullopt : std::optional(at(count - 1));
}

std::optional<uint64_t> FrameTable::next(uint64_t code) const {
  uint64_t count = count_to(code);
  return count == count_ ? std::nullopt : std::optional(at(count).code);
}

}  // namespace hm::symbol
