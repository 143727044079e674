// SPDX-License-Identifier: MIT
// Debug information is a stranger's: whatever it says, what is read of it ends soon.
#include <gelf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "support/paths.h"
#include "symbol/data_types.h"
#include "symbol/elf_symbols.h"

namespace hm::symbol {
namespace {

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char each) { return static_cast<std::byte>(each); });
  return bytes;
}

struct Section {
  size_t offset, size;
};

std::vector<Section> debug_sections(const std::vector<std::byte>& file) {
  std::vector<Section> sections;
  Result<ElfModule> module = ElfModule::open(Bytes(file), "subject");
  if (!module.ok()) return sections;
  size_t names = 0;
  if (elf_getshdrstrndx(module->elf(), &names) != 0) return sections;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(module->elf(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(module->elf(), names, header.sh_name);
    bool wanted = name != nullptr && std::string_view(name).starts_with(".debug_");
    if (wanted && header.sh_offset + header.sh_size <= file.size())
      sections.push_back({header.sh_offset, header.sh_size});
  }
  return sections;
}

// Everything that is asked of an object's data.
void read_all(const std::vector<std::byte>& file) {
  Result<ElfModule> module = ElfModule::open(Bytes(file), "subject");
  if (!module.ok()) return;
  SymbolTable functions = read_elf_symbols(*module), variables = read_elf_data_symbols(*module);
  DataTypes types(*module, functions);
  auto look = [](const std::optional<DataTypes::Place>& place) {
    if (!place) return;
    EXPECT_LE(place->type.field_at(place->offset, true).path.size(), 1u << 17);
    EXPECT_LE(place->type.element().layout().members.size(), 1u << 16);
  };
  for (size_t i = 0; i < variables.size(); ++i) {
    for (uint64_t byte = 0; byte < 256 && byte < variables.at(i).size; byte += 4)
      look(types.of_variable(variables.at(i).start + byte));
  }
  for (size_t i = 0; i < functions.size(); ++i) {
    for (uint64_t byte = 0; byte < 256 && byte < functions.at(i).size; ++byte)
      look(types.of_access(functions.at(i).start + byte));
  }
}

TEST(DataTypes, DamagedDebugInformationIsReadToAnEnd) {
  constexpr int kTimes = 150, kBytesEach = 12;
  for (const char* name : {"/symbol_data", "/symbol_classes"}) {
    const std::vector<std::byte> whole = read_file(std::string(test_paths::kSubjects) + name);
    const std::vector<Section> sections = debug_sections(whole);
    ASSERT_FALSE(sections.empty());
    std::mt19937 random(1);
    for (int time = 0; time < kTimes; ++time) {
      std::vector<std::byte> damaged = whole;
      for (int i = 0; i < kBytesEach; ++i) {
        const Section& section = sections[random() % sections.size()];
        if (section.size != 0)
          damaged[section.offset + random() % section.size] = static_cast<std::byte>(random());
      }
      read_all(damaged);
    }
  }
}

}  // namespace
}  // namespace hm::symbol
