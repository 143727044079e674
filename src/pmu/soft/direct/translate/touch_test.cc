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

struct MaskedMove {
  const char* name;
  uint8_t prefix, wide;  // EVEX.pp and EVEX.W
  unsigned element_bytes;
};

class SelectedLines : public Touches, public ::testing::WithParamInterface<MaskedMove> {
 protected:
  static constexpr uint8_t kLoad = 0x6f, kStore = 0x7f;

  // kmovq k1, rcx; a move between vector register 0 and [rsi + displacement] with the mask k1. Two to the
  // power of `length` times 16 bytes are moved.
  std::vector<uint8_t> code(uint8_t opcode, unsigned length, uint8_t displacement) {
    auto wide = static_cast<uint8_t>(GetParam().wide << 7 | 0x7c | GetParam().prefix);
    auto masked = static_cast<uint8_t>((opcode == kLoad ? 0x80 : 0) | length << 5 | 0x08 | 1);
    return {0xc4, 0xe1, 0xfb, 0x92, 0xc9, 0x62, 0xf1, wide, masked, opcode, 0x86, displacement, 0, 0, 0};
  }

  // Returns the bytes in front of the first element that the mask selects.
  static unsigned first_byte(uint64_t mask, unsigned element_bytes, unsigned bytes) {
    for (unsigned i = 0; i < bytes / element_bytes; ++i)
      if ((mask >> i & 1) != 0) return i * element_bytes;
    return bytes;
  }
};

TEST_P(SelectedLines, AreTouchedWhereTheFirstElementIs) {
  if (__builtin_cpu_supports("avx512bw") == 0 || __builtin_cpu_supports("avx512vl") == 0)
    GTEST_SKIP() << "this processor has no AVX-512";
  std::mt19937_64 random(13);
  unsigned none = 0, later_lines = 0;
  for (unsigned i = 0; i < 600; ++i) {
    unsigned length = i % 3, bytes = 16u << length;
    auto displacement = static_cast<uint8_t>(random());
    uint64_t source = put_ending(code(i % 2 == 0 ? kLoad : kStore, length, displacement));
    State from = random_state(i);
    from.registers[kCx] = random() << random() % 64;
    unsigned first = first_byte(from.registers[kCx], GetParam().element_bytes, bytes);
    uint64_t operand = from.registers[kSi] + displacement;
    std::set<uint64_t> expected;
    if (first < bytes) expected.insert((operand + first) / kLineBytes);
    none += expected.empty() ? 1 : 0;
    later_lines += first < bytes && (operand + first) / kLineBytes != operand / kLineBytes ? 1 : 0;

    (void)take_touched_lines();
    Left copied = run_copy(copy(source, Mode::kTouching, i % 4 < 2), from);
    ASSERT_EQ(take_touched_lines(), expected) << "of block " << i;
    constexpr uint64_t kThreeInstructions = 6;
    ASSERT_EQ(copied.ticks, kThreeInstructions + 2 * expected.size()) << "of block " << i;
    ASSERT_EQ(difference(run_original(source, from), copied, kStatusFlags), "") << "of block " << i;
  }
  EXPECT_GT(none, 0u);
  EXPECT_GT(later_lines, 0u);
}

INSTANTIATE_TEST_SUITE_P(Moves, SelectedLines,
                         ::testing::Values(MaskedMove{"bytes", 3, 0, 1}, MaskedMove{"words", 3, 1, 2},
                                           MaskedMove{"doublewords", 2, 0, 4},
                                           MaskedMove{"quadwords", 2, 1, 8}),
                         [](const auto& of) { return of.param.name; });

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
