// SPDX-License-Identifier: MIT
#include "symbol/code/data_access.h"

#include <asm/perf_regs.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "symbol/code/decoder.h"

namespace hm::symbol {
namespace {

// Register values after each instruction: register n holds 2^32 + 2^16 * (n + 1).
constexpr uint64_t after(unsigned number) { return (uint64_t{1} << 32) + (uint64_t{number} + 1) * 0x10000; }
constexpr uint64_t kAx = after(PERF_REG_X86_AX);
constexpr uint64_t kBx = after(PERF_REG_X86_BX);
constexpr uint64_t kCx = after(PERF_REG_X86_CX);
constexpr uint64_t kSi = after(PERF_REG_X86_SI);
constexpr uint64_t kDi = after(PERF_REG_X86_DI);
constexpr uint64_t kBp = after(PERF_REG_X86_BP);
constexpr uint64_t kSp = after(PERF_REG_X86_SP);
constexpr uint64_t kIp = after(PERF_REG_X86_IP);
constexpr uint64_t kR9 = after(PERF_REG_X86_R9);
constexpr uint64_t kR13 = after(PERF_REG_X86_R13);
constexpr uint64_t kDirectionFlag = 1 << 10;

RegisterValues registers(uint64_t flags = 0) {
  RegisterValues values;
  for (unsigned number = 0; number < RegisterValues::kCount; ++number) values.set(number, after(number));
  values.set(PERF_REG_X86_FLAGS, flags);
  return values;
}

enum Kind { kNone, kLoad, kStore, kBoth };

struct Case {
  const char* text;
  std::vector<uint8_t> code;
  Kind kind;
  unsigned width_bytes;
  std::optional<uint64_t> address;
};

const std::vector<Case> kCases = {
    {"mov (%rbx),%rax", {0x48, 0x8b, 0x03}, kLoad, 8, kBx},
    {"mov (%rax),%rax", {0x48, 0x8b, 0x00}, kLoad, 8, std::nullopt},
    {"mov (%rax),%al", {0x8a, 0x00}, kLoad, 1, std::nullopt},
    {"mov (%rbx,%rcx,8),%rcx", {0x48, 0x8b, 0x0c, 0xcb}, kLoad, 8, std::nullopt},
    {"mov 0x18(%rbx,%rcx,4),%edx", {0x8b, 0x54, 0x8b, 0x18}, kLoad, 4, kBx + 4 * kCx + 0x18},
    {"mov -8(%rbp),%r8", {0x4c, 0x8b, 0x45, 0xf8}, kLoad, 8, kBp - 8},
    {"mov 0x40(,%r9,8),%rax", {0x4a, 0x8b, 0x04, 0xcd, 0x40, 0x00, 0x00, 0x00}, kLoad, 8, 8 * kR9 + 0x40},
    {"mov 0x10(%rip),%rax", {0x48, 0x8b, 0x05, 0x10, 0x00, 0x00, 0x00}, kLoad, 8, kIp + 0x10},
    {"mov 0x1000,%eax", {0x8b, 0x04, 0x25, 0x00, 0x10, 0x00, 0x00}, kLoad, 4, 0x1000},
    {"mov %rax,(%rdi)", {0x48, 0x89, 0x07}, kStore, 8, kDi},
    {"mov %rax,(%rax)", {0x48, 0x89, 0x00}, kStore, 8, kAx},
    {"movb $1,5(%rsi)", {0xc6, 0x46, 0x05, 0x01}, kStore, 1, kSi + 5},
    {"addq $1,(%rdi)", {0x48, 0x83, 0x07, 0x01}, kBoth, 8, kDi},
    {"add (%rdi),%rsi", {0x48, 0x03, 0x37}, kLoad, 8, kDi},
    {"cmp %rax,(%rbx)", {0x48, 0x39, 0x03}, kLoad, 8, kBx},
    {"cmp (%rbx),%rax", {0x48, 0x3b, 0x03}, kLoad, 8, kBx},
    {"mov (%ebx),%eax", {0x67, 0x8b, 0x03}, kLoad, 4, kBx& UINT32_MAX},
    {"mov -1(%ebx,%ecx,2),%edx", {0x67, 0x8b, 0x54, 0x4b, 0xff}, kLoad, 4, (kBx + 2 * kCx - 1) & UINT32_MAX},
    {"mov %fs:0x28,%rax", {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00}, kLoad, 8, std::nullopt},
    {"mov %gs:(%rbx),%rax", {0x65, 0x48, 0x8b, 0x03}, kLoad, 8, std::nullopt},
    {"lea 8(%rbx),%rax", {0x48, 0x8d, 0x43, 0x08}, kNone, 0, std::nullopt},
    {"nopw 0(%rax,%rax,1)", {0x66, 0x0f, 0x1f, 0x04, 0x00}, kNone, 0, std::nullopt},
    {"push %rax", {0x50}, kStore, 8, kSp},
    {"push %rsp", {0x54}, kStore, 8, kSp},
    {"pushq $5", {0x6a, 0x05}, kStore, 8, kSp},
    {"pushq 8(%rsp)", {0xff, 0x74, 0x24, 0x08}, kLoad, 8, kSp + 16},
    {"pushq 8(%rbx)", {0xff, 0x73, 0x08}, kLoad, 8, kBx + 8},
    {"pop %rax", {0x58}, kLoad, 8, kSp - 8},
    {"pop %rsp", {0x5c}, kLoad, 8, std::nullopt},
    {"popq (%rbx)", {0x8f, 0x03}, kLoad, 8, kSp - 8},
    {"leave", {0xc9}, kLoad, 8, kSp - 8},
    {"lodsb", {0xac}, kLoad, 1, kSi - 1},
    {"lodsq", {0x48, 0xad}, kLoad, 8, kSi - 8},
    {"stosl", {0xab}, kStore, 4, kDi - 4},
    {"movsq", {0x48, 0xa5}, kLoad, 8, kSi - 8},
    {"scasb", {0xae}, kLoad, 1, kDi - 1},
    {"cmpsb", {0xa6}, kLoad, 0, std::nullopt},
    {"rep movsb", {0xf3, 0xa4}, kLoad, 1, std::nullopt},
    {"rep stosq", {0xf3, 0x48, 0xab}, kStore, 8, std::nullopt},
    {"xchg %rax,(%rbx)", {0x48, 0x87, 0x03}, kBoth, 8, kBx},
    {"xchg %rbx,(%rbx)", {0x48, 0x87, 0x1b}, kBoth, 8, std::nullopt},
    {"lock cmpxchg %rcx,(%rbx)", {0xf0, 0x48, 0x0f, 0xb1, 0x0b}, kBoth, 8, kBx},
    {"lock cmpxchg %rcx,(%rax)", {0xf0, 0x48, 0x0f, 0xb1, 0x08}, kBoth, 8, std::nullopt},
    {"lock xadd %rcx,(%rbx)", {0xf0, 0x48, 0x0f, 0xc1, 0x0b}, kBoth, 8, kBx},
    {"cmovne (%rbx),%rbx", {0x48, 0x0f, 0x45, 0x1b}, kLoad, 8, std::nullopt},
    {"cmovne (%rbx),%rax", {0x48, 0x0f, 0x45, 0x03}, kLoad, 8, kBx},
    {"bt %rax,(%rbx)", {0x48, 0x0f, 0xa3, 0x03}, kLoad, 8, std::nullopt},
    {"btq $3,(%rbx)", {0x48, 0x0f, 0xba, 0x23, 0x03}, kLoad, 8, kBx},
    {"movups 0x10(%rbx),%xmm0", {0x0f, 0x10, 0x43, 0x10}, kLoad, 16, kBx + 0x10},
    {"vmovdqu (%rbx,%rsi),%ymm1", {0xc5, 0xfe, 0x6f, 0x0c, 0x33}, kLoad, 32, kBx + kSi},
    {"vmovntdqa (%rbx),%ymm1", {0xc4, 0xe2, 0x7d, 0x2a, 0x0b}, kLoad, 32, kBx},
    {"vaddps 0x40(%rbx),%zmm1,%zmm2", {0x62, 0xf1, 0x74, 0x48, 0x58, 0x53, 0x01}, kLoad, 64, kBx + 0x40},
    {"vpgatherdd %xmm1,(%rbx,%xmm2,4),%xmm3", {0xc4, 0xe2, 0x71, 0x90, 0x1c, 0x93}, kLoad, 4, std::nullopt},
    {"xlat", {0xd7}, kLoad, 1, std::nullopt},
    {"prefetcht0 (%rbx)", {0x0f, 0x18, 0x0b}, kLoad, 1, kBx},
    {"mul %rcx", {0x48, 0xf7, 0xe1}, kNone, 0, std::nullopt},
    {"mulq (%rbx)", {0x48, 0xf7, 0x23}, kLoad, 8, kBx},
    {"mulq (%rdx)", {0x48, 0xf7, 0x22}, kLoad, 8, std::nullopt},
    {"divq 8(%rsp)", {0x48, 0xf7, 0x74, 0x24, 0x08}, kLoad, 8, kSp + 8},
    {"jmp *(%rbx,%rcx,8)", {0xff, 0x24, 0xcb}, kLoad, 8, kBx + 8 * kCx},
    {"movzbl (%r12),%r12d", {0x45, 0x0f, 0xb6, 0x24, 0x24}, kLoad, 1, std::nullopt},
    {"movzbl (%r13),%r12d", {0x45, 0x0f, 0xb6, 0x65, 0x00}, kLoad, 1, kR13},
};

DataAccess decode(const std::vector<uint8_t>& code) {
  Decoder decoder;
  return decode_data_access(decoder, std::as_bytes(std::span(code)));
}

TEST(DataAccess, KnownAnswers) {
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.text);
    DataAccess access = decode(each.code);
    EXPECT_EQ(access.reads, each.kind == kLoad || each.kind == kBoth);
    EXPECT_EQ(access.writes, each.kind == kStore || each.kind == kBoth);
    EXPECT_EQ(access.width_bytes, each.width_bytes);
    EXPECT_EQ(address_of(access, registers()), each.address);
  }
}

TEST(DataAccess, KnownAnswersFromRegistersBefore) {
  const std::vector<Case> cases = {
      {"mov (%rax),%rax", {0x48, 0x8b, 0x00}, kLoad, 8, kAx},
      {"mov (%rbx,%rcx,8),%rcx", {0x48, 0x8b, 0x0c, 0xcb}, kLoad, 8, kBx + 8 * kCx},
      {"mov 0x10(%rip),%rax", {0x48, 0x8b, 0x05, 0x10, 0x00, 0x00, 0x00}, kLoad, 8, kIp + 0x10},
      {"movb $1,5(%rsi)", {0xc6, 0x46, 0x05, 0x01}, kStore, 1, kSi + 5},
      {"mov %fs:0x28,%rax", {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00}, kLoad, 8, std::nullopt},
      {"mov 8(%rsp),%rax", {0x48, 0x8b, 0x44, 0x24, 0x08}, kLoad, 8, kSp + 8},
      {"push %rax", {0x50}, kStore, 8, kSp - 8},
      {"pushq 8(%rsp)", {0xff, 0x74, 0x24, 0x08}, kLoad, 8, kSp + 8},
      {"pop %rax", {0x58}, kLoad, 8, kSp},
      {"pop %rsp", {0x5c}, kLoad, 8, kSp},
      {"popq (%rbx)", {0x8f, 0x03}, kLoad, 8, kSp},
      {"leave", {0xc9}, kLoad, 8, kBp},
      {"call", {0xe8, 0x00, 0x00, 0x00, 0x00}, kStore, 8, kSp - 8},
      {"ret", {0xc3}, kLoad, 8, kSp},
      {"lodsq", {0x48, 0xad}, kLoad, 8, kSi},
      {"rep movsb", {0xf3, 0xa4}, kLoad, 1, kSi},
      {"stosl", {0xab}, kStore, 4, kDi},
      {"bt %rax,(%rbx)", {0x48, 0x0f, 0xa3, 0x03}, kLoad, 8, std::nullopt},
      {"xchg %rbx,(%rbx)", {0x48, 0x87, 0x1b}, kBoth, 8, kBx},
  };
  Decoder decoder;
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    DataAccess access =
        decode_data_access(decoder, std::as_bytes(std::span(each.code)), RegistersAt::kBefore);
    EXPECT_EQ(access.reads, each.kind == kLoad || each.kind == kBoth);
    EXPECT_EQ(access.writes, each.kind == kStore || each.kind == kBoth);
    EXPECT_EQ(access.width_bytes, each.width_bytes);
    EXPECT_EQ(address_of(access, registers()), each.address);
  }
}

TEST(DataAccess, DirectionFlagTurnsStringInstructionsRound) {
  EXPECT_EQ(address_of(decode({0x48, 0xad}), registers(kDirectionFlag)), kSi + 8);  // lodsq
}

TEST(DataAccess, UnknownRegisterTellsNoAddress) {
  RegisterValues values = registers();
  values.known &= ~(1u << PERF_REG_X86_BX);
  EXPECT_EQ(address_of(decode({0x48, 0x8b, 0x03}), values), std::nullopt);  // mov (%rbx),%rax
}

TEST(DataAccess, NoInstructionIsNoAccess) {
  EXPECT_FALSE(decode({0x06}).any());
  EXPECT_FALSE(decode({}).any());
}

}  // namespace
}  // namespace hm::symbol
