// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/flow_of_step.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace hm::soft::direct {
namespace {

using model::FlowInstruction;
using model::Registers;
using model::Unit;

Instruction decoded(std::initializer_list<uint8_t> code) {
  std::vector<uint8_t> bytes(code);
  Instruction instruction;
  EXPECT_TRUE(decode(bytes.data(), bytes.size(), 0x401000, instruction));
  return instruction;
}
FlowInstruction flow(std::initializer_list<uint8_t> code) { return flow_of(decoded(code), nullptr); }

constexpr uint64_t set_of(unsigned one) { return uint64_t{1} << one; }
constexpr uint64_t kRax = set_of(0), kRcx = set_of(1), kRdx = set_of(2), kRbx = set_of(3), kRsp = set_of(4);
constexpr uint64_t kFlags = set_of(Registers::kFlags);
constexpr uint64_t kXmm1 = set_of(Registers::kVectors + 1), kXmm2 = set_of(Registers::kVectors + 2);

TEST(FlowOf, AnAdditionReadsBothAndWritesFlags) {
  FlowInstruction add = flow({0x48, 0x01, 0xd8});  // add rax, rbx
  EXPECT_EQ(add.reads, kRax | kRbx);
  EXPECT_EQ(add.writes, kRax | kFlags);
  EXPECT_EQ(add.latency, 1);
  EXPECT_EQ(add.unit, Unit::kInteger);
  EXPECT_EQ(add.loads, 0);
}

TEST(FlowOf, ALoadWaitsForItsAddressOnly) {
  FlowInstruction load = flow({0x48, 0x8b, 0x04, 0xcb});  // mov rax, [rbx + 8 * rcx]
  EXPECT_EQ(load.address, kRbx | kRcx);
  EXPECT_EQ(load.reads, 0u);
  EXPECT_EQ(load.writes, kRax);
  EXPECT_EQ(load.loads, 1);
  EXPECT_EQ(load.latency, 0);
  FlowInstruction chase = flow({0x48, 0x8b, 0x00});  // mov rax, [rax]
  EXPECT_EQ(chase.address, kRax);
  FlowInstruction sum = flow({0x48, 0x03, 0x03});  // add rax, [rbx]
  EXPECT_EQ(sum.address, kRbx);
  EXPECT_EQ(sum.reads, kRax);
}

TEST(FlowOf, AnAddressThatIsAlsoAnOperandIsBoth) {
  FlowInstruction add = flow({0x48, 0x03, 0x00});  // add rax, [rax]
  EXPECT_EQ(add.address, kRax);
  EXPECT_EQ(add.reads, kRax);
  FlowInstruction lea = flow({0x48, 0x8d, 0x04, 0xcb});  // lea rax, [rbx + 8 * rcx]
  EXPECT_EQ(lea.reads, kRbx | kRcx);
  EXPECT_EQ(lea.loads, 0);
}

TEST(FlowOf, AStoreHasNoResult) {
  FlowInstruction store = flow({0x48, 0x89, 0x03});  // mov [rbx], rax
  EXPECT_EQ(store.writes, 0u);
  EXPECT_EQ(store.stores, 1);
  EXPECT_EQ(store.loads, 0);
}

TEST(FlowOf, PushesAndPopsFormNoChain) {
  for (auto code :
       {std::initializer_list<uint8_t>{0x50}, {0x58}, {0xc3}, {0xe8, 0, 0, 0, 0}}) {  // push, pop, ret, call
    FlowInstruction each = flow(code);
    EXPECT_EQ((each.reads | each.address | each.writes) & kRsp, 0u);
  }
  EXPECT_EQ(flow({0x48, 0x83, 0xec, 0x10}).writes & kRsp, kRsp) << "sub rsp, 16";
}

TEST(FlowOf, ARegisterIsClearedWithoutWaiting) {
  FlowInstruction clear = flow({0x31, 0xc0});  // xor eax, eax
  EXPECT_EQ(clear.reads, 0u);
  EXPECT_EQ(clear.writes, kRax | kFlags);
  EXPECT_EQ(clear.latency, 0);
}

TEST(FlowOf, VectorsAreRegistersOfTheirOwn) {
  FlowInstruction add = flow({0xf2, 0x0f, 0x58, 0xca});  // addsd xmm1, xmm2
  EXPECT_EQ(add.reads, kXmm1 | kXmm2);
  EXPECT_EQ(add.writes, kXmm1);
  EXPECT_EQ(add.latency, 3);
  EXPECT_EQ(add.unit, Unit::kVector);
  EXPECT_TRUE(flow({0xf3, 0x0f, 0x6f, 0x0b}).to_vector) << "movdqu xmm1, [rbx]";
}

TEST(FlowOf, ABranchIsFusedWithItsComparison) {
  Instruction compare = decoded({0x48, 0x39, 0xd8}), move = decoded({0x48, 0x89, 0xd8}),
              jump = decoded({0x75, 0x10});
  EXPECT_TRUE(flow_of(jump, &compare).fused);
  EXPECT_FALSE(flow_of(jump, &move).fused);
  EXPECT_FALSE(flow_of(jump, nullptr).fused);
  EXPECT_EQ(flow_of(jump, &move).reads, kFlags);
}

TEST(FlowOf, WhatIsSlowSaysSo) {
  EXPECT_GT(flow({0x48, 0xf7, 0xfb}).latency, 10) << "idiv rbx";
  EXPECT_EQ(flow({0x48, 0xf7, 0xfb}).reads, kRax | kRdx | kRbx);
  EXPECT_GT(flow({0xf0, 0x48, 0x01, 0x03}).latency, 10) << "lock add [rbx], rax";
  EXPECT_EQ(flow({0xf3, 0xa4}).loads, 0) << "rep movsb: its accesses are counted when their number is known";
}

}  // namespace
}  // namespace hm::soft::direct
