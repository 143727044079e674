// SPDX-License-Identifier: MIT
// Tests that a copy has the same effect as the original, whatever is inserted before its instructions.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "pmu/soft/direct/translate/harness/harness.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kAllFlags = kStatusFlags | kDirectionFlag;

class SelectedCode : public Translation, public ::testing::WithParamInterface<Case> {
 protected:
  void compare(const Block& block, uint64_t source) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      State from = random_state(seed);
      Left original = run_original(source, from);
      Left copied = run_copy(block, from);
      EXPECT_EQ(copied.exit, kExitUndecodable);  // the jump to the end of runs
      EXPECT_EQ(difference(original, copied, kAllFlags), "") << "of state " << seed;
    }
  }
  uint64_t put_case() { return put_ending({GetParam().begin, GetParam().end}); }
};

TEST_P(SelectedCode, IsCopied) {
  uint64_t source = put_case();
  compare(copy(source, Mode::kUninstrumented), source);
}

TEST_P(SelectedCode, IsCopiedWhereNoAccessPasses) {
  uint64_t source = put_case();
  compare(copy(source), source);
}

TEST_P(SelectedCode, IsCopiedWhereAllAccessesPass) {
  make_resident(data(), 8192 + 512, true);
  uint64_t source = put_case();
  compare(copy(source), source);
}

TEST_P(SelectedCode, IsCopiedWhereLoadsPass) {
  make_resident(data(), 8192 + 512, false);
  uint64_t source = put_case();
  compare(copy(source), source);
}

TEST_P(SelectedCode, IsCopiedWhereEveryAccessIsWatched) {
  plan_.demand.store_buffer = plan_.demand.sizes = true;
  uint64_t source = put_case();
  compare(copy(source), source);
}

TEST_P(SelectedCode, IsCopiedWhereItTouches) {
  plan_.touches_code = true;
  program_.code_page = kModelsOffset;
  uint64_t source = put_case();
  compare(copy(source, Mode::kTouching), source);
}

TEST_P(SelectedCode, IsCopiedWhereItTouchesWithBmi2) {
  if (__builtin_cpu_supports("bmi2") == 0) GTEST_SKIP() << "this processor lacks BMI2";
  plan_.has_shrx = true;
  uint64_t source = put_case();
  compare(copy(source, Mode::kTouching), source);
}

TEST_P(SelectedCode, IsCopiedInARestartableSequence) {
  uint64_t source = put_case();
  put_sequence(source, source + static_cast<uint64_t>(GetParam().end - GetParam().begin));
  compare(copy(source), source);
  EXPECT_EQ(area_.descriptor, reinterpret_cast<uint64_t>(&descriptor_));
}

TEST_P(SelectedCode, IsCopiedInASequenceOfAThreadWithoutArea) {
  uint64_t source = put_case();
  put_sequence(source, source + static_cast<uint64_t>(GetParam().end - GetParam().begin));
  thread_.restart_area = 0;
  compare(copy(source), source);
}

INSTANTIATE_TEST_SUITE_P(Cases, SelectedCode, ::testing::ValuesIn(cases().begin(), cases().end()),
                         [](const auto& each) { return std::string(each.param.name); });

// Random arithmetic on registers and memory, with each register in each position. Two registers point to
// memory and are not written. AF, which arithmetic may leave undefined, is not compared.
class RandomCode : public Translation {
 protected:
  std::vector<uint8_t> code(std::mt19937_64& random, uint8_t pointer, uint8_t other) {
    std::vector<uint8_t> bytes;
    uint64_t count = 1 + random() % 12;
    for (uint64_t i = 0; i < count; ++i) instruction(random, pointer, other, bytes);
    return bytes;
  }

  static uint8_t any_but(std::mt19937_64& random, uint8_t pointer, uint8_t other) {
    while (true) {
      auto reg = static_cast<uint8_t>(random() % 16);
      if (reg != kSp && reg != pointer && reg != other) return reg;
    }
  }

  static void instruction(std::mt19937_64& random, uint8_t pointer, uint8_t other,
                          std::vector<uint8_t>& bytes) {
    constexpr uint8_t kArithmetic[] = {0x01, 0x03, 0x09, 0x0b, 0x11, 0x13, 0x19, 0x1b, 0x21, 0x23,
                                       0x29, 0x2b, 0x31, 0x33, 0x39, 0x3b, 0x85, 0x87, 0x89, 0x8b};
    uint8_t opcode = kArithmetic[random() % sizeof(kArithmetic)];
    uint8_t reg = any_but(random, pointer, other);
    bool wide = random() % 3 != 0;
    auto rex = static_cast<uint8_t>(0x40 | (wide ? 8 : 0) | (reg >= 8 ? 4 : 0));
    if (random() % 3 == 0) {  // two registers
      uint8_t rm = any_but(random, pointer, other);
      bytes.insert(bytes.end(), {static_cast<uint8_t>(rex | (rm >= 8 ? 1 : 0)), opcode,
                                 static_cast<uint8_t>(0xc0 | (reg & 7) << 3 | (rm & 7))});
      return;
    }
    uint8_t base = random() % 2 == 0 ? pointer : other;
    bytes.push_back(static_cast<uint8_t>(rex | (base >= 8 ? 1 : 0)));
    bytes.push_back(opcode);
    bytes.push_back(static_cast<uint8_t>(0x40 | (reg & 7) << 3 | (base & 7)));
    if ((base & 7) == kSp) bytes.push_back(0x24);
    bytes.push_back(static_cast<uint8_t>(random()));
  }
};

TEST_F(RandomCode, DoesTheSame) {
  std::mt19937_64 random(7);
  make_resident(data() + 1024, 512, true);
  make_resident(data() + 1536, 512, false);
  for (unsigned i = 0; i < 3000; ++i) {
    uint8_t pointer = any_but(random, kSp, kSp), other = any_but(random, pointer, kSp);
    uint64_t source = put_ending(code(random, pointer, other));
    State from = random_state(i);
    from.registers[pointer] = data() + 1024 + random() % 1024;
    from.registers[other] = data() + 1024 + 8 * (random() % 128);
    Mode mode = i % 4 == 0 ? Mode::kUninstrumented : Mode::kCollecting;
    Left original = run_original(source, from);
    Left copied = run_copy(copy(source, mode), from);
    ASSERT_EQ(difference(original, copied, kStatusFlags & ~kAdjustFlag), "") << "of block " << i;
  }
}

}  // namespace
}  // namespace hm::soft::direct
