// SPDX-License-Identifier: MIT
// The operations and vector registers of some instructions, written out, in case Zydis and the rule that maps
// its results (oracle/operations.cc) are both wrong.
#include "pmu/soft/direct/decode/operation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {
namespace {

struct Known {
  std::vector<uint8_t> code;
  Operation operation;
  uint32_t vectors_read = 0, vectors_written = 0;
  bool gives_zero = false;
};

TEST(Operation, OfSomeKnownInstructions) {
  using enum Operation;
  const Known kKnown[] = {
      {{0x48, 0x01, 0xd8}, kSimple},                                      // add rax, rbx
      {{0x48, 0x89, 0xd8}, kMove},                                        // mov rax, rbx
      {{0x48, 0x8b, 0x03}, kMove},                                        // mov rax, [rbx]
      {{0x0f, 0xb6, 0xc3}, kSimple},                                      // movzx eax, bl
      {{0x0f, 0xb6, 0x03}, kMove},                                        // movzx eax, [rbx]
      {{0x50}, kMove},                                                    // push rax
      {{0x31, 0xc0}, kSimple, 0, 0, true},                                // xor eax, eax
      {{0x31, 0xd8}, kSimple},                                            // xor eax, ebx
      {{0x80, 0xf6, 0x01}, kSimple},                                      // xor dh, 1: /6 on register 6
      {{0x48, 0x0f, 0xaf, 0xc3}, kMultiply},                              // imul rax, rbx
      {{0xf7, 0xf3}, kDivide},                                            // div ebx
      {{0x48, 0xf7, 0xfb}, kDivideLong},                                  // idiv rbx
      {{0x0f, 0x1f, 0x00}, kNothing},                                     // nop [rax]
      {{0xf2, 0x0f, 0x58, 0xca}, kFloatAdd, 2 | 4, 2},                    // addsd xmm1, xmm2
      {{0xf2, 0x0f, 0x59, 0x08}, kFloatMultiply, 2, 2},                   // mulsd xmm1, [rax]
      {{0xf2, 0x0f, 0x5e, 0xca}, kFloatDivide, 2 | 4, 2},                 // divsd xmm1, xmm2
      {{0xc5, 0xe9, 0xef, 0xca}, kVectorSimple, 4, 2, true},              // vpxor xmm1, xmm2, xmm2
      {{0xc5, 0xf1, 0x58, 0xda}, kFloatAdd, 2 | 4, 8},                    // vaddpd xmm3, xmm1, xmm2
      {{0xc4, 0xe2, 0xf5, 0xb8, 0xc2}, kFloatFused, 1 | 2 | 4, 1},        // vfmadd231pd ymm0, ymm1, ymm2
      {{0x66, 0x0f, 0xfe, 0xc1}, kVectorSimple, 1 | 2, 1},                // paddd xmm0, xmm1
      {{0x66, 0x0f, 0xd7, 0xc1}, kToGeneral, 2, 0},                       // pmovmskb eax, xmm1
      {{0x66, 0x0f, 0x2e, 0xc1}, kToGeneral, 1 | 2, 0},                   // ucomisd xmm0, xmm1
      {{0x66, 0x48, 0x0f, 0x6e, 0xc8}, kFromGeneral, 0, 2},               // movq xmm1, rax
      {{0xf2, 0x48, 0x0f, 0x2a, 0xc8}, kConvert, 2, 2},                   // cvtsi2sd xmm1, rax
      {{0xf3, 0x0f, 0x6f, 0x08}, kMove, 0, 2},                            // movdqu xmm1, [rax]
      {{0xf3, 0x0f, 0x7f, 0x08}, kMove, 2, 0},                            // movdqu [rax], xmm1
      {{0x62, 0xa1, 0xfd, 0x48, 0x6f, 0xcb}, kMove, 1u << 19, 1u << 17},  // vmovdqa64 zmm17, zmm19
      {{0xd9, 0xfa}, kFloatRoot},                                         // fsqrt
      {{0x0f, 0xa2}, kVerySlow},                                          // cpuid
      {{0x0f, 0x31}, kSlow},                                              // rdtsc
  };
  for (const Known& known : kKnown) {
    Instruction found;
    ASSERT_TRUE(decode(known.code.data(), known.code.size(), 0x1000, found));
    std::string code;
    for (uint8_t byte : known.code) code += std::to_string(byte) + ' ';
    EXPECT_EQ(found.operation, known.operation) << code;
    EXPECT_EQ(found.gives_zero, known.gives_zero) << code;
    EXPECT_EQ(found.vectors_read, known.vectors_read) << code;
    EXPECT_EQ(found.vectors_written, known.vectors_written) << code;
  }
}

}  // namespace
}  // namespace hm::soft::direct
