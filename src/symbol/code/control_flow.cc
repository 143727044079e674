// SPDX-License-Identifier: MIT
#include "symbol/code/control_flow.h"

#include <asm/perf_regs.h>

#include <algorithm>

#include "symbol/code/decoder.h"

namespace hm::symbol {

bool possible(const Way& way, const RegisterValues& registers, uint64_t ip) {
  if (way.condition != kNoCondition) {
    std::optional<uint64_t> flags = registers.at(PERF_REG_X86_FLAGS);
    if (flags && !condition_holds(way.condition, *flags)) return false;
  }
  std::optional<uint64_t> target = registers.at(way.jump_register);
  return !target || *target == ip;
}

ControlFlow::ControlFlow(Bytes code, uint64_t start, const std::vector<uint64_t>& data_pointers)
    : start_(start), size_(code.size()), indirect_targets_(data_pointers) {
  Decoder decoder;
  uint64_t address = start;
  while (std::optional<FlowInstruction> instruction = decode_flow(decoder, code, address)) {
    steps_.push_back({static_cast<uint32_t>(address - start), instruction->length, instruction->flow,
                      instruction->condition, instruction->restarts});
    take(*instruction, address);
    address += instruction->length;
    code = code.subspan(instruction->length);
  }
  sort();
}

void ControlFlow::add_jump(uint64_t address, const Way& way) {
  jumps_.insert(std::ranges::upper_bound(jumps_, address, {}, &Jump::to), {address, way});
}

void ControlFlow::take(const FlowInstruction& instruction, uint64_t address) {
  Way way{Way::Kind::kJump, address, instruction.length, instruction.condition, instruction.jump_register};
  if (instruction.target && *instruction.target - start_ < size_)
    jumps_.push_back({*instruction.target, way});
  if (instruction.flow == Flow::kRegisterJump) add_indirect(way, register_jumps_);
  if (instruction.flow == Flow::kMemoryJump) add_indirect(way, memory_jumps_);
  if (instruction.taken_code && *instruction.taken_code - start_ < size_) {
    indirect_targets_.push_back(*instruction.taken_code);
  }
}

void ControlFlow::add_indirect(const Way& way, std::vector<Way>& ways) {
  if (std::ranges::count(ways, way.jump_register, &Way::jump_register) < 2) ways.push_back(way);
}

void ControlFlow::sort() {
  std::ranges::stable_sort(jumps_, {}, &Jump::to);
  std::ranges::sort(indirect_targets_);
}

size_t ControlFlow::find(uint64_t address) const {
  auto found = std::ranges::lower_bound(steps_, address - start_, {}, &Step::offset);
  bool there = found != steps_.end() && found->offset == address - start_;
  return there ? static_cast<size_t>(found - steps_.begin()) : steps_.size();
}

bool ControlFlow::reaches(uint64_t address) const { return find(address) < steps_.size(); }

std::vector<Way> ControlFlow::ways_to(uint64_t address) const {
  std::vector<Way> ways;
  size_t index = find(address);
  if (index == steps_.size()) return ways;
  if (index == 0) {
    ways.push_back({Way::Kind::kEntry});
  } else {
    add_fall_through(index - 1, ways);
  }
  const Step& here = steps_[index];
  if (here.restarts) ways.push_back({Way::Kind::kItself, address, here.length});
  add_jumps(address, ways);
  return ways;
}

void ControlFlow::add_fall_through(size_t index, std::vector<Way>& ways) const {
  const Step& step = steps_[index];
  Way way{Way::Kind::kThrough, start_ + step.offset, step.length};
  switch (step.flow) {
    case Flow::kNext:
      break;
    case Flow::kBranch:  // the lowest bit of a condition negates it
      if (step.condition != kNoCondition) way.condition = step.condition ^ 1;
      break;
    case Flow::kAway:
      way.kind = Way::Kind::kReturn;
      break;
    default:
      return;
  }
  ways.push_back(way);
}

void ControlFlow::add_jumps(uint64_t address, std::vector<Way>& ways) const {
  auto jump = std::ranges::lower_bound(jumps_, address, {}, &Jump::to);
  for (; jump != jumps_.end() && jump->to == address; ++jump) ways.push_back(jump->way);
  ways.insert(ways.end(), register_jumps_.begin(), register_jumps_.end());
  if (std::ranges::binary_search(indirect_targets_, address)) {
    ways.insert(ways.end(), memory_jumps_.begin(), memory_jumps_.end());
  }
}

}  // namespace hm::symbol
