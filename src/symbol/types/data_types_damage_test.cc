// SPDX-License-Identifier: MIT
// Debug information is untrusted: for any contents, reading it must terminate quickly.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "symbol/files/damaged_file.h"
#include "symbol/files/elf_symbols.h"
#include "symbol/files/test_subjects.h"
#include "symbol/types/data_types.h"

namespace hm::symbol {
namespace {

// Performs all lookups on an object's data.
void read_all(const std::vector<std::byte>& file) {
  Result<ElfModule> module = ElfModule::open(Bytes(file), "subject");
  if (!module.ok()) return;
  SymbolTable functions = read_elf_symbols(*module, FrameExtents(*module));
  SymbolTable variables = read_elf_data_symbols(*module);
  DataTypes types(*module, functions);
  auto look = [](const std::optional<DataTypes::TypedLocation>& place) {
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
  for (const char* name : {"data", "classes"}) {
    DamagedFile file(subject(name), [](std::string_view section) { return section.starts_with(".debug_"); });
    ASSERT_TRUE(file.has_sections());
    for (int time = 0; time < kTimes; ++time) read_all(file.next(kBytesEach));
  }
}

}  // namespace
}  // namespace hm::symbol
