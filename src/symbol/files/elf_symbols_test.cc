// SPDX-License-Identifier: MIT
#include "symbol/files/elf_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbol/files/test_subjects.h"

namespace hm::symbol {
namespace {

TEST(ElfSymbols, LabelsInsideFunctionsAreNoFunctions) {
  Dso dso(subject("labels"), "");
  std::vector<std::string> names = symbol_names_of(dso);
  EXPECT_THAT(names, testing::IsSupersetOf({"typed", "bare", "local_function", "unwound", "main"}));
  for (const char* label : {"inner_loop", ".Lhidden", "unwound_loop"})
    EXPECT_THAT(names, testing::Not(testing::Contains(label)));
  Symbol typed = symbol_of(dso, "typed");
  std::optional<Symbol> last = dso.symbols().find(typed.start + typed.size - 1);
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->name, "typed");
}

TEST(ElfSymbols, CodeKindsOfThisProcessor) {
  Dso dso(subject("labels"), "");
  CodeKind kind = dso.code_kind(symbol_of(dso, "main").start);
  EXPECT_TRUE(kind.machine.is_x86_64());
  EXPECT_EQ(kind.content, CodeKind::Content::kCode);
  EXPECT_EQ(name_of(kind.machine), "x86-64");
}

}  // namespace
}  // namespace hm::symbol
