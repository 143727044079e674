// SPDX-License-Identifier: MIT
// Untrusted registers, stack and call frame information. The input makes rules with expressions, the
// registers, and from the rest the copy of the stack.
#include <cstdint>
#include <vector>

#include "input.h"
#include "symbol/unwind/unwind.h"

namespace {

using namespace hm;

constexpr unsigned kMaxRules = 16;
constexpr unsigned kMaxExpressions = 4;
constexpr unsigned kMaxOperations = 64;

uint64_t read_number(ByteReader& in) {
  uint8_t first = in.u8();
  return first == 0xff ? in.u64() : static_cast<uint64_t>(int64_t{static_cast<int8_t>(first)});
}

std::vector<symbol::FrameOperation> read_expression(ByteReader& in) {
  std::vector<symbol::FrameOperation> operations(in.u8() % kMaxOperations);
  for (symbol::FrameOperation& each : operations) {
    each.atom = in.u8();
    each.number = read_number(in);
    each.number2 = read_number(in);
  }
  return operations;
}

symbol::ValueRule read_value(ByteReader& in, size_t expressions) {
  symbol::ValueRule value;
  value.kind = static_cast<symbol::ValueRule::Kind>(in.u8() % 5);
  value.number = in.u8();
  value.expression = static_cast<uint16_t>(in.u8() % expressions);
  value.offset_bytes = static_cast<int64_t>(read_number(in));
  return value;
}

symbol::FrameRule read_rule(ByteReader& in) {
  symbol::FrameRule rule;
  rule.interrupted = in.u8() % 2 != 0;
  for (unsigned left = 1 + in.u8() % kMaxExpressions; left > 0; --left)
    rule.expressions.push_back(read_expression(in));
  rule.cfa = read_value(in, rule.expressions.size());
  for (unsigned left = in.u8() % symbol::RegisterValues::kCount; left > 0; --left) {
    auto number = static_cast<uint8_t>(in.u8() % symbol::RegisterValues::kCount);
    rule.caller.push_back({number, read_value(in, rule.expressions.size())});
  }
  return rule;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteReader in(fuzz::input(data, size));
  std::vector<symbol::FrameRule> rules;
  for (unsigned left = in.u8() % kMaxRules; left > 0; --left) rules.push_back(read_rule(in));
  symbol::RegisterValues registers;
  registers.known = in.u32();
  for (uint64_t& value : registers.values) value = read_number(in);
  symbol::StackCopy stack(registers.values[PERF_REG_X86_SP], in.rest());
  std::vector<uint64_t> places;
  // The first few of 16 consecutive addresses have a rule.
  symbol::unwind(
      registers, stack,
      [&](uint64_t address) {
        return address % kMaxRules < rules.size() ? &rules[address % kMaxRules] : nullptr;
      },
      places);
  fuzz::require(places.size() <= symbol::kMaxFrames);
  return 0;
}
