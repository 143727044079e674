// SPDX-License-Identifier: MIT
#include "symbol/code/disassembly.h"

#include <gtest/gtest.h>

#include <array>

namespace hm::symbol {
namespace {

// mov 0x8(%rdi),%rax; jmp -2 (to itself); an opcode that is invalid in 64-bit mode; ret
constexpr std::array<uint8_t, 8> kCode{0x48, 0x8b, 0x47, 0x08, 0xeb, 0xfe, 0x06, 0xc3};

TEST(Disassembly, AttAndIntel) {
  std::vector<Instruction> att = disassemble(std::as_bytes(std::span(kCode)), 0x1000);
  ASSERT_EQ(att.size(), 4u);
  EXPECT_EQ(att[0].text, "mov    0x8(%rdi),%rax");
  EXPECT_EQ(att[0].length, 4);
  EXPECT_EQ(att[1].address, 0x1004u);
  EXPECT_EQ(att[1].text, "jmp    1004");
  EXPECT_EQ(att[1].target, 0x1004u);
  EXPECT_EQ(att[0].target, std::nullopt);
  EXPECT_EQ(att[2].text, "(bad)");
  EXPECT_EQ(att[2].length, 1);
  EXPECT_EQ(att[3].text, "ret");
  EXPECT_EQ(disassemble(std::as_bytes(std::span(kCode)), 0x1000, Syntax::kIntel)[0].text,
            "mov rax, [rdi+0x8]");
}

TEST(Disassembly, CodeCutShort) {
  std::vector<Instruction> cut = disassemble(std::as_bytes(std::span(kCode)).first(2), 0);
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(cut[0].text, "(bad)");
}

}  // namespace
}  // namespace hm::symbol
