// SPDX-License-Identifier: MIT
#include "symbol/code/address_source.h"

#include <asm/perf_regs.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "symbol/code/decoder.h"
#include "symbol/code/flow.h"

namespace hm::symbol {
namespace {

using Operand = ZydisDecodedOperand;

constexpr uint32_t bit_of(uint8_t number) { return number == kNoRegister ? 0 : uint32_t{1} << number; }

// What an instruction does to the general registers.
struct Step {
  uint64_t address = 0;
  uint32_t reads = 0;           // values, a bit a register
  uint32_t address_inputs = 0;  // registers of its memory operand
  uint32_t writes = 0;
  int64_t displacement = 0;  // of it
  uint16_t bytes = 0;        // of it; 0 where it has none
  uint8_t scale = 0;
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;
  std::optional<int64_t> adds_constant{};  // to the one register that it writes, and does nothing else to it
  bool loads = false;                      // what it writes comes from memory
  bool copies = false;                     // what it writes is what it reads
  bool adds = false;     // what it writes is the sum of what it reads, of constants, and of nothing else
  bool repeats = false;  // of itself, over addresses one behind the other: `rep movsb` and its like
  uint64_t jump_to = 0;  // of a direct jump
};

bool is_copy(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_CDQE:
      return true;
    default:
      return false;
  }
}

bool is_sum(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
    case ZYDIS_MNEMONIC_LEA:
      return true;
    default:
      return false;
  }
}

void take_operand(const Operand& operand, Step& step) {
  bool reads = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
  bool writes = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
    uint32_t inputs = bit_of(register_number(operand.mem.base)) | bit_of(register_number(operand.mem.index));
    if (operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
      step.reads |= inputs;
    } else {
      step.address_inputs |= inputs;
      step.displacement = operand.mem.disp.has_displacement ? operand.mem.disp.value : 0;
      step.bytes = static_cast<uint16_t>(operand.size / 8);
      step.scale = operand.mem.scale;
      step.base = register_number(operand.mem.base);
      step.index = register_number(operand.mem.index);
      step.loads = step.loads || reads;
    }
  } else if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
    uint32_t bit = bit_of(register_number(operand.reg.value));
    if (reads) step.reads |= bit;
    if (writes) step.writes |= bit;
  }
}

// A string instruction's pointers go on by the bytes it accesses, whatever it loads; what `lods` loads is
// seldom a pointer.
void take_string_instruction(const ZydisDecodedInstruction& instruction, Step& step) {
  constexpr ZyanU64 kRepeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
  if (instruction.meta.category != ZYDIS_CATEGORY_STRINGOP) return;
  step.loads = false;
  step.adds = true;
  step.repeats = (instruction.attributes & kRepeats) != 0;
}

// `xor %eax,%eax` depends on nothing.
bool clears(const ZydisDecodedInstruction& instruction, std::span<const Operand> operands) {
  return (instruction.mnemonic == ZYDIS_MNEMONIC_XOR || instruction.mnemonic == ZYDIS_MNEMONIC_SUB) &&
         operands.size() >= 2 && operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[0].reg.value == operands[1].reg.value;
}

// What the instruction adds to its first operand, if it is a register that it does nothing else to.
std::optional<int64_t> constant_added(const ZydisDecodedInstruction& instruction,
                                      std::span<const Operand> operands) {
  if (operands.empty() || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER) return std::nullopt;
  bool has_number = operands.size() > 1 && operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_INC:
      return 1;
    case ZYDIS_MNEMONIC_DEC:
      return -1;
    case ZYDIS_MNEMONIC_ADD:
      return has_number ? std::optional(operands[1].imm.value.s) : std::nullopt;
    case ZYDIS_MNEMONIC_SUB:
      return has_number ? std::optional(-operands[1].imm.value.s) : std::nullopt;
    case ZYDIS_MNEMONIC_LEA: {
      const auto& from = operands[1].mem;
      bool own = register_number(from.base) == register_number(operands[0].reg.value) &&
                 from.index == ZYDIS_REGISTER_NONE;
      return own ? std::optional(from.disp.has_displacement ? from.disp.value : 0) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

Step step_of(Decoder& decoder, uint64_t address) {
  Step step{.address = address};
  const ZydisDecodedInstruction& instruction = decoder.instruction();
  std::span<const Operand> operands = decoder.operands();
  for (const Operand& operand : operands) take_operand(operand, step);
  step.copies = is_copy(instruction.mnemonic);
  step.adds = is_sum(instruction.mnemonic);
  step.adds_constant = constant_added(instruction, operands);
  take_string_instruction(instruction, step);
  if (clears(instruction, operands)) step.reads = 0;
  constexpr uint32_t kNever = bit_of(PERF_REG_X86_IP) | bit_of(PERF_REG_X86_SP);
  step.reads &= ~kNever;
  step.writes &= ~kNever;
  step.address_inputs &= ~kNever;
  return step;
}

std::vector<Step> steps_of(Bytes code, uint64_t start) {
  constexpr size_t kMostSteps = 100000;
  std::vector<Step> steps;
  Decoder decoder;
  for (size_t offset = 0; offset < code.size() && steps.size() < kMostSteps;) {
    Bytes rest = code.subspan(offset);
    if (!decoder.decode(rest)) break;
    size_t length = decoder.instruction().length;
    Step step = step_of(decoder, start + offset);
    std::optional<FlowInstruction> flow = decode_flow(decoder, rest, start + offset);
    if (flow && (flow->flow == Flow::kBranch || flow->flow == Flow::kJump))
      step.jump_to = flow->target.value_or(0);
    steps.push_back(step);
    offset += length;
  }
  return steps;
}

// The loop's steps, from the one after the access back round to the access itself, the latest first.
class Loop {
 public:
  Loop(const std::vector<Step>& steps, std::vector<Step>::const_iterator access) {
    auto first = steps.end(), last = steps.end();
    for (auto jump = access; jump != steps.end(); ++jump) {
      if (jump->jump_to == 0 || jump->jump_to > access->address) continue;
      auto target = std::ranges::lower_bound(steps, jump->jump_to, {}, &Step::address);
      if (last != steps.end() && jump - target >= last - first) continue;
      first = target;
      last = jump;
    }
    if (last == steps.end()) return;
    for (auto i = access; i != first;) back_.push_back(&*--i);
    for (auto i = last;; --i) {
      back_.push_back(&*i);
      if (i == access) break;
    }
  }

  [[nodiscard]] bool found() const { return !back_.empty(); }
  // The access is the last, as seen backwards.
  [[nodiscard]] const Step& access() const { return *back_.back(); }
  [[nodiscard]] size_t size() const { return back_.size(); }

  // The place of what last wrote one of `registers` before the step at `place`, round the loop; nullopt where
  // none does.
  [[nodiscard]] std::optional<size_t> writer(uint32_t one, size_t place) const {
    for (size_t i = 1; i <= back_.size(); ++i) {
      size_t at = (place + i) % back_.size();
      if ((back_[at]->writes & one) != 0) return at;
    }
    return std::nullopt;
  }
  [[nodiscard]] const Step& at(size_t place) const { return *back_[place]; }

  // How far the access's address goes each time round, if its registers only ever have constants added.
  [[nodiscard]] std::optional<int64_t> step_bytes() const {
    std::optional<int64_t> base = added_to(access().base), index = added_to(access().index);
    if (!base || !index) return std::nullopt;
    return *base + *index * access().scale;
  }

  // Of all steps whose operand has the access' registers.
  [[nodiscard]] std::vector<NearAccess> near() const {
    std::vector<NearAccess> found;
    for (const Step* step : back_) {
      if (step->bytes == 0 || step->address_inputs != access().address_inputs ||
          step->scale != access().scale)
        continue;
      NearAccess one{step->displacement - access().displacement, step->bytes};
      if (std::ranges::find(found, one) == found.end()) found.push_back(one);
    }
    return found;
  }

 private:
  // To a register, each time round; of none, nothing.
  [[nodiscard]] std::optional<int64_t> added_to(uint8_t number) const {
    int64_t sum = 0;
    for (const Step* step : back_) {
      if ((step->writes & bit_of(number)) == 0) continue;
      if (!step->adds_constant) return std::nullopt;
      sum += *step->adds_constant;
    }
    return sum;
  }

  std::vector<const Step*> back_;
};

// Follows registers back to where their values come from.
class Search {
 public:
  explicit Search(const Loop& loop) : loop_(loop) {}

  // Of an access at `place` in the loop: what is worse to predict counts.
  AddressSource of_address(uint32_t registers, size_t place) {
    AddressSource worst = AddressSource::kFixed;
    for (uint32_t rest = registers; rest != 0; rest &= rest - 1)
      worst = std::max(worst, of_register(rest & (0 - rest), place));
    return worst;
  }

 private:
  AddressSource of_register(uint32_t one, size_t place) {
    constexpr size_t kFarthest = 16;
    constexpr int kMostLooks = 1000;
    std::optional<size_t> writer = loop_.writer(one, place);
    if (!writer) return AddressSource::kFixed;
    const Step& step = loop_.at(*writer);
    if (auto before = std::ranges::find(path_, *writer, &Visit::place); before != path_.end()) {
      // Round the loop and here again: by a load, or by arithmetic alone.
      return loads_ > before->loads ? AddressSource::kChased : AddressSource::kCounted;
    }
    if (path_.size() >= kFarthest || ++looks_ > kMostLooks) return AddressSource::kComputed;
    path_.push_back({*writer, loads_});
    AddressSource source = of_step(step, *writer);
    path_.pop_back();
    return source;
  }

  AddressSource of_step(const Step& step, size_t place) {
    if (step.loads) {
      ++loads_;
      AddressSource of_load = of_address(step.address_inputs, place);
      --loads_;
      return of_load == AddressSource::kChased ? AddressSource::kChased : AddressSource::kLoaded;
    }
    AddressSource inputs = of_address(step.reads, place);
    if (step.copies || step.adds) return inputs;
    if (step.reads == 0) return AddressSource::kFixed;  // a constant
    return std::max(inputs, AddressSource::kComputed);
  }

  const Loop& loop_;
  struct Visit {
    size_t place;
    int loads;  // that came before it
  };
  std::vector<Visit> path_;
  int loads_ = 0;  // on the path
  int looks_ = 0;
};

}  // namespace

AddressFacts address_facts(Bytes code, uint64_t start, uint64_t address) {
  std::vector<Step> steps = steps_of(code, start);
  auto access = std::ranges::lower_bound(steps, address, {}, &Step::address);
  if (access == steps.end() || access->address != address) return {};
  if (access->repeats) return {AddressSource::kCounted, access->bytes, {{0, access->bytes}}};
  Loop loop(steps, access);
  if (!loop.found() || loop.access().address_inputs == 0) return {};
  AddressSource source = Search(loop).of_address(loop.access().address_inputs, loop.size() - 1);
  bool steady = source == AddressSource::kCounted;
  return {source, steady ? loop.step_bytes() : std::nullopt, loop.near()};
}

}  // namespace hm::symbol
