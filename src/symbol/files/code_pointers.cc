// SPDX-License-Identifier: MIT
#include "symbol/files/code_pointers.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>

namespace hm::symbol {
namespace {

class Collector {
 public:
  explicit Collector(const ElfModule& module) : code_(module.code_segments()) {}

  void add_section(Elf_Scn* section) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || (header.sh_flags & SHF_ALLOC) == 0) return;
    bool data = header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) == 0;
    if (header.sh_type == SHT_RELA)
      add_relocations(elf_getdata(section, nullptr));
    else if (data)
      add_words(elf_rawdata(section, nullptr));
  }

  std::vector<uint64_t> take() && {
    std::ranges::sort(pointers_);
    pointers_.erase(std::unique(pointers_.begin(), pointers_.end()), pointers_.end());
    return std::move(pointers_);
  }

 private:
  void add(uint64_t value) {
    auto holds = [value](const ElfModule::Code& code) { return value - code.address < code.bytes.size(); };
    if (std::ranges::any_of(code_, holds)) pointers_.push_back(value);
  }

  void add_relocations(Elf_Data* data) {
    GElf_Rela relocation;
    for (int i = 0; data != nullptr && gelf_getrela(data, i, &relocation) != nullptr; ++i) {
      if (GELF_R_TYPE(relocation.r_info) == R_X86_64_RELATIVE)
        add(static_cast<uint64_t>(relocation.r_addend));
    }
  }

  void add_words(Elf_Data* data) {
    if (data == nullptr || data->d_buf == nullptr) return;
    const auto* bytes = static_cast<const char*>(data->d_buf);
    for (size_t at = 0; at + sizeof(uint64_t) <= data->d_size; at += sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, bytes + at, sizeof word);
      add(word);
    }
  }

  std::vector<ElfModule::Code> code_;
  std::vector<uint64_t> pointers_;
};

}  // namespace

std::vector<uint64_t> read_code_pointers(const ElfModule& module) {
  Collector collector(module);
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(module.elf(), section)) != nullptr) collector.add_section(section);
  return std::move(collector).take();
}

}  // namespace hm::symbol
