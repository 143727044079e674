// SPDX-License-Identifier: MIT
#include "symbol/unwind/unwind.h"

#include <asm/perf_regs.h>

#include <optional>

#include "symbol/unwind/frame_expression.h"

namespace hm::symbol {
namespace {

std::optional<uint64_t> plus(std::optional<uint64_t> value, int64_t offset) {
  return value ? std::optional(*value + static_cast<uint64_t>(offset)) : std::nullopt;
}

std::optional<uint64_t> read(const StackCopy& stack, std::optional<uint64_t> address) {
  return address ? stack.read(*address) : std::nullopt;
}

std::optional<uint64_t> value_of(const ValueRule& rule, const FrameRule& row, const FrameView& frame) {
  switch (rule.kind) {
    case ValueRule::Kind::kRegister:
      return plus(frame.registers.at(rule.number), rule.offset_bytes);
    case ValueRule::Kind::kFrame:
      return plus(frame.cfa, rule.offset_bytes);
    case ValueRule::Kind::kMemory:
      return read(frame.stack, plus(frame.cfa, rule.offset_bytes));
    case ValueRule::Kind::kExpression:
      return evaluate(row.expressions[rule.expression], frame);
    case ValueRule::Kind::kMemoryAtExpression:
      return read(frame.stack, evaluate(row.expressions[rule.expression], frame));
  }
  return std::nullopt;
}

RegisterValues caller_of(const FrameRule& row, const FrameView& frame) {
  RegisterValues caller;
  for (const FrameRule::Register& each : row.caller) {
    if (std::optional<uint64_t> value = value_of(each.value, row, frame)) caller.set(each.number, *value);
  }
  return caller;
}

}  // namespace

const FrameRule& frame_pointer_rule() {
  constexpr int64_t kFrameBytes = 16;  // the caller's frame pointer and the return address
  using Kind = ValueRule::Kind;
  static const FrameRule kRule{
      .cfa = {.kind = Kind::kRegister, .number = PERF_REG_X86_BP, .offset_bytes = kFrameBytes},
      .caller = {{PERF_REG_X86_IP, {.kind = Kind::kMemory, .offset_bytes = -8}},
                 {PERF_REG_X86_BP, {.kind = Kind::kMemory, .offset_bytes = -kFrameBytes}},
                 {PERF_REG_X86_SP, {.kind = Kind::kFrame}}},
      .expressions = {},
      .interrupted = false};
  return kRule;
}

void unwind(const RegisterValues& innermost, const StackCopy& stack, const RuleAt& rule_at,
            std::vector<uint64_t>& places) {
  RegisterValues registers = innermost;
  uint64_t last_cfa = 0;
  bool called = false;  // the instruction pointer is a return address
  for (size_t frames = 0; frames < kMaxFrames; ++frames) {
    std::optional<uint64_t> ip = registers.at(PERF_REG_X86_IP);
    if (!ip || *ip == 0) return;
    places.push_back(called ? *ip - 1 : *ip);
    const FrameRule* rule = rule_at(places.back());
    if (rule == nullptr) return;
    std::optional<uint64_t> cfa = value_of(rule->cfa, *rule, {registers, stack, std::nullopt});
    // A signal handler may run on its own stack; otherwise callers have higher addresses.
    if (!cfa || (*cfa <= last_cfa && !rule->interrupted)) return;
    registers = caller_of(*rule, {registers, stack, cfa});
    last_cfa = *cfa;
    called = !rule->interrupted;
  }
}

}  // namespace hm::symbol
