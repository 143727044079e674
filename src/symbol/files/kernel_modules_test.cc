// SPDX-License-Identifier: MIT
#include "symbol/files/kernel_modules.h"

#include <gtest/gtest.h>

namespace hm::symbol {
namespace {

constexpr const char* kModules =
    "ext4 1000 2 - Live 0xffffffffa0000000\nsnd_hda 500 0 a,b, Live 0xffffffffa0100000 (OE)\nhidden 1 0 - "
    "Live "
    "0x0000000000000000\n";

TEST(KernelModules, TheirNamesInRecordings) {
  EXPECT_EQ(module_of("[ext4]"), "ext4");
  EXPECT_EQ(module_of("/lib/modules/6.1.0/kernel/sound/snd-hda.ko"), "snd_hda");
  EXPECT_EQ(module_of("/lib/modules/6.1.0/kernel/fs/ext4.ko.zst"), "ext4");
  for (const char* path :
       {"/usr/bin/ext4", "[kernel.kallsyms]_text", "ext4.ko", "/a/b.kort", "[", "[a/../b]", ""})
    EXPECT_EQ(module_of(path), "") << path;
}

TEST(KernelModules, TheirAddresses) {
  EXPECT_EQ(parse_module_address(kModules, "ext4"), 0xffffffffa0000000);
  EXPECT_EQ(parse_module_address(kModules, "snd_hda"), 0xffffffffa0100000);
  EXPECT_EQ(parse_module_address(kModules, "hidden"), std::nullopt);
  EXPECT_EQ(parse_module_address(kModules, "xfs"), std::nullopt);
}

TEST(KernelModules, TheirSymbolsAreRelativeToThem) {
  constexpr std::string_view kSymbols =
      "ffffffff81000000 T _text\nffffffffa0000100 t ext4_read\t[ext4]\nffffffffa0000180 T "
      "ext4_write\t[ext4]\n"
      "ffffffffa0000180 W ext4_sync\t[ext4]\nffffffffa0000200 d ext4_data\t[ext4]\nffffffffa0100000 t hda_read\t[snd_hda]\n"
      "ffffffff80000000 t elsewhere\t[ext4]\n";
  SymbolTable symbols = parse_module_symbols(kSymbols, "ext4", 0xffffffffa0000000);
  ASSERT_EQ(symbols.size(), 2u);
  EXPECT_EQ(symbols.at(0).name, "ext4_read");
  EXPECT_EQ(symbols.at(0).start, 0x100u);
  EXPECT_EQ(symbols.at(0).size, 0x80u);
  EXPECT_EQ(symbols.at(1).name, "ext4_write");  // has priority over a weak symbol
}

TEST(KernelModules, OfAnotherKernelHaveNoNames) {
  EXPECT_EQ(read_module_symbols("ext4", "").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read_module_symbols("ext4", "00112233445566778899").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace hm::symbol
