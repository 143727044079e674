// SPDX-License-Identifier: MIT
#include "symbol/files/text_tables.h"

#include <gtest/gtest.h>

namespace hm::symbol {
namespace {

constexpr std::string_view kKernel =
    "0000000000000000 A fixed_percpu_data\n"
    "ffffffff81000000 T _text\n"
    "ffffffff81000100 t do_one\n"
    "ffffffff81000200 T do_two\n"
    "ffffffff82000000 D some_data\n"
    "ffffffffc0000000 t of_module\t[mod]\n";

TEST(Kallsyms, IsRelativeToItsReference) {
  Result<SymbolTable> table = parse_kallsyms(kKernel, "_text");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->size(), 3u);
  EXPECT_EQ(table->find(0x1ff)->name, "do_one");
  EXPECT_EQ(table->find(0x200)->name, "do_two");
}

TEST(Kallsyms, SaysWhyThereIsNone) {
  EXPECT_EQ(parse_kallsyms(kKernel, "_stext").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(parse_kallsyms("0000000000000000 T _text\n", "_text").error().code, ErrorCode::kPermission);
  EXPECT_EQ(parse_kallsyms("", "_text").error().code, ErrorCode::kNotFound);
}

TEST(PerfMap, ReadsNamesWithSpacesAndPassesOverTheRest) {
  SymbolTable table =
      parse_perf_map("7f0000001000 20 py::f (file.py)\nnonsense\n0x7f0000002000 0x10 g\n12 34\n");
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table.find(0x7f000000101f)->name, "py::f (file.py)");
  EXPECT_EQ(table.find(0x7f0000002000)->name, "g");
}

}  // namespace
}  // namespace hm::symbol
