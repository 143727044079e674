// SPDX-License-Identifier: MIT
// x86-64 psABI, "Procedure Linkage Table": with every linker, a stub jumps through its slot of the global
// offset table (`jmp *disp32(%rip)`, ff 25). The relocation of the slot names the function.
#include "symbol/files/plt.h"

#include <gelf.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/bytes.h"
#include "symbol/files/elf_sections.h"

namespace hm::symbol {
namespace {

constexpr size_t kJumpSize = 6;

using SlotNames = std::unordered_map<uint64_t, std::string>;

const char* symbol_name(Elf* elf, Elf_Scn* symbols, size_t index) {
  GElf_Shdr header;
  GElf_Sym symbol;
  if (gelf_getshdr(symbols, &header) == nullptr) return nullptr;
  if (gelf_getsym(elf_getdata(symbols, nullptr), static_cast<int>(index), &symbol) == nullptr) return nullptr;
  return elf_strptr(elf, header.sh_link, symbol.st_name);
}

void add_slots(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, SlotNames& slots) {
  Elf_Scn* symbols = elf_getscn(elf, header.sh_link);
  Elf_Data* data = elf_getdata(section, nullptr);
  if (symbols == nullptr || data == nullptr || header.sh_entsize == 0) return;
  auto count = static_cast<int>(data->d_size / gelf_fsize(elf, ELF_T_RELA, 1, EV_CURRENT));
  for (int i = 0; i < count; ++i) {
    GElf_Rela relocation;
    if (gelf_getrela(data, i, &relocation) == nullptr) return;
    auto type = GELF_R_TYPE(relocation.r_info);
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
    const char* name = symbol_name(elf, symbols, GELF_R_SYM(relocation.r_info));
    if (name != nullptr && *name != '\0') slots.try_emplace(relocation.r_offset, name);
  }
}

std::optional<uint64_t> slot_of_stub(Bytes code, uint64_t address) {
  for (size_t i = 0; i + kJumpSize <= code.size(); ++i) {
    if (code[i] != std::byte{0xff} || code[i + 1] != std::byte{0x25}) continue;
    ByteReader reader(code.subspan(i + 2));
    return address + i + kJumpSize + static_cast<uint64_t>(static_cast<int32_t>(reader.u32()));
  }
  return std::nullopt;
}

void add_stubs(Elf_Scn* section, const GElf_Shdr& header, const SlotNames& slots, std::vector<PltStub>& out) {
  size_t size = header.sh_entsize == 8 ? 8 : 16;
  Bytes code = bytes_of(elf_rawdata(section, nullptr));
  for (size_t offset = 0; offset + size <= code.size(); offset += size) {
    uint64_t address = header.sh_addr + offset;
    auto slot = slot_of_stub(code.subspan(offset, size), address);
    auto name = slot ? slots.find(*slot) : slots.end();
    if (name != slots.end()) out.push_back({address, size, name->second + "@plt"});
  }
}

bool holds_stubs(const GElf_Shdr& header, const char* name) {
  constexpr std::array<std::string_view, 4> kNames = {".plt", ".plt.got", ".plt.sec", ".plt.bnd"};
  return name != nullptr && std::ranges::find(kNames, std::string_view(name)) != kNames.end() &&
         header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0;
}

}  // namespace

std::vector<PltStub> read_plt_stubs(Elf* elf) {
  GElf_Ehdr file;
  if (gelf_getehdr(elf, &file) == nullptr || file.e_machine != EM_X86_64) return {};
  SlotNames slots;
  for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type == SHT_RELA && (header.sh_flags & SHF_ALLOC) != 0)
      add_slots(elf, section, header, slots);
  });
  std::vector<PltStub> stubs;
  for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (holds_stubs(header, elf_strptr(elf, file.e_shstrndx, header.sh_name)))
      add_stubs(section, header, slots, stubs);
  });
  return stubs;
}

}  // namespace hm::symbol
