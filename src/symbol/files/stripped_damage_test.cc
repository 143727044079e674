// SPDX-License-Identifier: MIT
// Unwind tables and symbols are untrusted: for any contents, reading them must terminate quickly, and each
// reported range must cover the address that was looked up.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "symbol/files/damaged_file.h"
#include "symbol/files/elf_symbols.h"
#include "symbol/files/frame_extents.h"
#include "symbol/files/test_subjects.h"

namespace hm::symbol {
namespace {

bool is_damaged(std::string_view section) {
  constexpr std::array<std::string_view, 7> kSections = {".eh_frame", ".eh_frame_hdr", ".dynsym", ".dynstr",
                                                         ".rela.plt", ".plt",          ".plt.got"};
  return std::ranges::find(kSections, section) != kSections.end();
}

void look_everywhere(const ElfModule& module) {
  FrameExtents extents(module);
  SymbolTable symbols = read_elf_symbols(module, extents);
  for (const ElfModule::Code& code : module.code_segments()) {
    for (uint64_t address = code.address; address < code.address + code.bytes.size(); ++address) {
      std::optional<Extent> extent = extents.at(address);
      ASSERT_TRUE(!extent || extent->holds(address));
      std::optional<Symbol> symbol = symbols.find(address);
      ASSERT_TRUE(!symbol || address - symbol->start < symbol->size);
      (void)extents.next_start(address);
    }
  }
}

TEST(Stripped, DamagedTablesAreReadToAnEnd) {
  constexpr int kTimes = 200, kBytesEach = 8;
  for (const char* name : {"library.stripped", "library_unled.stripped", "library.so"}) {
    DamagedFile file(subject(name), is_damaged);
    ASSERT_TRUE(file.has_sections());
    for (int time = 0; time < kTimes; ++time) {
      Result<ElfModule> module = ElfModule::open(Bytes(file.next(kBytesEach)), "subject");
      if (module.ok()) look_everywhere(*module);
    }
  }
}

}  // namespace
}  // namespace hm::symbol
