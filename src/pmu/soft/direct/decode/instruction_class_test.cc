// SPDX-License-Identifier: MIT
// The classes of some instructions, written out, in case Zydis and the rule that maps its results to classes
// (oracle/classes.cc) are both wrong.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {
namespace {

TEST(InstructionClass, OfSomeKnownInstructions) {
  struct Known {
    std::vector<uint8_t> code;
    BranchKind branch;
    SimdClass simd;
  };
  const Known kKnown[] = {
      {{0x0f, 0x58, 0xc1}, BranchKind::kNone, SimdClass::kPackedSp},                    // addps
      {{0xf2, 0x0f, 0x59, 0xc1}, BranchKind::kNone, SimdClass::kScalarDp},              // mulsd
      {{0xc4, 0xe2, 0xf5, 0xb8, 0xc2}, BranchKind::kNone, SimdClass::kPackedDp},        // vfmadd231pd
      {{0x0f, 0xfe, 0xc1}, BranchKind::kNone, SimdClass::kMmx64},                       // paddd mm
      {{0x66, 0x0f, 0xfe, 0xc1}, BranchKind::kNone, SimdClass::kSimd128},               // paddd xmm
      {{0xd9, 0xfa}, BranchKind::kNone, SimdClass::kX87},                               // fsqrt
      {{0xdb, 0xe3}, BranchKind::kNone, SimdClass::kNone},                              // fninit
      {{0xf3, 0x0f, 0x6f, 0x00}, BranchKind::kNone, SimdClass::kMove},                  // movdqu
      {{0x62, 0xf1, 0x74, 0x48, 0x58, 0xc2}, BranchKind::kNone, SimdClass::kPackedSp},  // vaddps zmm
      {{0x62, 0xf1, 0xf5, 0x49, 0x59, 0x00}, BranchKind::kNone, SimdClass::kPackedDp},  // vmulpd zmm{k1}, mem
      {{0x62, 0xf1, 0x76, 0x18, 0x58, 0xc2}, BranchKind::kNone, SimdClass::kScalarSp},  // vaddss {rn-sae}
      {{0x62, 0xf2, 0x75, 0x48, 0x2c, 0xc2}, BranchKind::kNone, SimdClass::kPackedSp},  // vscalefps: not VEX'
      {{0x62, 0xf1, 0x75, 0x48, 0xfe, 0xc2}, BranchKind::kNone, SimdClass::kSimd128},   // vpaddd zmm
      {{0x62, 0xf1, 0x7f, 0xc9, 0x6f, 0x00}, BranchKind::kNone, SimdClass::kMove},      // vmovdqu8 {k1}{z}
      {{0x74, 0x00}, BranchKind::kConditional, SimdClass::kNone},                       // je
      {{0x0f, 0x85, 0, 0, 0, 0}, BranchKind::kConditional, SimdClass::kNone},           // jne
      {{0xe3, 0x00}, BranchKind::kConditional, SimdClass::kNone},                       // jrcxz
      {{0xeb, 0x00}, BranchKind::kJump, SimdClass::kNone},                              // jmp
      {{0x3e, 0xff, 0xe0}, BranchKind::kIndirectJump, SimdClass::kNone},                // notrack jmp *%rax
      {{0xe8, 0, 0, 0, 0}, BranchKind::kCall, SimdClass::kNone},                        // call
      {{0x41, 0xff, 0xd4}, BranchKind::kIndirectCall, SimdClass::kNone},                // call *%r12
      {{0xf3, 0xc3}, BranchKind::kReturn, SimdClass::kNone},                            // repz ret
      {{0xc2, 8, 0}, BranchKind::kReturn, SimdClass::kNone},                            // ret $8
      {{0x0f, 0x05}, BranchKind::kNone, SimdClass::kNone},                              // syscall
      {{0xc6, 0xf8, 0x08}, BranchKind::kNone, SimdClass::kNone},                        // xabort
  };
  for (const Known& known : kKnown) {
    Instruction found;
    ASSERT_TRUE(decode(known.code.data(), known.code.size(), 0x1000, found));
    EXPECT_EQ(found.kind.branch, known.branch);
    EXPECT_EQ(found.kind.simd, known.simd);
  }
}

TEST(InstructionClass, OnlyMovesLoadWithoutAFurtherUop) {
  const auto only_moves = [](std::initializer_list<uint8_t> code) {
    Instruction found;
    EXPECT_TRUE(decode(code.begin(), code.size(), 0x1000, found));
    return found.kind.only_moves;
  };
  EXPECT_TRUE(only_moves({0x48, 0x8b, 0x06}));        // mov rax, [rsi]
  EXPECT_TRUE(only_moves({0x0f, 0xb6, 0x06}));        // movzx eax, byte [rsi]
  EXPECT_TRUE(only_moves({0x58}));                    // pop rax
  EXPECT_TRUE(only_moves({0xf3, 0x0f, 0x6f, 0x06}));  // movdqu xmm0, [rsi]
  EXPECT_FALSE(only_moves({0x8f, 0x06}));             // pop [rsi]
  EXPECT_FALSE(only_moves({0x48, 0x03, 0x06}));       // add rax, [rsi]
  EXPECT_FALSE(only_moves({0x8e, 0x06}));             // mov es, [rsi]
}

}  // namespace
}  // namespace hm::soft::direct
