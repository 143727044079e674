// SPDX-License-Identifier: MIT
// Call frame information written by hand, read from this test program itself.
#include "symbol/unwind/frame_rules.h"

#include <dwarf.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "symbol/files/elf_symbols.h"

// Each instruction is one byte long, so row N of a function begins at its byte N.
__asm__(R"(
  .pushsection .text
  .type hm_frame_rows, @function
hm_frame_rows:
  .cfi_startproc
  nop
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  nop
  .cfi_def_cfa_register %rbp
  nop
  .cfi_remember_state
  .cfi_restore %rbp
  .cfi_def_cfa %rsp, 8
  nop
  .cfi_restore_state
  nop
  .cfi_undefined %rip
  nop
  .cfi_endproc
  .size hm_frame_rows, . - hm_frame_rows
  .type hm_frame_signal, @function
hm_frame_signal:
  .cfi_startproc
  .cfi_signal_frame
  .cfi_escape 0x0f, 3, 0x77, 8, 0x06   # DW_CFA_def_cfa_expression: DW_OP_breg7 8, DW_OP_deref
  .cfi_escape 0x10, 0, 2, 0x77, 16     # DW_CFA_expression of rax: DW_OP_breg7 16
  .cfi_escape 0x16, 1, 2, 0x77, 24     # DW_CFA_val_expression of rdx: DW_OP_breg7 24
  .cfi_register %rbx, %rcx
  nop
  .cfi_endproc
  .size hm_frame_signal, . - hm_frame_signal
  .type hm_frame_none, @function
hm_frame_none:
  nop
  .size hm_frame_none, . - hm_frame_none
  .popsection
)");

namespace hm::symbol {
namespace {

using Kind = ValueRule::Kind;

class FrameRulesTest : public ::testing::Test {
 protected:
  // Returns the rule of byte `row` of a function above.
  const FrameRule* rule(std::string_view function, uint64_t row) {
    std::optional<Symbol> symbol = symbols_.find_name(function);
    EXPECT_TRUE(symbol);
    return symbol ? rules_.at(symbol->start + row) : nullptr;
  }

  static std::optional<ValueRule> of_register(const FrameRule& rule, uint8_t number) {
    auto found = std::ranges::find(rule.caller, number, &FrameRule::Register::number);
    return found == rule.caller.end() ? std::nullopt : std::optional(found->value);
  }

  Result<ElfModule> module_ = ElfModule::open("/proc/self/exe");
  FrameRules rules_{*module_};
  SymbolTable symbols_ = read_elf_symbols(*module_, FrameExtents(*module_));
};

constexpr ValueRule kReturnAddress{.kind = Kind::kMemory, .offset_bytes = -8};

ValueRule register_plus(uint8_t number, int64_t offset) {
  return {.kind = Kind::kRegister, .number = number, .offset_bytes = offset};
}

TEST_F(FrameRulesTest, EachRowOfAFunction) {
  // Downwards and upwards: a cached row must not be used for other addresses.
  for (uint64_t row : {5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5}) {
    const FrameRule* found = rule("hm_frame_rows", row);
    ASSERT_NE(found, nullptr) << row;
    bool at_stack_pointer = row <= 1 || row == 3;
    EXPECT_EQ(found->cfa, at_stack_pointer ? register_plus(PERF_REG_X86_SP, row == 1 ? 16 : 8)
                                           : register_plus(PERF_REG_X86_BP, 16))
        << row;
    bool saved = row != 0 && row != 3;
    EXPECT_EQ(
        of_register(*found, PERF_REG_X86_BP),
        saved ? ValueRule({.kind = Kind::kMemory, .offset_bytes = -16}) : register_plus(PERF_REG_X86_BP, 0))
        << row;
    EXPECT_EQ(of_register(*found, PERF_REG_X86_IP), row < 5 ? std::optional(kReturnAddress) : std::nullopt)
        << row;
    EXPECT_EQ(of_register(*found, PERF_REG_X86_SP), ValueRule{.kind = Kind::kFrame}) << row;
    EXPECT_EQ(of_register(*found, PERF_REG_X86_R12), register_plus(PERF_REG_X86_R12, 0)) << row;
    EXPECT_EQ(of_register(*found, PERF_REG_X86_AX), std::nullopt) << row;
    EXPECT_FALSE(found->interrupted);
  }
}

TEST_F(FrameRulesTest, ExpressionsAndRegistersOfASignalsFrame) {
  const FrameRule* found = rule("hm_frame_signal", 0);
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->interrupted);
  ASSERT_EQ(found->cfa.kind, Kind::kExpression);
  const std::vector<FrameOperation>& cfa = found->expressions[found->cfa.expression];
  ASSERT_EQ(cfa.size(), 2u);
  EXPECT_EQ(cfa[0].atom, DW_OP_breg7);
  EXPECT_EQ(cfa[0].number, 8u);
  EXPECT_EQ(cfa[1].atom, DW_OP_deref);
  EXPECT_EQ(of_register(*found, PERF_REG_X86_AX)->kind, Kind::kMemoryAtExpression);
  EXPECT_EQ(of_register(*found, PERF_REG_X86_DX)->kind, Kind::kExpression);
  EXPECT_EQ(of_register(*found, PERF_REG_X86_BX), register_plus(PERF_REG_X86_CX, 0));
}

TEST_F(FrameRulesTest, NothingWhereNothingIsSaid) {
  EXPECT_EQ(rule("hm_frame_none", 0), nullptr);
  EXPECT_EQ(rules_.at(0), nullptr);
  EXPECT_EQ(rules_.at(~uint64_t{0}), nullptr);
}

TEST_F(FrameRulesTest, RulesStay) {
  const FrameRule* found = rule("hm_frame_rows", 1);
  (void)rule("hm_frame_rows", 0);
  EXPECT_EQ(rule("hm_frame_rows", 1), found);
}

}  // namespace
}  // namespace hm::symbol
