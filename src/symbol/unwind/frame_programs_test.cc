// SPDX-License-Identifier: MIT
#include "symbol/unwind/frame_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/mapped_file.h"

// A call frame program with a byte pattern that the test can find in its own executable.
__asm__(R"(
  .pushsection .text
hm_marked_frame:
  .cfi_startproc
  .cfi_escape 0x16, 3, 6, 0x08, 0xc1, 0x08, 0xc2, 0x08, 0xc3   # DW_CFA_val_expression of rbx
  nop
  .cfi_endproc
  .popsection
)");

namespace hm::symbol {
namespace {

constexpr std::array<uint8_t, 9> kMarked{0x16, 3, 6, 0x08, 0xc1, 0x08, 0xc2, 0x08, 0xc3};

// Returns true if this executable passes the check with `program` in place of the marked bytes.
bool modest_with(const std::array<uint8_t, 9>& program) {
  Result<MappedFile> file = MappedFile::open("/proc/self/exe");
  EXPECT_TRUE(file.ok());
  std::vector<std::byte> image(file->bytes().begin(), file->bytes().end());
  auto marked = std::as_bytes(std::span(kMarked));
  bool patched = false;
  for (auto at = image.begin();; ++at) {
    at = std::search(at, image.end(), marked.begin(), marked.end());
    if (at == image.end()) break;
    std::ranges::copy(std::as_bytes(std::span(program)), at);
    patched = true;
  }
  EXPECT_TRUE(patched);
  Result<ElfModule> module = ElfModule::open(image, "patched");
  EXPECT_TRUE(module.ok());
  return module.ok() && modest_eh_frame(*module);
}

TEST(FramePrograms, OfCompilersAreModest) {
  EXPECT_TRUE(modest_with(kMarked));
  EXPECT_TRUE(modest_with({0x0a, 0x0b, 0x05, 3, 2, 0x0e, 16, 0, 0}))
      << "remember, restore, offset, CFA offset";
}

TEST(FramePrograms, ThatNameHugeRegistersAreNot) {
  EXPECT_FALSE(modest_with({0x05, 0xff, 0xff, 0xff, 0x2f, 1, 0, 0, 0})) << "DW_CFA_offset_extended";
  EXPECT_FALSE(modest_with({0x16, 0xff, 0xff, 0xff, 0x2f, 1, 0x30, 0, 0})) << "DW_CFA_val_expression";
}

TEST(FramePrograms, ThatAreNotUsualAreNot) {
  EXPECT_FALSE(modest_with({0x3f, 0, 0, 0, 0, 0, 0, 0, 0})) << "no such instruction";
  EXPECT_FALSE(modest_with({0x0f, 0xff, 0xff, 0x03, 0, 0, 0, 0, 0})) << "a block behind the end";
}

}  // namespace
}  // namespace hm::symbol
