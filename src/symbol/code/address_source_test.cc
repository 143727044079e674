// SPDX-License-Identifier: MIT
#include "symbol/code/address_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace hm::symbol {
namespace {

constexpr uint64_t kStart = 0x1000;

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
  std::vector<std::byte> code;
  for (unsigned value : values) code.push_back(static_cast<std::byte>(value));
  return code;
}

AddressSource source(const std::vector<std::byte>& code, uint64_t offset) {
  return address_facts(Bytes(code), kStart, kStart + offset).source;
}

// 0: add (%rdi),%rax; 3: add $8,%rdi; 7: cmp %rsi,%rdi; 10: jne 0
TEST(AddressSource, APointerThatGoesOnIsCounted) {
  auto code = bytes({0x48, 0x03, 0x07, 0x48, 0x83, 0xc7, 0x08, 0x48, 0x39, 0xf7, 0x75, 0xf4});
  EXPECT_EQ(source(code, 0), AddressSource::kCounted);
  EXPECT_EQ(address_facts(Bytes(code), kStart, kStart).step_bytes, 8);
}

// 0: add (%rdi),%rax; 3: add %rcx,%rdi; 6: dec %rsi; 9: jne 0
TEST(AddressSource, SoIsOneThatGoesOnByARegister) {
  auto code = bytes({0x48, 0x03, 0x07, 0x48, 0x01, 0xcf, 0x48, 0xff, 0xce, 0x75, 0xf5});
  EXPECT_EQ(source(code, 0), AddressSource::kCounted);
  EXPECT_EQ(address_facts(Bytes(code), kStart, kStart).step_bytes, std::nullopt);
}

// 0: add 8(%rdi,%rcx,8),%rax; 5: sub $512,%rdi; 12: lea 2(%rcx),%rcx; 16: dec %rsi; 19: jne 0
TEST(AddressSource, StepsOfBaseAndIndexAddUp) {
  auto code = bytes({0x48, 0x03, 0x44, 0xcf, 0x08, 0x48, 0x81, 0xef, 0x00, 0x02, 0x00,
                     0x00, 0x48, 0x8d, 0x49, 0x02, 0x48, 0xff, 0xce, 0x75, 0xeb});
  EXPECT_EQ(source(code, 0), AddressSource::kCounted);
  EXPECT_EQ(address_facts(Bytes(code), kStart, kStart).step_bytes, -496);
}

// 0: add 8(%rdi),%rax; 4: mov (%rdi),%rdi; 7: test %rdi,%rdi; 10: jne 0
TEST(AddressSource, AListIsChased) {
  auto code = bytes({0x48, 0x03, 0x47, 0x08, 0x48, 0x8b, 0x3f, 0x48, 0x85, 0xff, 0x75, 0xf4});
  EXPECT_EQ(source(code, 0), AddressSource::kChased);
  EXPECT_EQ(source(code, 4), AddressSource::kChased);
}

// 0: mov (%rsi,%rcx,8),%rdx; 4: add (%rdi,%rdx,8),%rax; 8: inc %rcx; 11: cmp %r8,%rcx; 14: jne 0
TEST(AddressSource, AnIndexFromATableIsLoaded) {
  auto code =
      bytes({0x48, 0x8b, 0x14, 0xce, 0x48, 0x03, 0x04, 0xd7, 0x48, 0xff, 0xc1, 0x4c, 0x39, 0xc1, 0x75, 0xf0});
  EXPECT_EQ(source(code, 0), AddressSource::kCounted);
  EXPECT_EQ(address_facts(Bytes(code), kStart, kStart).step_bytes, 8);
  EXPECT_EQ(source(code, 4), AddressSource::kLoadedInOrder);
  EXPECT_EQ(address_facts(Bytes(code), kStart, kStart + 4).step_bytes, std::nullopt);
}

// Like a[i][j] with an array of row pointers and i in the inner loop.
// 0: mov (%rdi),%rdx; 3: add (%rdx,%rcx,8),%rax; 7: add $8,%rdi; 11: cmp %rsi,%rdi; 14: jne 0
TEST(AddressSource, RowsByPointersAreLoadedInOrder) {
  auto code =
      bytes({0x48, 0x8b, 0x17, 0x48, 0x03, 0x04, 0xca, 0x48, 0x83, 0xc7, 0x08, 0x48, 0x39, 0xf7, 0x75, 0xf0});
  EXPECT_EQ(source(code, 3), AddressSource::kLoadedInOrder);
}

// 0: mov (%rbx),%rdx; 3: add (%rdx,%rcx,8),%rax; 7: inc %rcx; 10: cmp %rsi,%rcx; 13: jne 0
TEST(AddressSource, ABaseThatIsLoadedAnewEachTimeIsFixed) {
  auto code =
      bytes({0x48, 0x8b, 0x13, 0x48, 0x03, 0x04, 0xca, 0x48, 0xff, 0xc1, 0x48, 0x39, 0xf1, 0x75, 0xf1});
  EXPECT_EQ(source(code, 3), AddressSource::kCounted);
  // Not fixed if the loop calls: 0: mov (%rbx),%rbp; 3: call; 8: add (%rbp,%r13,8),%rax; 13: inc %r13; 16:
  // jne 0
  auto calls =
      bytes({0x48, 0x8b, 0x2b, 0xe8, 0, 0, 0, 0, 0x4a, 0x03, 0x44, 0xed, 0x00, 0x49, 0xff, 0xc5, 0x75, 0xee});
  EXPECT_EQ(source(calls, 8), AddressSource::kLoaded);
  // Nor if it stores to the base: 0: mov (%rbx),%rdx; 3: add (%rdx),%rax; 6: mov %rax,(%rbx); 9: dec %rcx;
  // 12: jne 0
  auto stores = bytes({0x48, 0x8b, 0x13, 0x48, 0x03, 0x02, 0x48, 0x89, 0x03, 0x48, 0xff, 0xc9, 0x75, 0xf2});
  EXPECT_EQ(source(stores, 3), AddressSource::kLoaded);
}

// Like unoptimized code, which has the loop's variables on the stack.
// 0: mov %rsp,%rbp; 3: mov -4(%rbp),%eax; 6: cltq; 8: mov -16(%rbp),%rdx; 12: mov (%rdx,%rax,8),%rax;
// 16: add %rax,-24(%rbp); 20: addl $1,-4(%rbp); 24: cmp %ecx,-4(%rbp); 27: jne 3
TEST(AddressSource, VariablesOnTheStackAreAsRegisters) {
  auto code = bytes({0x48, 0x89, 0xe5, 0x8b, 0x45, 0xfc, 0x48, 0x98, 0x48, 0x8b, 0x55, 0xf0, 0x48, 0x8b, 0x04,
                     0xc2, 0x48, 0x01, 0x45, 0xe8, 0x83, 0x45, 0xfc, 0x01, 0x39, 0x4d, 0xfc, 0x75, 0xe6});
  EXPECT_EQ(source(code, 12), AddressSource::kCounted);
  code[2] = std::byte{0xe7};  // mov %rsp,%rdi: %rbp is then an ordinary register
  EXPECT_EQ(source(code, 12), AddressSource::kLoaded);
}

// 0: mov %rsp,%rbp; 3: mov -8(%rbp),%rax; 7: mov (%rax),%rax; 10: mov %rax,-8(%rbp); 14: cmpq $0,-8(%rbp);
// 19: jne 3
TEST(AddressSource, AListWhosePointerIsOnTheStackIsChased) {
  auto code = bytes({0x48, 0x89, 0xe5, 0x48, 0x8b, 0x45, 0xf8, 0x48, 0x8b, 0x00, 0x48,
                     0x89, 0x45, 0xf8, 0x48, 0x83, 0x7d, 0xf8, 0x00, 0x75, 0xee});
  EXPECT_EQ(source(code, 7), AddressSource::kChased);
}

// A call stores its return address, which is not a variable.
// 0: mov (%rsp),%rdx; 4: add (%rdx,%rbx,8),%rax; 8: call; 13: inc %rbx; 16: jne 0
TEST(AddressSource, ACallWritesNoVariable) {
  auto code =
      bytes({0x48, 0x8b, 0x14, 0x24, 0x48, 0x03, 0x04, 0xda, 0xe8, 0, 0, 0, 0, 0x48, 0xff, 0xc3, 0x75, 0xee});
  EXPECT_EQ(source(code, 4), AddressSource::kCounted);
}

// 0: mov (%rdi),%rax; 3: add $8,%rdi; 7: jmp to before the function
TEST(AddressSource, AJumpToAnotherFunctionMakesNoLoop) {
  auto code = bytes({0x48, 0x8b, 0x07, 0x48, 0x83, 0xc7, 0x08, 0xeb, 0xf0});
  EXPECT_EQ(source(code, 0), AddressSource::kUnknown);
}

// 0: mov 8(%rdi),%rdx; 4: add (%rdx),%rax; 7: mov (%rdi),%rdi; 10: test %rdi,%rdi; 13: jne 0
TEST(AddressSource, WhatAListsElementsPointToIsBesideTheChase) {
  auto code =
      bytes({0x48, 0x8b, 0x57, 0x08, 0x48, 0x03, 0x02, 0x48, 0x8b, 0x3f, 0x48, 0x85, 0xff, 0x75, 0xf1});
  EXPECT_EQ(source(code, 0), AddressSource::kChased);
  EXPECT_EQ(source(code, 4), AddressSource::kBesideChase);
}

// 0: mov %rbx,%rdi; 3: call; 8: add (%rax),%rcx; 11: mov (%rbx),%rax; 14: dec %rdx; 17: jne 0
TEST(AddressSource, WhatACallReturnsIsComputed) {
  auto code = bytes(
      {0x48, 0x89, 0xdf, 0xe8, 0, 0, 0, 0, 0x48, 0x03, 0x08, 0x48, 0x8b, 0x03, 0x48, 0xff, 0xca, 0x75, 0xed});
  EXPECT_EQ(source(code, 8), AddressSource::kComputed);
}

// Words of chained hash entries: the chain is followed in a table of numbers, and the compared words are
// elsewhere.
// 0: mov (%rsi,%rax,4),%eax; 3: cmpb $0,(%rdi,%rax,1); 7: jne 0
TEST(AddressSource, WhatAChainOfNumbersLeadsToIsLoaded) {
  auto code = bytes({0x8b, 0x04, 0x86, 0x80, 0x3c, 0x07, 0x00, 0x75, 0xf7});
  EXPECT_EQ(source(code, 0), AddressSource::kChased);
  EXPECT_EQ(source(code, 3), AddressSource::kLoaded);
}

// 0: mov %rdx,%rcx; 3: shl $13,%rcx; 7: xor %rcx,%rdx; 10: mov %rdx,%rcx; 13: and $1023,%ecx;
// 19: add (%rdi,%rcx,8),%rax; 23: dec %rsi; 26: jne 0
TEST(AddressSource, AHashIsComputed) {
  auto code = bytes({0x48, 0x89, 0xd1, 0x48, 0xc1, 0xe1, 0x0d, 0x48, 0x31, 0xca, 0x48, 0x89, 0xd1, 0x81,
                     0xe1, 0xff, 0x03, 0x00, 0x00, 0x48, 0x03, 0x04, 0xcf, 0x48, 0xff, 0xce, 0x75, 0xe4});
  EXPECT_EQ(source(code, 19), AddressSource::kComputed);
}

// 0: mov (%rax),%edx; 2: mov 4(%rax),%ecx; 5: add 8(%rsi),%rbx; 9: add $64,%rax; 13: cmp %rdi,%rax; 16: jne 0
TEST(AddressSource, KnowsWhatElseIsAccessedNearby) {
  auto code = bytes({0x8b, 0x10, 0x8b, 0x48, 0x04, 0x48, 0x03, 0x5e, 0x08, 0x48, 0x83, 0xc0, 0x40, 0x48, 0x39,
                     0xf8, 0x75, 0xee});
  AddressFacts facts = address_facts(Bytes(code), kStart, kStart);
  EXPECT_EQ(facts.source, AddressSource::kCounted);
  EXPECT_THAT(facts.near, ::testing::UnorderedElementsAre(NearAccess{0, 4}, NearAccess{4, 4}));
}

// 0: incl (%rdi); 2: dec %rsi; 5: jne 0
TEST(AddressSource, APlaceThatStaysIsFixed) {
  auto code = bytes({0xff, 0x07, 0x48, 0xff, 0xce, 0x75, 0xf9});
  EXPECT_EQ(source(code, 0), AddressSource::kFixed);
}

// 0: add $64,%rbx; 4: rep movsb; 6: mov (%rsi),%al; 8: dec %rdx; 11: jne 0
TEST(AddressSource, AStringInstructionGoesOnAndChasesNothing) {
  auto code = bytes({0x48, 0x83, 0xc3, 0x40, 0xf3, 0xa4, 0x8a, 0x06, 0x48, 0xff, 0xca, 0x75, 0xf3});
  AddressFacts facts = address_facts(Bytes(code), kStart, kStart + 4);
  EXPECT_EQ(facts.source, AddressSource::kCounted);
  EXPECT_EQ(facts.step_bytes, 1);
  EXPECT_EQ(source(code, 6), AddressSource::kCounted);
}

// 0: rep movsb; 2: ret
TEST(AddressSource, ARepeatedInstructionIsALoop) {
  EXPECT_EQ(source(bytes({0xf3, 0xa4, 0xc3}), 0), AddressSource::kCounted);
  EXPECT_EQ(source(bytes({0xf3, 0x48, 0xab, 0xc3}), 0), AddressSource::kCounted);
}

// A switch with a case that is after the return and jumps back:
// 0: mov (%rdi),%rax; 3: jmp *%rsi; 5: ret; 6: mov 8(%rdi),%rdi; 10: jmp 0
TEST(AddressSource, ACaseThatJumpsBackMakesNoLoop) {
  auto code = bytes({0x48, 0x8b, 0x07, 0xff, 0xe6, 0xc3, 0x48, 0x8b, 0x7f, 0x08, 0xeb, 0xf4});
  EXPECT_EQ(source(code, 0), AddressSource::kUnknown);
  code[3] = code[4] = std::byte{0x90};  // falls through to the return
  EXPECT_EQ(source(code, 0), AddressSource::kUnknown);
  code[5] = std::byte{0x90};  // falls through to the case
  EXPECT_EQ(source(code, 0), AddressSource::kChased);
}

// 0: mov (%rdi),%rax; 3: ret
TEST(AddressSource, OutsideOfLoopsNothingIsKnown) {
  auto code = bytes({0x48, 0x8b, 0x07, 0xc3});
  EXPECT_EQ(source(code, 0), AddressSource::kUnknown);
  EXPECT_EQ(source(code, 1), AddressSource::kUnknown);
  EXPECT_EQ(source(code, 99), AddressSource::kUnknown);
  EXPECT_EQ(address_facts(Bytes(code), 0, 0).source, AddressSource::kUnknown) << "also at address 0";
}

// 0: mov (%rdx,%rax,8),%rax; 4: cmp 8(%rax),%rdi; 8: je 19; 10: mov (%rax),%rax; 13: cmp %rdi,8(%rax);
// 17: jne 10; 19: mov 16(%rax),%rax; 23: ret
TEST(AddressSource, AChainOfATableBeginsAtOneOfItsPointers) {
  auto code = bytes({0x48, 0x8b, 0x04, 0xc2, 0x48, 0x3b, 0x78, 0x08, 0x74, 0x09, 0x48, 0x8b,
                     0x00, 0x48, 0x39, 0x78, 0x08, 0x75, 0xf7, 0x48, 0x8b, 0x40, 0x10, 0xc3});
  auto in_chain = [&](uint64_t offset) {
    return address_facts(Bytes(code), kStart, kStart + offset).in_chain_of_table;
  };
  EXPECT_FALSE(in_chain(0)) << "the table itself";
  EXPECT_TRUE(in_chain(4)) << "the first element, before the loop";
  EXPECT_TRUE(in_chain(10));
  EXPECT_TRUE(in_chain(13));
  // A list: mov (%rdx),%rax in place of the load from the table.
  auto list = bytes({0x48, 0x8b, 0x02, 0x90, 0x48, 0x3b, 0x78, 0x08, 0x74, 0x09, 0x48, 0x8b,
                     0x00, 0x48, 0x39, 0x78, 0x08, 0x75, 0xf7, 0x48, 0x8b, 0x40, 0x10, 0xc3});
  EXPECT_FALSE(address_facts(Bytes(list), kStart, kStart + 4).in_chain_of_table);
  EXPECT_FALSE(address_facts(Bytes(list), kStart, kStart + 10).in_chain_of_table);
}

TEST(LoadsDispatchTable, OfAnObjectWithVirtualFunctions) {
  // 0: mov (%rdi),%rax; 3: call *16(%rax)
  EXPECT_TRUE(loads_dispatch_table(Bytes(bytes({0x48, 0x8b, 0x07, 0xff, 0x50, 0x10})), kStart, kStart));
  // 0: mov (%rdi),%rax; 3: mov 16(%rax),%rdx; 7: cmp %rcx,%rdx; 10: jne 14; 12: nop; nop; 14: call *%rdx
  auto guessed =
      bytes({0x48, 0x8b, 0x07, 0x48, 0x8b, 0x50, 0x10, 0x48, 0x39, 0xca, 0x75, 0x02, 0x90, 0x90, 0xff, 0xd2});
  EXPECT_TRUE(loads_dispatch_table(Bytes(guessed), kStart, kStart));
  EXPECT_FALSE(loads_dispatch_table(Bytes(guessed), kStart, kStart + 3)) << "the function, at an offset";
  // 0: mov (%rdi),%rax; 3: mov (%rax),%rax; 6: call 11
  auto direct = bytes({0x48, 0x8b, 0x07, 0x48, 0x8b, 0x00, 0xe8, 0, 0, 0, 0, 0xc3});
  EXPECT_FALSE(loads_dispatch_table(Bytes(direct), kStart, kStart));
}

}  // namespace
}  // namespace hm::symbol
