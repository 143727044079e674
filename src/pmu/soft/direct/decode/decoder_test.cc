// SPDX-License-Identifier: MIT
// Tests some instructions with results that can be looked up in the manual.
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kAddress = 0x401000;
constexpr uint16_t kRax = 1 << 0;
constexpr uint16_t kRcx = 1 << 1;
constexpr uint16_t kRdx = 1 << 2;
constexpr uint16_t kRbx = 1 << 3;
constexpr uint16_t kRsp = 1 << 4;
constexpr uint16_t kRbp = 1 << 5;
constexpr uint16_t kRsi = 1 << 6;
constexpr uint16_t kRdi = 1 << 7;
constexpr uint16_t kR8 = 1 << 8;
constexpr uint16_t kR10 = 1 << 10;
constexpr uint16_t kR11 = 1 << 11;

Instruction decoded(std::initializer_list<uint8_t> bytes) {
  std::vector<uint8_t> code(bytes);
  Instruction instruction;
  EXPECT_TRUE(decode(code.data(), code.size(), kAddress, instruction));
  EXPECT_EQ(instruction.length, code.size());
  return instruction;
}

bool is_decodable(std::initializer_list<uint8_t> bytes) {
  std::vector<uint8_t> code(bytes);
  Instruction instruction;
  return decode(code.data(), code.size(), kAddress, instruction);
}

TEST(Decode, TellsWhereThePartsAre) {
  Instruction it = decoded({0x4c, 0x8b, 0x5c, 0x8a, 0x10});  // mov r11, [rdx + 4 * rcx + 16]
  EXPECT_EQ(it.rex, 0x4c);
  EXPECT_EQ(it.prefix_offset, 0);
  EXPECT_EQ(it.opcode_offset, 1);
  EXPECT_EQ(it.modrm_offset, 2);
  EXPECT_EQ(it.sib_offset, 3);
  EXPECT_EQ(it.displacement_offset, 4);
  EXPECT_EQ(it.displacement_bytes, 1);
  EXPECT_EQ(it.immediate_bytes, 0);
}

TEST(Decode, NamesRegistersByField) {
  Instruction it = decoded({0x4c, 0x8b, 0x5c, 0x8a, 0x10});  // mov r11, [rdx + 4 * rcx + 16]
  EXPECT_EQ(it.field(Field::kReg).number, 11);
  EXPECT_FALSE(it.field(Field::kReg).read);
  EXPECT_TRUE(it.field(Field::kReg).written);
  EXPECT_EQ(it.field(Field::kBase).number, 2);
  EXPECT_EQ(it.field(Field::kIndex).number, 1);
  EXPECT_EQ(it.field(Field::kRm).number, kNoRegister);
  EXPECT_EQ(it.registers_read, kRdx | kRcx);
  EXPECT_EQ(it.registers_written, kR11);
  EXPECT_EQ(it.registers_fixed, 0);
  ASSERT_EQ(it.access_count, 1);
  EXPECT_EQ(it.accesses[0].bytes, 8);
  EXPECT_EQ(it.accesses[0].base, 2);
  EXPECT_EQ(it.accesses[0].index, 1);
  EXPECT_EQ(it.accesses[0].scale, 4);
  EXPECT_EQ(it.accesses[0].displacement, 16);
  EXPECT_TRUE(it.accesses[0].loads);
  EXPECT_FALSE(it.accesses[0].stores);
}

TEST(Decode, APartialWriteReadsAWholeOneDoesNot) {
  EXPECT_EQ(decoded({0xb0, 0x01}).registers_read, kRax);              // mov al, 1
  EXPECT_EQ(decoded({0x66, 0xb8, 0x01, 0x00}).registers_read, kRax);  // mov ax, 1
  EXPECT_EQ(decoded({0xb8, 1, 0, 0, 0}).registers_read, 0);           // mov eax, 1
}

TEST(Decode, AConditionalWriteReads) {
  EXPECT_EQ(decoded({0x0f, 0x44, 0xc1}).registers_read, kRax | kRcx);       // cmove eax, ecx
  EXPECT_EQ(decoded({0x0f, 0xbc, 0xc1}).registers_read, kRax | kRcx);       // bsf eax, ecx
  EXPECT_EQ(decoded({0xf3, 0x48, 0x0f, 0x1e, 0xc8}).registers_read, kRax);  // rdsspq rax
}

TEST(Decode, HighBytesBelongToTheFirstFour) {
  Instruction it = decoded({0x88, 0xe6});  // mov dh, ah
  EXPECT_TRUE(it.names_high_byte);
  EXPECT_EQ(it.registers_read, kRax | kRdx);
  EXPECT_EQ(it.registers_written, kRdx);
  EXPECT_FALSE(decoded({0x40, 0x88, 0xe6}).names_high_byte);  // mov sil, spl
  EXPECT_EQ(decoded({0x40, 0x88, 0xe6}).registers_written, kRsi);
}

TEST(Decode, FollowsBranches) {
  Instruction jump = decoded({0x74, 0xfe});  // je to itself
  EXPECT_EQ(jump.flow, Flow::kConditionalJump);
  EXPECT_EQ(jump.condition, 4);
  EXPECT_EQ(jump.target, kAddress);
  EXPECT_EQ(jump.flags_read, kZeroFlag);
  Instruction call = decoded({0xe8, 0x00, 0x10, 0x00, 0x00});
  EXPECT_EQ(call.flow, Flow::kCall);
  EXPECT_EQ(call.target, kAddress + 5 + 0x1000);
  ASSERT_EQ(call.access_count, 1);
  EXPECT_EQ(call.accesses[0].kind, AccessKind::kPush);
  EXPECT_EQ(call.accesses[0].displacement, -8);
  EXPECT_EQ(decoded({0xff, 0xe0}).flow, Flow::kIndirectJump);
  EXPECT_EQ(decoded({0xff, 0xd0}).flow, Flow::kIndirectCall);
  EXPECT_EQ(decoded({0xc3}).flow, Flow::kReturn);
  EXPECT_EQ(decoded({0xc2, 0x10, 0x00}).immediate, 16);
  EXPECT_EQ(decoded({0xe3, 0x00}).flow, Flow::kCountedJump);  // jrcxz
  EXPECT_EQ(decoded({0x0f, 0x05}).flow, Flow::kSystemCall);
  EXPECT_EQ(decoded({0x0f, 0x0b}).flow, Flow::kTrap);   // ud2
  EXPECT_EQ(decoded({0xf4}).flow, Flow::kTrap);         // hlt
  EXPECT_EQ(decoded({0x48, 0xcf}).flow, Flow::kOther);  // iretq
}

TEST(Decode, ShiftsThatMayBeByNothingWriteNoFlagSurely) {
  EXPECT_EQ(decoded({0xc1, 0xe0, 0x03}).flags_written, kStatusFlags);        // shl eax, 3
  EXPECT_EQ(decoded({0xc1, 0xe0, 0x20}).flags_written, 0);                   // shl eax, 32
  EXPECT_EQ(decoded({0x48, 0xc1, 0xe0, 0x20}).flags_written, kStatusFlags);  // shl rax, 32
  EXPECT_EQ(decoded({0xd3, 0xe0}).flags_written, 0);                         // shl eax, cl
  EXPECT_EQ(decoded({0xd3, 0xe0}).registers_fixed, kRcx);
  EXPECT_EQ(decoded({0xc0, 0xe9, 0x07}).flags_written, kStatusFlags);  // shr cl, 7
}

TEST(Decode, StringInstructionsRepeat) {
  Instruction movs = decoded({0xf3, 0x48, 0xa5});  // rep movsq
  EXPECT_EQ(movs.string_operation, StringOperation::kMovs);
  EXPECT_EQ(movs.repeat, Repeat::kRep);
  EXPECT_EQ(movs.registers_read, kRcx | kRsi | kRdi);
  EXPECT_EQ(movs.registers_written, kRcx | kRsi | kRdi);
  EXPECT_EQ(movs.flags_read, kDirectionFlag);
  ASSERT_EQ(movs.access_count, 2);
  EXPECT_EQ(movs.accesses[0].kind, AccessKind::kStringSource);
  EXPECT_EQ(movs.accesses[1].kind, AccessKind::kStringDestination);
  EXPECT_EQ(movs.accesses[1].bytes, 8);
  Instruction scas = decoded({0xf2, 0xae});  // repne scasb
  EXPECT_EQ(scas.repeat, Repeat::kRepne);
  EXPECT_EQ(scas.flags_written, 0);
  EXPECT_EQ(decoded({0xae}).flags_written, kStatusFlags);
}

TEST(Decode, AddressesMemory) {
  Instruction rip = decoded({0x48, 0x8b, 0x05, 0x00, 0x01, 0x00, 0x00});  // mov rax, [rip + 256]
  EXPECT_TRUE(rip.accesses[0].rip_relative);
  EXPECT_EQ(rip.accesses[0].displacement, static_cast<int64_t>(kAddress + 7 + 256));
  Instruction fs = decoded({0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00});  // mov rax, fs:[40]
  EXPECT_EQ(fs.accesses[0].segment, Segment::kFs);
  EXPECT_EQ(fs.accesses[0].base, kNoRegister);
  EXPECT_EQ(fs.accesses[0].displacement, 40);
  Instruction absolute = decoded({0xa1, 8, 7, 6, 5, 4, 3, 2, 1});  // mov eax, [0x102030405060708]
  EXPECT_EQ(absolute.accesses[0].kind, AccessKind::kAbsolute);
  EXPECT_EQ(absolute.accesses[0].displacement, 0x102030405060708);
  Instruction pop = decoded({0x8f, 0x44, 0x24, 0x08});  // pop [rsp + 8], of the raised rsp
  ASSERT_EQ(pop.access_count, 2);
  EXPECT_EQ(pop.accesses[0].kind, AccessKind::kPop);
  EXPECT_EQ(pop.accesses[1].displacement, 16);
  EXPECT_EQ(decoded({0x0f, 0xa3, 0x01}).accesses[0].kind, AccessKind::kBitString);  // bt [rcx], eax
  EXPECT_EQ(decoded({0xc9}).registers_written, kRsp | kRbp);                        // leave
}

TEST(Decode, WhatOnlyNamesAnAddressTouchesNothing) {
  Instruction lea = decoded({0x48, 0x8d, 0x04, 0x0a});  // lea rax, [rdx + rcx]
  EXPECT_EQ(lea.access_count, 0);
  EXPECT_EQ(lea.registers_read, kRdx | kRcx);
  EXPECT_EQ(decoded({0x0f, 0x1f, 0x00}).access_count, 0);        // nop [rax]
  EXPECT_EQ(decoded({0x66, 0x0f, 0xae, 0x30}).access_count, 0);  // clwb [rax]
  EXPECT_EQ(decoded({0xf3, 0x0f, 0x1e, 0xfa}).access_count, 0);  // endbr64
}

// The instruction names the line at r8 + 4 * rdx + 64, and neither loads nor stores.
void expect_line(const Instruction& instruction, AccessKind kind) {
  ASSERT_EQ(instruction.access_count, 1);
  const Access& access = instruction.accesses[0];
  EXPECT_EQ(access.kind, kind);
  EXPECT_EQ(access.base, 8);
  EXPECT_EQ(access.index, 2);
  EXPECT_EQ(access.scale, 4);
  EXPECT_EQ(access.displacement, 64);
  EXPECT_EQ(access.bytes, 1);
  EXPECT_FALSE(access.loads);
  EXPECT_FALSE(access.stores);
  EXPECT_EQ(instruction.registers_read, kR8 | kRdx);
}

TEST(Decode, APrefetchNeitherLoadsNorStores) {
  Instruction prefetch = decoded({0x41, 0x0f, 0x18, 0x4c, 0x90, 0x40});  // prefetcht0 [r8 + 4 * rdx + 64]
  expect_line(prefetch, AccessKind::kPrefetch);
  EXPECT_EQ(decoded({0x0f, 0x0d, 0x08}).accesses[0].kind, AccessKind::kPrefetch);  // prefetchw [rax]
  EXPECT_EQ(decoded({0x0f, 0x18, 0x20}).access_count, 0);                          // nop [rax]
}

TEST(Decode, AFlushNeitherLoadsNorStores) {
  Instruction flush = decoded({0x41, 0x0f, 0xae, 0x7c, 0x90, 0x40});  // clflush [r8 + 4 * rdx + 64]
  expect_line(flush, AccessKind::kFlush);
  Instruction optimized = decoded({0x64, 0x66, 0x0f, 0xae, 0x38});  // clflushopt fs:[rax]
  ASSERT_EQ(optimized.access_count, 1);
  EXPECT_EQ(optimized.accesses[0].kind, AccessKind::kFlush);
  EXPECT_EQ(optimized.accesses[0].segment, Segment::kFs);
  EXPECT_EQ(decoded({0x0f, 0xae, 0xf8}).access_count, 0);  // sfence
}

TEST(Decode, LocksAreToldWithAndWithoutPrefix) {
  Instruction exchange = decoded({0xf0, 0x4d, 0x0f, 0xb1, 0x13});  // lock cmpxchg [r11], r10
  EXPECT_TRUE(exchange.accesses[0].locked);
  EXPECT_EQ(exchange.registers_read, kR10 | kR11 | kRax);
  EXPECT_EQ(exchange.registers_fixed, kRax);
  EXPECT_TRUE(decoded({0x87, 0x03}).accesses[0].locked);  // xchg [rbx], eax
  EXPECT_FALSE(is_decodable({0xf0, 0x03, 0x03}));         // lock add eax, [rbx]
}

TEST(Decode, VexAndEvex) {
  Instruction andn = decoded({0xc4, 0xe2, 0xe0, 0xf2, 0xc1});  // andn rax, rbx, rcx
  EXPECT_EQ(andn.field(Field::kVvvv).number, 3);
  EXPECT_EQ(andn.registers_read, kRbx | kRcx);
  EXPECT_EQ(andn.registers_written, kRax);
  Instruction load = decoded({0x62, 0xf1, 0x7c, 0x48, 0x10, 0x40, 0x01});  // vmovups zmm0, [rax + 64]
  EXPECT_EQ(load.accesses[0].displacement, 64);
  EXPECT_EQ(load.accesses[0].bytes, 64);
  Instruction broadcast =
      decoded({0x62, 0xf1, 0x7c, 0x58, 0x58, 0x40, 0x01});  // vaddps zmm0, zmm0, [rax+4]{1to16}
  EXPECT_TRUE(broadcast.accesses[0].broadcast);
  EXPECT_EQ(broadcast.accesses[0].bytes, 4);
  EXPECT_EQ(broadcast.accesses[0].displacement, 4);
  Instruction gather =
      decoded({0x62, 0xf2, 0xfd, 0x49, 0x92, 0x04, 0xca});  // vgatherdpd zmm0{k1}, [rdx + 8*ymm1]
  EXPECT_EQ(gather.accesses[0].kind, AccessKind::kGather);
  EXPECT_EQ(gather.accesses[0].count, 8);
  EXPECT_EQ(gather.accesses[0].bytes, 8);
  EXPECT_EQ(gather.accesses[0].index, 1);
  EXPECT_EQ(gather.accesses[0].index_bytes, 4);
  EXPECT_TRUE(gather.accesses[0].masked);
  EXPECT_EQ(gather.registers_read, kRdx);
}

TEST(Decode, WhatIsNotSupportedIsRefused) {
  EXPECT_FALSE(is_decodable({}));
  EXPECT_FALSE(is_decodable({0x48}));
  EXPECT_FALSE(is_decodable({0xe8, 0x00, 0x00}));
  EXPECT_FALSE(is_decodable({0x06}));                                // push es
  EXPECT_FALSE(is_decodable({0x0f, 0x0f, 0xc1, 0x9e}));              // pfadd: 3DNow!
  EXPECT_FALSE(is_decodable({0x8f, 0xe8, 0x78, 0xc2, 0xc1, 0x01}));  // vprotd: XOP
  EXPECT_FALSE(is_decodable({0xc8, 0x10, 0x00, 0x01}));              // enter 16, 1
  EXPECT_TRUE(is_decodable({0xc8, 0x10, 0x00, 0x00}));               // enter 16, 0
}

}  // namespace
}  // namespace hm::soft::direct
