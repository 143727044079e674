// SPDX-License-Identifier: MIT
#include "symbol/frame_programs.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "symbol/frame_table.h"

namespace hm::symbol {
namespace {

constexpr uint64_t kMaxRegisters =
    1024;  // x86-64 has some 130 (System V ABI, "DWARF Register Number Mapping")
constexpr unsigned kMaxRemembered = 256;  // states at a time; compilers remember one

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

// What follows an opcode: a register, a number (u), a block, or so many bytes (DWARF 5, section 7.24; from
// 0x2d on GNU's). nullopt for one that nobody writes for x86-64.
std::optional<std::string_view> operands_of(uint8_t opcode) {
  if ((opcode & 0xc0) != 0) return (opcode & 0xc0) == DW_CFA_offset ? "u" : "";
  switch (opcode) {
    case DW_CFA_nop:
    case DW_CFA_remember_state:
    case DW_CFA_restore_state:
      return "";
    case DW_CFA_advance_loc1:
      return "1";
    case DW_CFA_advance_loc2:
      return "2";
    case DW_CFA_advance_loc4:
      return "4";
    case DW_CFA_restore_extended:
    case DW_CFA_undefined:
    case DW_CFA_same_value:
      return "r";
    case DW_CFA_offset_extended:
    case DW_CFA_offset_extended_sf:
    case DW_CFA_register:
    case DW_CFA_val_offset:
    case DW_CFA_val_offset_sf:
    case DW_CFA_GNU_negative_offset_extended:
      return "ru";
    case DW_CFA_def_cfa:
    case DW_CFA_def_cfa_sf:
      return "uu";
    case DW_CFA_def_cfa_register:
    case DW_CFA_def_cfa_offset:
    case DW_CFA_def_cfa_offset_sf:
    case DW_CFA_GNU_args_size:
      return "u";
    case DW_CFA_def_cfa_expression:
      return "b";
    case DW_CFA_expression:
    case DW_CFA_val_expression:
      return "rb";
    default:
      return std::nullopt;
  }
}

bool read_operand(char kind, ByteReader& in) {
  if (kind == 'r') return read_leb(in) < kMaxRegisters;
  if (kind == 'u')
    (void)read_leb(in);
  else
    in.skip(kind == 'b' ? read_leb(in) : static_cast<size_t>(kind - '0'));
  return true;
}

bool is_modest(Bytes program) {
  ByteReader in(program);
  unsigned remembered = 0;
  while (in.remaining() > 0) {
    uint8_t opcode = in.u8();
    std::optional<std::string_view> operands = operands_of(opcode);
    if (opcode == DW_CFA_remember_state) ++remembered;
    if (opcode == DW_CFA_restore_state && remembered > 0) --remembered;
    if (!operands || remembered > kMaxRemembered) return false;
    for (char kind : *operands) {
      if (!read_operand(kind, in)) return false;
    }
    if (!in.ok()) return false;
  }
  return true;
}

// Of a pointer in DW_EH_PE_* encoding; nullopt for a form that is not usual.
std::optional<size_t> pointer_bytes(uint8_t encoding) {
  switch (encoding & 0x0f) {
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

// How the descriptions that share a common part begin.
struct Form {
  size_t pointer_bytes = 8;
  bool sized = false;  // then comes the size of more, and more
};

// Linux Standard Base 5.0, "Exception Frames": the augmentation's letters.
std::optional<Form> form_of(const Dwarf_CIE& cie) {
  std::string_view letters(cie.augmentation);
  if (letters.empty()) return Form();
  if (letters[0] != 'z') return std::nullopt;
  Form form{.sized = true};
  ByteReader in(between(cie.augmentation_data, cie.augmentation_data + cie.augmentation_data_size));
  for (char letter : letters.substr(1)) {
    if (letter == 'S') continue;
    std::optional<size_t> bytes = pointer_bytes(in.u8());
    if (!bytes || (letter != 'P' && letter != 'L' && letter != 'R')) return std::nullopt;
    if (letter == 'P') in.skip(*bytes);
    if (letter == 'R') form.pointer_bytes = *bytes;
  }
  return in.ok() ? std::optional(form) : std::nullopt;
}

// Goes through a section as elfutils does, from one entry to the next.
class Section {
 public:
  Section(Elf* elf, Elf_Data* data, bool eh_frame) : data_(data), eh_frame_(eh_frame) {
    ident_ = reinterpret_cast<const unsigned char*>(elf_getident(elf, nullptr));
  }

  // False where an entry is not modest, or not usual.
  bool look_through() {
    Dwarf_Off next = 0;
    for (Dwarf_Off offset = 0; offset != static_cast<Dwarf_Off>(-1); offset = next) {
      Dwarf_CFI_Entry entry;
      int status = dwarf_next_cfi(ident_, data_, eh_frame_, offset, &next, &entry);
      if (status != 0) return status > 0;
      if (!(dwarf_cfi_cie_p(&entry) ? take_cie(offset, entry.cie) : take_fde(offset, entry.fde)))
        return false;
    }
    return true;
  }

  [[nodiscard]] bool has_description(Dwarf_Off offset) const { return descriptions_.contains(offset); }

 private:
  bool take_cie(Dwarf_Off offset, const Dwarf_CIE& cie) {
    std::optional<Form> form = form_of(cie);
    if (!form) return false;
    forms_.emplace(offset, *form);
    return is_modest(between(cie.initial_instructions, cie.initial_instructions_end));
  }

  // A common part lies before the descriptions that need it.
  bool take_fde(Dwarf_Off offset, const Dwarf_FDE& fde) {
    auto form = forms_.find(fde.CIE_pointer);
    if (form == forms_.end()) return false;
    ByteReader in(between(fde.start, fde.end));
    in.skip(2 * form->second.pointer_bytes);
    if (form->second.sized) in.skip(read_leb(in));
    descriptions_.insert(offset);
    return in.ok() && is_modest(in.rest());
  }

  const unsigned char* ident_;
  Elf_Data* data_;
  bool eh_frame_;
  std::unordered_map<Dwarf_Off, Form> forms_;  // by where the common part is
  std::unordered_set<Dwarf_Off> descriptions_;
};

struct Found {
  uint64_t address = 0;
  Elf_Data* data = nullptr;
};

std::optional<Found> find_section(Elf* elf, std::string_view name) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return std::nullopt;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* its_name = elf_strptr(elf, names, header.sh_name);
    if (its_name == nullptr || name != its_name) continue;
    Elf_Data* data = header.sh_type == SHT_NOBITS ? nullptr : elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return std::nullopt;
    return Found{header.sh_addr, data};
  }
  return std::nullopt;
}

}  // namespace

bool modest_eh_frame(const ElfModule& module) {
  std::optional<Found> found = find_section(module.elf(), ".eh_frame");
  if (!found) return false;
  Section section(module.elf(), found->data, true);
  if (!section.look_through()) return false;
  std::optional<FrameTable> table = FrameTable::of(module);
  if (!table) return true;
  if (table->size() == 0 || table->descriptions() != found->address) return false;
  for (uint64_t i = 0; i < table->size(); ++i) {
    if (!section.has_description(table->at(i).description - found->address)) return false;
  }
  return true;
}

bool modest_debug_frame(Elf* elf) {
  std::optional<Found> found = find_section(elf, ".debug_frame");
  return found && Section(elf, found->data, false).look_through();
}

}  // namespace hm::symbol
