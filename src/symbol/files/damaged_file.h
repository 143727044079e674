// SPDX-License-Identifier: MIT
// For tests: an ELF file with random bytes in some of its sections.
#pragma once

#include <gelf.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "symbol/files/elf_module.h"

namespace hm::symbol {

class DamagedFile {
 public:
  // Damages the sections for which `wanted` returns true for their name.
  DamagedFile(const std::string& path, const std::function<bool(std::string_view)>& wanted) {
    std::ifstream in(path, std::ios::binary);
    std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
    whole_.resize(text.size());
    std::ranges::transform(text, whole_.begin(), [](char each) { return static_cast<std::byte>(each); });
    find_sections(wanted);
  }

  [[nodiscard]] bool has_sections() const { return !sections_.empty(); }
  // Returns a differently damaged copy each time.
  [[nodiscard]] std::vector<std::byte> next(int bytes) {
    std::vector<std::byte> damaged = whole_;
    for (int i = 0; i < bytes; ++i) {
      const Section& section = sections_[random_() % sections_.size()];
      if (section.size != 0)
        damaged[section.offset + random_() % section.size] = static_cast<std::byte>(random_());
    }
    return damaged;
  }

 private:
  struct Section {
    size_t offset, size;
  };

  void find_sections(const std::function<bool(std::string_view)>& wanted) {
    Result<ElfModule> module = ElfModule::open(Bytes(whole_), "subject");
    size_t names = 0;
    if (!module.ok() || elf_getshdrstrndx(module->elf(), &names) != 0) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(module->elf(), section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      const char* name = elf_strptr(module->elf(), names, header.sh_name);
      if (name != nullptr && wanted(name) && header.sh_offset + header.sh_size <= whole_.size())
        sections_.push_back({header.sh_offset, header.sh_size});
    }
  }

  std::vector<std::byte> whole_;
  std::vector<Section> sections_;
  std::mt19937 random_{1};
};

}  // namespace hm::symbol
