// SPDX-License-Identifier: MIT
#include "symbol/files/frame_section.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include <unordered_map>

#include "symbol/files/elf_sections.h"
#include "symbol/files/frame_table.h"

namespace hm::symbol {
namespace {

constexpr uint8_t kFormatBits = 0x0f;  // DW_EH_PE_*: the format of the number
constexpr uint8_t kUseBits = 0xf0;     // DW_EH_PE_*: the base to which the number is relative

// Layout of the beginning of all FDEs that share a CIE.
struct Form {
  uint8_t encoding = DW_EH_PE_absptr;  // of the start and size of the code
  bool sized = false;                  // an augmentation length follows, then augmentation data
};

// Returns nullopt for an unusual format.
std::optional<size_t> pointer_bytes(uint8_t encoding) {
  switch (encoding & kFormatBits) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
      return 8;
    case DW_EH_PE_udata4:
    case DW_EH_PE_sdata4:
      return 4;
    default:
      return std::nullopt;
  }
}

Bytes between(const uint8_t* begin, const uint8_t* end) {
  return {reinterpret_cast<const std::byte*>(begin), static_cast<size_t>(end - begin)};
}

// Derives the layout from the augmentation string.
std::optional<Form> form_of(const Dwarf_CIE& cie) {
  std::string_view letters(cie.augmentation);
  if (letters.empty()) return Form();
  if (letters[0] != 'z') return std::nullopt;
  Form form{.sized = true};
  ByteReader in(between(cie.augmentation_data, cie.augmentation_data + cie.augmentation_data_size));
  for (char letter : letters.substr(1)) {
    if (letter == 'S') continue;
    uint8_t encoding = in.u8();
    std::optional<size_t> bytes = pointer_bytes(encoding);
    if (!bytes || (letter != 'P' && letter != 'L' && letter != 'R')) return std::nullopt;
    if (letter == 'P') in.skip(*bytes);
    if (letter == 'R') form.encoding = encoding;
  }
  return in.ok() ? std::optional(form) : std::nullopt;
}

uint64_t read_number(ByteReader& in, uint8_t encoding) {
  if (pointer_bytes(encoding) == 8) return in.u64();
  return (encoding & kFormatBits) == DW_EH_PE_sdata4 ? signed4(in) : in.u32();
}

// Reads the code range of an FDE. `at` is the address of the next byte to read.
std::optional<Extent> read_code(ByteReader& in, uint8_t encoding, uint64_t at) {
  Extent code{read_number(in, encoding), 0};
  constexpr uint8_t kUnsigned = DW_EH_PE_udata4;
  code.size = pointer_bytes(encoding) == 8 ? in.u64() : read_number(in, kUnsigned);
  uint8_t use = encoding & kUseBits;
  if (use == DW_EH_PE_pcrel) code.start += at;
  return use == DW_EH_PE_pcrel || use == 0 ? std::optional(code) : std::nullopt;
}

}  // namespace

uint64_t read_leb(ByteReader& in) {
  constexpr unsigned kBits = 64;
  uint64_t value = 0;
  for (unsigned shift = 0; in.ok(); shift += 7) {
    uint64_t byte = in.u8();
    if (shift < kBits) value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return value;
}

std::optional<FrameSection> FrameSection::find(Elf* elf, std::string_view name) {
  std::optional<ElfSection> found = find_section(elf, name);
  if (!found || found->header.sh_type == SHT_NOBITS) return std::nullopt;
  Elf_Data* data = elf_getdata(found->section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return std::nullopt;
  return FrameSection(elf, data, found->header.sh_addr, name == ".eh_frame");
}

// A CIE precedes the FDEs that refer to it.
bool FrameSection::for_each(const std::function<bool(const FrameEntry&)>& visit) const {
  const auto* ident = reinterpret_cast<const unsigned char*>(elf_getident(elf_, nullptr));
  const auto* begin = static_cast<const uint8_t*>(data_->d_buf);
  std::unordered_map<Dwarf_Off, Form> forms;  // keyed by offset of the CIE
  Dwarf_Off next = 0;
  for (Dwarf_Off offset = 0; offset != static_cast<Dwarf_Off>(-1); offset = next) {
    Dwarf_CFI_Entry raw;
    int status = dwarf_next_cfi(ident, data_, eh_frame_, offset, &next, &raw);
    if (status != 0) return status > 0;
    FrameEntry entry{.offset = offset, .is_description = !dwarf_cfi_cie_p(&raw)};
    if (entry.is_description) {
      auto form = forms.find(raw.fde.CIE_pointer);
      if (form == forms.end()) return false;
      ByteReader in(between(raw.fde.start, raw.fde.end));
      entry.code = read_code(in, form->second.encoding, address_ + (raw.fde.start - begin));
      if (form->second.sized) in.skip(read_leb(in));
      if (!in.ok()) return false;
      entry.program = in.rest();
    } else {
      std::optional<Form> form = form_of(raw.cie);
      if (!form) return false;
      forms.emplace(offset, *form);
      entry.program = between(raw.cie.initial_instructions, raw.cie.initial_instructions_end);
    }
    if (!visit(entry)) return false;
  }
  return true;
}

}  // namespace hm::symbol
