// SPDX-License-Identifier: GPL-2.0-or-later
// Decodes every instruction that HostCode writes with Zydis.
#include "host_code.h"

#include <Zydis/Zydis.h>
#include <gtest/gtest.h>

#include <string>

namespace hm::soft::vg {
namespace {

class HostCodeTest : public testing::Test {
 protected:
  // Returns the disassembly of the code written since the last call, "; " between instructions.
  std::string text() {
    std::string all;
    while (read_ < code_.size()) {
      ZydisDisassembledInstruction instruction;
      auto status = ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LONG_64, 0x1000 + read_, bytes_ + read_,
                                          code_.size() - read_, &instruction);
      if (!ZYAN_SUCCESS(status)) return all + "undecodable";
      all += (all.empty() ? "" : "; ") + std::string(instruction.text);
      read_ += instruction.info.length;
    }
    return all;
  }

  uint8_t bytes_[256] = {};
  HostCode code_{bytes_};

 private:
  uint32_t read_ = 0;
};

TEST_F(HostCodeTest, Registers) {
  code_.move(Reg::kCx, Reg::kDi);
  code_.move32(Reg::kAx, Reg::kDi);
  code_.move32(Reg::kDx, 0x1234);
  code_.move(Reg::kCx, 0xffffffff);
  code_.move(Reg::kCx, 0x123456789a);
  EXPECT_EQ(text(),
            "mov rcx, rdi; mov eax, edi; mov edx, 0x1234; mov ecx, 0xFFFFFFFF; mov rcx, 0x123456789A");
  code_.shift_right32(Reg::kAx, 5);
  code_.shift_left32(Reg::kAx, 4);
  code_.and_eax(0x1ffe);
  code_.test32(Reg::kAx);
  EXPECT_EQ(text(), "shr eax, 0x05; shl eax, 0x04; and eax, 0x1FFE; test eax, eax");
  code_.compare(Reg::kCx, 56);
  code_.compare(Reg::kCx, 127);
  code_.compare(Reg::kCx, 128);
  EXPECT_EQ(text(), "cmp rcx, 0x38; cmp rcx, 0x7F; cmp rcx, 0x80");
}

TEST_F(HostCodeTest, Memory) {
  code_.load(Reg::kDx, Reg::kBp, 0x3b0);
  code_.add(Reg::kDx, Reg::kBp, 0x3b0);
  code_.load32(Reg::kAx, Reg::kCx, 24);
  code_.load32(Reg::kAx, Reg::kCx, 280);
  code_.store(Reg::kCx, 8, Reg::kDx);
  code_.store(Reg::kAx, 0x58000000, Reg::kDi);
  EXPECT_EQ(text(),
            "mov rdx, [rbp+0x3B0]; add rdx, [rbp+0x3B0]; mov eax, [rcx+0x18]; mov eax, [rcx+0x118]; "
            "mov [rcx+0x08], rdx; mov [rax+0x58000000], rdi");
  code_.add_to(Reg::kBp, 0x3b0, 6);
  code_.add_to(Reg::kBp, 0x3b8, 0x1000002);
  EXPECT_EQ(text(), "add qword ptr [rbp+0x3B0], 0x06; add qword ptr [rbp+0x3B8], 0x1000002");
  code_.load_eax(0x58001000);
  code_.increment(0x58001000);
  EXPECT_EQ(text(), "mov eax, [0x0000000058001000]; inc [0x0000000058001000]");
  EXPECT_EQ(bytes_[code_.size() - 8], 0x48) << "64 bits wide";
  code_.load_half_by_rax(0x58001000);
  code_.subtract_by_rax(Reg::kCx, 0x58002000);
  code_.store_by_rax(0x58003000, Reg::kDx);
  EXPECT_EQ(text(),
            "movzx eax, word ptr [rax+0x58001000]; sub rcx, [rax+0x58002000]; mov [rax+0x58003000], rdx");
}

TEST_F(HostCodeTest, Jumps) {
  uint8_t* over = code_.jump_short_if(Condition::kBelowOrEqual);
  code_.move32(Reg::kAx, 1);
  uint8_t* to_end = code_.jump_short();
  code_.land(over);
  code_.move32(Reg::kAx, 2);
  code_.land(to_end);
  EXPECT_EQ(text(), "jbe 0x0000000000001009; mov eax, 0x01; jmp 0x000000000000100E; mov eax, 0x02");
  code_.jump_if(opposite(Condition::kBelowOrEqual));
  HostCode::write_displacement(bytes_ + code_.size(), 0x40);
  EXPECT_EQ(text(), "jnbe 0x0000000000001054");
  code_.jump_to(0);
  EXPECT_EQ(text(), "jmp 0x0000000000001000");
}

void somewhere() {}

TEST_F(HostCodeTest, Calls) {
  code_.call(somewhere);
  std::string calls = text();
  EXPECT_EQ(calls.substr(0, 9), "mov r11d,");
  EXPECT_EQ(calls.substr(calls.size() - 8), "call r11");
}

}  // namespace
}  // namespace hm::soft::vg
