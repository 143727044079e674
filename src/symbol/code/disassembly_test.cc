// SPDX-License-Identifier: MIT
#include "symbol/code/disassembly.h"

#include <gmock/gmock.h>
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

std::vector<std::string> texts_of(const CodeKind& kind, const std::vector<uint8_t>& code,
                                  uint64_t address = 0x1000) {
  Result<std::vector<Instruction>> instructions = disassemble(kind, std::as_bytes(std::span(code)), address);
  std::vector<std::string> texts;
  if (!instructions) return {instructions.error().message};
  for (const Instruction& each : *instructions) texts.push_back(each.text);
  return texts;
}

CodeKind kind_of(uint16_t machine, bool is_64_bit = true, bool is_big_endian = false,
                 CodeKind::Content content = CodeKind::Content::kCode) {
  return {.machine = {machine, is_64_bit, is_big_endian}, .content = content};
}

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Disassembly, Arm64) {
  // ldrb w13, [x11, x12]; b.ne 0x0ff8; an invalid word; ret
  std::vector<uint8_t> code{0x6d, 0x69, 0x6c, 0x38, 0xa1, 0xff, 0xff, 0x54,
                            0xff, 0xff, 0xff, 0xff, 0xc0, 0x03, 0x5f, 0xd6};
  EXPECT_THAT(texts_of(kind_of(EM_AARCH64), code),
              ElementsAre("ldrb   w13, [x11, x12]", "b.ne   #0xff8", "(bad)", "ret"));
  // The instructions of a big-endian arm64 machine are little-endian.
  EXPECT_EQ(texts_of(kind_of(EM_AARCH64, true, true), code), texts_of(kind_of(EM_AARCH64), code));
  Result<std::vector<Instruction>> found =
      disassemble(kind_of(EM_AARCH64), std::as_bytes(std::span(code)), 0x1000);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ((*found)[1].target, 0xff8u);
  EXPECT_EQ((*found)[0].target, std::nullopt);
  EXPECT_EQ((*found)[2].length, 4);
}

TEST(Disassembly, ArmAndThumb) {
  EXPECT_THAT(texts_of(kind_of(EM_ARM, false), {0x01, 0x00, 0x91, 0xe7}), ElementsAre("ldr    r0, [r1, r1]"));
  EXPECT_THAT(texts_of(kind_of(EM_ARM, false, false, CodeKind::Content::kThumb), {0x08, 0x58, 0x70, 0x47}),
              ElementsAre("ldr    r0, [r1, r0]", "bx     lr"));
}

TEST(Disassembly, BothByteOrdersOfPowerPc) {
  EXPECT_THAT(texts_of(kind_of(EM_PPC64), {0x2a, 0x28, 0x64, 0x7c, 0x20, 0x00, 0x80, 0x4e}),
              ElementsAre("ldx    r3, r4, r5", "blr"));
  EXPECT_THAT(texts_of(kind_of(EM_PPC64, true, true), {0x7c, 0x64, 0x28, 0x2a, 0x4e, 0x80, 0x00, 0x20}),
              ElementsAre("ldx    r3, r4, r5", "blr"));
}

TEST(Disassembly, S390x) {
  // lg %r2,8(%r3,%r4); br %r14
  EXPECT_THAT(texts_of(kind_of(EM_S390, true, true), {0xe3, 0x23, 0x40, 0x08, 0x00, 0x04, 0x07, 0xfe}),
              ElementsAre("lg     %r2, 8(%r3, %r4)", "br     %r14"));
}

TEST(Disassembly, ThirtyTwoBitX86) {
  // push %ebp; inc %eax; mov 0x8(%ebp),%eax; rep movsb; call 0x1000
  std::vector<uint8_t> code{0x55, 0x40, 0x8b, 0x45, 0x08, 0xf3, 0xa4, 0xe8, 0xf4, 0xff, 0xff, 0xff};
  EXPECT_THAT(texts_of(kind_of(EM_386, false), code),
              ElementsAre("push   %ebp", "inc    %eax", "mov    0x8(%ebp),%eax",
                          "rep movsb %ds:(%esi),%es:(%edi)", "call   1000"));
}

TEST(Disassembly, DataBetweenFunctions) {
  EXPECT_THAT(texts_of(kind_of(EM_AARCH64, true, false, CodeKind::Content::kData), {1, 2, 3, 4, 5}),
              ElementsAre(".word  0x04030201", ".byte  0x05"));
  EXPECT_THAT(texts_of(kind_of(EM_S390, true, true, CodeKind::Content::kData), {1, 2, 3, 4}),
              ElementsAre(".word  0x01020304"));
}

TEST(Disassembly, CodeOfAnUnknownProcessorIsRefused) {
  EXPECT_THAT(texts_of(kind_of(EM_AVR), {0, 0}),
              ElementsAre(HasSubstr("cannot disassemble machine 83 of elf.h code")));
}

TEST(Disassembly, InstructionsAreAligned) {
  EXPECT_EQ(instruction_alignment(kind_of(EM_X86_64)), 1u);
  EXPECT_EQ(instruction_alignment(kind_of(EM_AARCH64)), 4u);
  EXPECT_EQ(instruction_alignment(kind_of(EM_ARM, false, false, CodeKind::Content::kThumb)), 2u);
}

}  // namespace
}  // namespace hm::symbol
