// SPDX-License-Identifier: MIT
#include "symbol/code/code_sketch.h"

#include <gtest/gtest.h>

#include <vector>

namespace hm::symbol {
namespace {

// Returns code with one of eight instructions for each digit; `constant` represents values that change
// between builds.
std::vector<std::byte> code_of(std::string_view digits, uint8_t constant = 1) {
  std::vector<std::byte> code;
  auto put = [&](std::initializer_list<int> bytes) {
    for (int each : bytes) code.push_back(static_cast<std::byte>(each));
  };
  for (char digit : digits) {
    switch (digit) {
      case '0':
        put({0x48, 0x83, 0xc0, constant});  // add rax, constant
        break;
      case '1':
        put({0x48, 0x8b, 0x47, constant});  // mov rax, [rdi + constant]
        break;
      case '2':
        put({0x48, 0x29, 0xd8});  // sub rax, rbx
        break;
      case '3':
        put({0x48, 0x0f, 0xaf, 0xc1});  // imul rax, rcx
        break;
      case '4':
        put({0x75, constant});  // jne
        break;
      case '5':
        put({0x48, 0x31, 0xc0});  // xor rax, rax
        break;
      case '6':
        put({0x88, 0x47, constant});  // mov [rdi + constant], al
        break;
      default:
        put({0xc3});  // ret
    }
  }
  return code;
}

constexpr std::string_view kSketched = "0123456012301645213450612340516243510264315026437";

TEST(CodeSketch, IsTheSameForOtherConstantsAndPadding) {
  CodeSketch sketch = sketch_of(code_of(kSketched));
  EXPECT_EQ(sketch.instructions, kSketched.size());
  EXPECT_EQ(sketch_of(code_of(kSketched, 0x40)), sketch);
  std::vector<std::byte> padded = code_of(kSketched);
  padded.insert(padded.end(), 5, std::byte{0x90});
  EXPECT_EQ(sketch_of(padded), sketch);
  EXPECT_DOUBLE_EQ(similarity(sketch, sketch), 1);
}

TEST(CodeSketch, AnEditedFunctionIsAlikeAndAnotherIsNot) {
  CodeSketch sketch = sketch_of(code_of(kSketched));
  std::string edited(kSketched);
  edited.insert(20, "65");
  EXPECT_GT(similarity(sketch, sketch_of(code_of(edited))), 0.7);
  EXPECT_LT(similarity(sketch, sketch_of(code_of("6543210665544332211006420531642053166554433221107"))), 0.3);
}

TEST(CodeSketch, IsKeptAsText) {
  CodeSketch sketch = sketch_of(code_of(kSketched));
  std::string text = to_hex(sketch);
  EXPECT_EQ(sketch_from_hex(text, sketch.instructions), sketch);
  EXPECT_EQ(sketch_from_hex(text + "0", 1), std::nullopt);
  EXPECT_EQ(sketch_from_hex("", 1), std::nullopt);
  text.back() = 'g';
  EXPECT_EQ(sketch_from_hex(text, 1), std::nullopt);
}

TEST(CodeSketch, TooLittleCodeIsLikeNothing) {
  EXPECT_EQ(sketch_of({}).instructions, 0u);
  CodeSketch tiny = sketch_of(code_of("07"));
  EXPECT_EQ(tiny.instructions, 2u);
  EXPECT_EQ(similarity(tiny, tiny), 0);
}

}  // namespace
}  // namespace hm::symbol
