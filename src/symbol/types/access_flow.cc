// SPDX-License-Identifier: MIT
#include "symbol/types/access_flow.h"

#include <asm/perf_regs.h>

#include <algorithm>
#include <utility>

namespace hm::symbol {
namespace {

constexpr size_t kMaxOpen = 4096;
constexpr size_t kMaxWords = 64;  // stack slots
constexpr uint64_t kMaxStepsForAByte = 16;
constexpr uint64_t kInstructionBytes = 15;

// Registers that a called function may change (System V ABI for x86-64, figure 3.4).
constexpr std::array<uint8_t, 9> kCallClobbers = {PERF_REG_X86_AX, PERF_REG_X86_CX,  PERF_REG_X86_DX,
                                                  PERF_REG_X86_SI, PERF_REG_X86_DI,  PERF_REG_X86_R8,
                                                  PERF_REG_X86_R9, PERF_REG_X86_R10, PERF_REG_X86_R11};

bool is_general(uint8_t number) { return number < RegisterValues::kCount && number != PERF_REG_X86_IP; }

bool is_written(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

uint8_t register_of(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_REGISTER ? register_number(operand.reg.value) : kNoRegister;
}

}  // namespace

AccessFlow::AccessFlow(const ElfModule& module, const DwarfIndex& index, FrameRules& frames,
                       const DwarfLocals* locals, const Extent& function)
    : module_(module), index_(index), frames_(frames), locals_(locals), function_(function) {
  seen_.resize(function.size);
  // Code that only a jump table leads to is found by starting at each byte not visited yet.
  for (uint64_t offset = 0; offset < function.size; ++offset) {
    if (!seen_[offset]) run(function.start + offset, State());
  }
}

std::optional<TypedPlace> AccessFlow::at(uint64_t address) const {
  auto found = places_.find(address);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

void AccessFlow::run(uint64_t start, State first) {
  open_.clear();
  open_.emplace_back(start, std::move(first));
  while (!open_.empty()) {
    auto [address, state] = std::move(open_.back());
    open_.pop_back();
    follow(address, std::move(state));
  }
}

bool AccessFlow::merge(State& into, const State& from) {
  bool grew = false;
  for (size_t number = 0; number < into.registers.size(); ++number) {
    if (into[number] || !from[number]) continue;
    into[number] = from[number];
    grew = true;
  }
  for (const auto& word : from.spilled) {
    bool known =
        std::ranges::any_of(into.spilled, [&](const auto& each) { return each.first == word.first; });
    if (known || into.spilled.size() >= kMaxWords) continue;
    into.spilled.push_back(word);
    grew = true;
  }
  return grew;
}

bool AccessFlow::arrive(uint64_t address, State& state) {
  auto known = known_.find(address);
  if (known == known_.end()) return true;
  bool grew = merge(known->second, state);
  state = known->second;
  return grew;
}

bool AccessFlow::would_add(uint64_t address, const State& state) {
  if (known_.size() >= kMaxOpen) return false;
  auto [known, is_new] = known_.try_emplace(address);
  State both = known->second;
  return merge(both, state) || is_new;
}

// Follows straight-line code until control leaves it or nothing new is known.
void AccessFlow::follow(uint64_t address, State state) {
  const uint64_t max_steps = kMaxStepsForAByte * function_.size;
  while (function_.holds(address) && steps_++ < max_steps) {
    bool seen = seen_[address - function_.start];
    if (!arrive(address, state) && seen) return;
    std::optional<FlowInstruction> flow =
        decode_flow(decoder_, module_.bytes_at(address, kInstructionBytes), address);
    seen_[address - function_.start] = true;
    if (!flow || flow->length == 0) return;
    for (uint64_t i = 1; i < flow->length && function_.holds(address + i); ++i)
      seen_[address + i - function_.start] = true;
    step(address, *flow, state);
    bool jumps = flow->target && flow->flow != Flow::kAway && function_.holds(*flow->target);
    if (jumps && open_.size() < kMaxOpen && would_add(*flow->target, state))
      open_.emplace_back(*flow->target, state);
    bool goes_on = flow->flow == Flow::kNext || flow->flow == Flow::kBranch || flow->flow == Flow::kAway;
    if (!goes_on) return;
    address += flow->length;
  }
}

void AccessFlow::step(uint64_t address, const FlowInstruction& flow, State& state) {
  seed(address, state);
  Bytes code = module_.bytes_at(address, flow.length);
  DataAccess access = decode_data_access(decoder_, code);
  operands_ = decoder_.operands();
  if (access.any()) {
    std::optional<TypedPlace> place =
        place_of(address, {access.base, access.index, access.displacement}, state);
    if (place) places_.emplace(address, *place);
  }
  if (flow.flow == Flow::kAway)
    return_from_call(address, state);
  else
    change(address, state);
}

// Debug information overrides the result of the data-flow analysis.
void AccessFlow::seed(uint64_t address, State& state) const {
  if (locals_ == nullptr) return;
  for (uint8_t number = 0; number < RegisterValues::kCount; ++number) {
    if (!is_general(number)) continue;
    std::optional<DwarfLocals::Found> found = locals_->in_register(address, number);
    if (found) state[number] = pointed_to(*found->variable, found->offset);
  }
}

std::optional<TypedPlace> AccessFlow::pointed_to(const LocalVariable& variable, int64_t offset) {
  std::optional<DataType> target = variable.type.pointee();
  if (!target && variable.type.size() == sizeof(uint64_t)) {  // a class with a single pointer: an iterator
    std::optional<DataType> only = variable.type.type_at(0);
    if (only) target = only->pointee();
  }
  return target ? std::optional(TypedPlace{*target, offset}) : std::nullopt;
}

AccessFlow::Operand AccessFlow::operand_of(const ZydisDecodedOperand& operand) {
  return {register_number(operand.mem.base), register_number(operand.mem.index),
          operand.mem.disp.has_displacement ? operand.mem.disp.value : 0};
}

// Records register spills to stack words outside all described variables.
void AccessFlow::note_spill(uint64_t address, State& state) {
  const ZydisDecodedOperand& to = operands_[0];
  if (operands_.size() < 2 || to.type != ZYDIS_OPERAND_TYPE_MEMORY || !is_written(to)) return;
  std::optional<int64_t> word = frame_offset(address, operand_of(to));
  if (!word) return;
  std::erase_if(state.spilled, [&](const auto& each) { return each.first == *word; });
  uint8_t from = register_of(operands_[1]);
  bool whole = decoder_.instruction().mnemonic == ZYDIS_MNEMONIC_MOV && to.size == 64;
  if (whole && is_general(from) && state[from] && state.spilled.size() < kMaxWords)
    state.spilled.emplace_back(*word, *state[from]);
}

void AccessFlow::change(uint64_t address, State& state) {
  // Compilers pad code with instructions that have no effect.
  bool padding = decoder_.instruction().mnemonic == ZYDIS_MNEMONIC_NOP ||
                 (decoder_.instruction().mnemonic == ZYDIS_MNEMONIC_XCHG && operands_.size() > 1 &&
                  register_of(operands_[0]) == register_of(operands_[1]));
  if (padding) return;
  if (!operands_.empty()) note_spill(address, state);
  uint8_t target = operands_.empty() ? kNoRegister : register_of(operands_[0]);
  std::optional<TypedPlace> value =
      is_general(target) && is_written(operands_[0]) ? result(address, state) : std::nullopt;
  for (const ZydisDecodedOperand& operand : operands_) {
    uint8_t number = register_of(operand);
    if (is_general(number) && is_written(operand)) state[number].reset();
  }
  if (is_general(target) && is_written(operands_[0])) state[target] = value;
}

// Returns the target of the pointer in the first operand, a register, after the instruction.
std::optional<TypedPlace> AccessFlow::result(uint64_t address, const State& state) const {
  bool moves = decoder_.instruction().mnemonic == ZYDIS_MNEMONIC_MOV;
  if (operands_.size() == 2 && moves && operands_[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
    return fixed(operands_[1].imm.value.u & (operands_[0].size == 64 ? UINT64_MAX : UINT32_MAX));
  if (operands_.size() < 2 || operands_[0].size != 64) return std::nullopt;
  const ZydisDecodedOperand& source = operands_[1];
  uint8_t from = register_of(source);
  std::optional<TypedPlace> before = state[register_of(operands_[0])];
  std::optional<TypedPlace> other = is_general(from) ? state[from] : std::nullopt;
  bool frame = from == PERF_REG_X86_SP || from == PERF_REG_X86_BP;
  if (frame && !other) other = in_frame(address, {from, kNoRegister, 0});
  std::optional<TypedPlace> named;
  if (source.type == ZYDIS_OPERAND_TYPE_MEMORY && source.mem.segment != ZYDIS_REGISTER_FS &&
      source.mem.segment != ZYDIS_REGISTER_GS) {
    named = place_of(address, operand_of(source), state);
  }
  bool constant = source.type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  int64_t number = constant ? source.imm.value.s : 0;
  switch (decoder_.instruction().mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
      if (source.type != ZYDIS_OPERAND_TYPE_MEMORY) return other;
      if (std::optional<TypedPlace> loaded = loaded_from(named)) return loaded;
      return taken_back(address, operand_of(source), state);
    case ZYDIS_MNEMONIC_LEA:
      return named;
    case ZYDIS_MNEMONIC_ADD:
      if (constant) return before ? std::optional(before->plus(number)) : std::nullopt;
      return before ? before : other;
    case ZYDIS_MNEMONIC_SUB:
      if (constant) return before ? std::optional(before->plus(-number)) : std::nullopt;
      return other ? std::nullopt : before;  // the difference of two pointers is no pointer
    default:
      break;
  }
  if (decoder_.instruction().meta.category != ZYDIS_CATEGORY_CMOV) return std::nullopt;
  return before ? before : source.type == ZYDIS_OPERAND_TYPE_MEMORY ? loaded_from(named) : other;
}

void AccessFlow::return_from_call(uint64_t address, State& state) {
  std::optional<Dwarf_Die> callee;
  const auto& immediate = decoder_.instruction().raw.imm[0];
  if (immediate.is_relative) {
    callee = index_.function_at(address + decoder_.instruction().length +
                                static_cast<uint64_t>(immediate.value.s));
  }
  for (uint8_t number : kCallClobbers) state[number].reset();
  std::optional<DataType> returned = callee ? DataType::of(*callee, &index_) : std::nullopt;
  std::optional<DataType> target = returned ? returned->pointee() : std::nullopt;
  if (target) state[PERF_REG_X86_AX] = TypedPlace{*target};
}

// A constant displacement selects a member of the type; an index only selects an array element.
std::optional<TypedPlace> AccessFlow::place_of(uint64_t address, const Operand& operand,
                                               const State& state) const {
  if (operand.base == PERF_REG_X86_IP) {
    return global(address + decoder_.instruction().length + static_cast<uint64_t>(operand.displacement));
  }
  if (std::optional<TypedPlace> place = in_frame(address, operand)) return place;
  for (uint8_t number : {operand.base, operand.index}) {
    if (is_general(number) && state[number]) return state[number]->plus(operand.displacement);
  }
  return fixed(static_cast<uint64_t>(operand.displacement));
}

// Returns the target of an absolute address in the code of an object that is always loaded at one address.
std::optional<TypedPlace> AccessFlow::fixed(uint64_t address) const {
  return module_.is_position_independent() ? std::nullopt : global(address);
}

std::optional<int64_t> AccessFlow::frame_offset(uint64_t address, const Operand& operand) const {
  bool frame = operand.base == PERF_REG_X86_SP || operand.base == PERF_REG_X86_BP;
  if (!frame || operand.index != kNoRegister) return std::nullopt;
  const FrameRule* rule = frames_.at(address);
  bool follows =
      rule != nullptr && rule->cfa.kind == ValueRule::Kind::kRegister && rule->cfa.number == operand.base;
  return follows ? std::optional(operand.displacement - rule->cfa.offset_bytes) : std::nullopt;
}

std::optional<TypedPlace> AccessFlow::taken_back(uint64_t address, const Operand& operand,
                                                 const State& state) const {
  std::optional<int64_t> word = frame_offset(address, operand);
  for (const auto& [place, value] : state.spilled) {
    if (word == place) return value;
  }
  return std::nullopt;
}

std::optional<TypedPlace> AccessFlow::in_frame(uint64_t address, const Operand& operand) const {
  if (locals_ == nullptr || !is_general(operand.base)) return std::nullopt;
  std::optional<DwarfLocals::Found> found;
  std::optional<int64_t> offset = frame_offset(address, {operand.base, kNoRegister, operand.displacement});
  if (offset) found = locals_->in_memory(address, {kNoRegister, *offset});
  if (!found) found = locals_->in_memory(address, {operand.base, operand.displacement});
  if (!found) return std::nullopt;
  return TypedPlace{found->variable->type, found->offset, found->variable};
}

std::optional<TypedPlace> AccessFlow::global(uint64_t address) const {
  std::optional<DwarfIndex::Variable> variable = index_.variable_at(address);
  if (!variable) return std::nullopt;
  return TypedPlace{variable->type, static_cast<int64_t>(address - variable->address)};
}

std::optional<TypedPlace> AccessFlow::loaded_from(const std::optional<TypedPlace>& place) const {
  std::optional<DataType> held = place ? place->type.type_at(place->offset) : std::nullopt;
  std::optional<DataType> target = held ? held->pointee() : std::nullopt;
  return target ? std::optional(TypedPlace{*target}) : std::nullopt;
}

}  // namespace hm::symbol
