// SPDX-License-Identifier: MIT
#include "symbol/unwind/frame_expression.h"

#include <dwarf.h>
#include <gtest/gtest.h>

#include <vector>

namespace hm::symbol {
namespace {

using Operations = std::vector<FrameOperation>;

FrameOperation op(uint8_t atom, uint64_t number = 0, uint64_t number2 = 0) {
  return {.atom = atom, .number = number, .number2 = number2};
}

constexpr uint64_t kStackAddress = 0x7000;

class FrameExpression : public ::testing::Test {
 protected:
  std::optional<uint64_t> value(const Operations& operations, std::optional<uint64_t> cfa = std::nullopt) {
    StackCopy stack(kStackAddress, std::as_bytes(std::span(words_)));
    return evaluate(operations, {registers_, stack, cfa});
  }
  std::optional<uint64_t> binary(uint8_t atom, uint64_t left, uint64_t right) {
    return value({op(DW_OP_constu, left), op(DW_OP_constu, right), op(atom)});
  }

  RegisterValues registers_;
  std::vector<uint64_t> words_{0x1111, 0x2222, 0xaabbccdd00112233};
};

// GNU ld's expression for a procedure linkage table: the CFA is 8 higher after the stub has pushed a word.
TEST_F(FrameExpression, OfAProcedureLinkageTable) {
  Operations plt{op(DW_OP_breg7, 8), op(DW_OP_breg16, 0), op(DW_OP_lit15), op(DW_OP_and), op(DW_OP_lit11),
                 op(DW_OP_ge),       op(DW_OP_lit3),      op(DW_OP_shl),   op(DW_OP_plus)};
  registers_.set(PERF_REG_X86_SP, kStackAddress);
  registers_.set(PERF_REG_X86_IP, 0x401020);
  EXPECT_EQ(value(plt), kStackAddress + 8);
  registers_.set(PERF_REG_X86_IP, 0x40102b);
  EXPECT_EQ(value(plt), kStackAddress + 16);
}

TEST_F(FrameExpression, ReadsTheStackOnly) {
  registers_.set(PERF_REG_X86_BP, kStackAddress);
  EXPECT_EQ(value({op(DW_OP_breg6, 8), op(DW_OP_deref)}), 0x2222u);
  EXPECT_EQ(value({op(DW_OP_bregx, 6, 16), op(DW_OP_deref_size, 2)}), 0x2233u);
  EXPECT_EQ(value({op(DW_OP_breg6, 17), op(DW_OP_deref)}), std::nullopt);
  EXPECT_EQ(value({op(DW_OP_breg6, static_cast<uint64_t>(-1)), op(DW_OP_deref)}), std::nullopt);
  EXPECT_EQ(value({op(DW_OP_lit0), op(DW_OP_deref)}), std::nullopt);
  EXPECT_EQ(value({op(DW_OP_breg6, 0), op(DW_OP_deref_size, 9)}), std::nullopt);
}

TEST_F(FrameExpression, Computes) {
  auto minus = [](int64_t value) { return static_cast<uint64_t>(-value); };
  EXPECT_EQ(binary(DW_OP_minus, 3, 5), minus(2));
  EXPECT_EQ(binary(DW_OP_mul, 3, 5), 15u);
  EXPECT_EQ(binary(DW_OP_or, 6, 1), 7u);
  EXPECT_EQ(binary(DW_OP_xor, 6, 3), 5u);
  EXPECT_EQ(binary(DW_OP_shl, 1, 64), 0u);
  EXPECT_EQ(binary(DW_OP_shr, minus(1), 63), 1u);
  EXPECT_EQ(binary(DW_OP_shra, minus(8), 1), minus(4));
  EXPECT_EQ(binary(DW_OP_shra, minus(8), 200), minus(1));
  EXPECT_EQ(binary(DW_OP_lt, minus(1), 0), 1u) << "comparisons are of signed numbers";
  EXPECT_EQ(binary(DW_OP_le, 1, 0), 0u);
  EXPECT_EQ(binary(DW_OP_gt, 1, 0), 1u);
  EXPECT_EQ(binary(DW_OP_eq, 1, 0), 0u);
  EXPECT_EQ(binary(DW_OP_ne, 1, 0), 1u);
  EXPECT_EQ(value({op(DW_OP_lit4), op(DW_OP_neg), op(DW_OP_not)}), 3u);
}

TEST_F(FrameExpression, MovesValues) {
  EXPECT_EQ(value({op(DW_OP_lit9), op(DW_OP_dup), op(DW_OP_plus), op(DW_OP_nop)}), 18u);
  EXPECT_EQ(value({op(DW_OP_lit9), op(DW_OP_lit1), op(DW_OP_swap), op(DW_OP_minus)}),
            static_cast<uint64_t>(-8));
  EXPECT_EQ(value({op(DW_OP_lit9), op(DW_OP_lit1), op(DW_OP_over)}), 9u);
  EXPECT_EQ(value({op(DW_OP_lit9), op(DW_OP_lit1), op(DW_OP_drop)}), 9u);
  EXPECT_EQ(value({op(DW_OP_lit9), op(DW_OP_lit1), op(DW_OP_pick, 1)}), 9u);
  EXPECT_EQ(value({op(DW_OP_call_frame_cfa), op(DW_OP_plus_uconst, 8)}, 0x100), 0x108u);
}

TEST_F(FrameExpression, FailsWhereSomethingIsNotKnown) {
  EXPECT_EQ(value({}), std::nullopt);
  EXPECT_EQ(value({op(DW_OP_plus)}), std::nullopt) << "nothing to add";
  EXPECT_EQ(value({op(DW_OP_breg3, 0)}), std::nullopt) << "a register that is not known";
  EXPECT_EQ(value({op(DW_OP_breg31, 0)}), std::nullopt) << "a register that there is not";
  EXPECT_EQ(value({op(DW_OP_bregx, ~uint64_t{0}, 0)}), std::nullopt);
  EXPECT_EQ(value({op(DW_OP_call_frame_cfa)}), std::nullopt);
  EXPECT_EQ(value({op(DW_OP_lit1), op(DW_OP_pick, 1)}), std::nullopt);
  EXPECT_EQ(value({op(DW_OP_lit1), op(DW_OP_bra, 0)}), std::nullopt) << "a jump";
  EXPECT_EQ(value(Operations(100, op(DW_OP_lit1))), std::nullopt) << "too deep";
}

}  // namespace
}  // namespace hm::symbol
