// SPDX-License-Identifier: MIT
// Tests that touching copies touch exactly the lines that the program uses.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <random>
#include <set>
#include <vector>

#include "pmu/soft/direct/translate/harness/harness.h"

namespace hm::soft::direct {
namespace {

class Touches : public Translation {
 protected:
  // Returns the lines in which accesses begin. In a collecting copy, every access makes a call, because no
  // line is resident.
  std::set<uint64_t> used_lines(uint64_t source, const State& from) {
    std::set<uint64_t> lines;
    for (const CallOut& call : run_copy(copy(source), from).calls) {
      if (call.thunk == kData) lines.insert(call.r10 / kLineBytes);
    }
    return lines;
  }

  std::set<uint64_t> touched_lines(uint64_t source, const State& from) {
    (void)take_touched_lines();
    run_copy(copy(source, Mode::kTouching), from);
    return take_touched_lines();
  }

  // Loads, stores, pushes and pops at few addresses, so that many share a line.
  static std::vector<uint8_t> code(std::mt19937_64& random) {
    std::vector<uint8_t> bytes;
    uint64_t count = 2 + random() % 20;
    for (uint64_t i = 0; i < count; ++i) {
      auto displacement = static_cast<uint8_t>(random());
      switch (random() % 7) {
        case 0:  // mov rax, [rsi + displacement]
          bytes.insert(bytes.end(), {0x48, 0x8b, 0x46, displacement});
          break;
        case 1:  // mov [rsi + displacement], rax
          bytes.insert(bytes.end(), {0x48, 0x89, 0x46, displacement});
          break;
        case 2:  // add [rbx + displacement], rcx
          bytes.insert(bytes.end(), {0x48, 0x01, 0x4b, displacement});
          break;
        case 3:  // push rdx
          bytes.push_back(0x52);
          break;
        case 4:  // pop rdx
          bytes.push_back(0x5a);
          break;
        case 5:  // mov rax, [rsp + displacement]
          bytes.insert(bytes.end(), {0x48, 0x8b, 0x44, 0x24, displacement});
          break;
        default:  // add rsi, 24
          bytes.insert(bytes.end(), {0x48, 0x83, 0xc6, 24});
      }
    }
    return bytes;
  }
};

TEST_F(Touches, TheLinesThatAreUsed) {
  std::mt19937_64 random(11);
  for (unsigned i = 0; i < 1500; ++i) {
    plan_.has_shrx = i % 2 == 0 && __builtin_cpu_supports("bmi2") != 0;
    uint64_t source = put_ending(code(random));
    State from = random_state(i);
    ASSERT_EQ(touched_lines(source, from), used_lines(source, from)) << "of block " << i;
  }
}

TEST_F(Touches, OnlyWhatIsDoneBeforeTheBlockIsLeft) {
  // mov rax, [rsi + 64]; cmp rcx, rdx; je +7; mov rax, [rsi + 72]; mov rax, [rsi]
  uint64_t source = put_ending(std::vector<uint8_t>{0x48, 0x8b, 0x46, 0x40, 0x48, 0x39, 0xd1, 0x74, 0x07,
                                                    0x48, 0x8b, 0x46, 0x48, 0x48, 0x8b, 0x06});
  State from = random_state(1);
  from.registers[kSi] = data() + 1024;
  from.registers[kCx] = from.registers[kDx];
  EXPECT_EQ(touched_lines(source, from), (std::set<uint64_t>{(data() + 1024) / kLineBytes + 1}));
  from.registers[kCx] = from.registers[kDx] + 1;
  EXPECT_EQ(touched_lines(source, from),
            (std::set<uint64_t>{(data() + 1024) / kLineBytes, (data() + 1024) / kLineBytes + 1}));
}

TEST_F(Touches, CountTimeAsCollectingCopiesDo) {
  std::mt19937_64 random(12);
  for (unsigned i = 0; i < 200; ++i) {
    uint64_t source = put_ending(code(random));
    State from = random_state(i);
    ASSERT_EQ(run_copy(copy(source, Mode::kTouching), from).ticks, run_copy(copy(source), from).ticks);
  }
}

class Loops : public Touches, public ::testing::WithParamInterface<std::vector<uint8_t>> {};

// The loops have rcx iterations of two or three instructions each.
TEST_P(Loops, AreLeftOnceItIsTime) {
  plan_.in_bursts = true;
  uint64_t source = put_ending(GetParam());
  uint64_t ticks = GetParam().size() == 5 ? 4 : 6;
  State from = random_state(1);
  from.registers[kCx] = 100;
  for (Mode mode : {Mode::kTouching, Mode::kCollecting}) {
    Block& block = copy(source, mode);
    core_->switch_tick = kFirstTick + 10 * ticks;
    cache_.link_exit(run_copy(block, from).exit, block);
    Left left = run_copy(block, from);
    ASSERT_GE(left.exit, kFirstExit);
    EXPECT_EQ(left.target, source);
    EXPECT_EQ(left.ticks, 11 * ticks);
    EXPECT_EQ(left.state.registers[kCx], 89u);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Loops,
                         ::testing::Values(std::vector<uint8_t>{0x48, 0xff, 0xc9, 0x75,
                                                                0xfb},  // dec rcx; jne
                                                                        // dec rcx; je behind; jmp
                                           std::vector<uint8_t>{0x48, 0xff, 0xc9, 0x74, 0x02, 0xeb, 0xf9}));

}  // namespace
}  // namespace hm::soft::direct
