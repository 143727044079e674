// SPDX-License-Identifier: MIT
#include "symbol/code/predecessor_finder.h"

#include <algorithm>

#include "symbol/code/decoder.h"
#include "symbol/files/code_pointers.h"

namespace hm::symbol {
namespace {

constexpr uint64_t kMaxFunctionBytes = uint64_t{1} << 22;

}  // namespace

Predecessors PredecessorFinder::at(uint64_t address) {
  Predecessors predecessors;
  const ElfModule* elf = dso_.elf();
  if (elf == nullptr || !elf->is_x86_64()) {
    predecessors.undetermined = Undetermined::kNoCode;
    return predecessors;
  }
  std::optional<Extent> function = function_around(address);
  if (!function || !flow_of(*function).reaches(address)) {
    predecessors.undetermined = Undetermined::kNotDecoded;
    return predecessors;
  }
  Decoder decoder;
  for (const Way& way : flow_of(*function).ways_to(address)) {
    predecessors.arrivals.push_back({way, decode_data_access(decoder, elf->bytes_at(way.from, way.length))});
  }
  std::optional<Symbol> symbol = dso_.symbols().find(address);
  bool begins = symbol && symbol->start == address && address != function->start;
  // One extent covers all PLT stubs, and only stubs with known function names have symbols.
  bool in_stub = elf->section_at(address).starts_with(".plt") && address != function->start;
  if (begins || in_stub) predecessors.arrivals.push_back({{Way::Kind::kEntry}, {}});
  return predecessors;
}

// Prefers the unwind table: symbols without a size, and labels inside a function, would truncate it.
std::optional<Extent> PredecessorFinder::function_around(uint64_t address) {
  if (!extents_) extents_.emplace(*dso_.elf());
  std::optional<Extent> found = extents_->at(address);
  if (std::optional<Symbol> symbol = dso_.symbols().find(address); !found && symbol) {
    found = {symbol->start, symbol->size};
  }
  return found && found->size <= kMaxFunctionBytes ? found : std::nullopt;
}

const ControlFlow& PredecessorFinder::flow_of(const Extent& function) {
  auto found = flows_.find(function.start);
  if (found != flows_.end()) return found->second;
  if (!far_jumps_) far_jumps_.emplace(*dso_.elf());
  ControlFlow flow = inner_flow_of(function);
  for (const FarJump& jump : far_jumps_->into(*dso_.elf(), function)) {
    if (begins_instruction(jump.way)) flow.add_jump(jump.to, jump.way);
  }
  return flows_.emplace(function.start, std::move(flow)).first->second;
}

const ControlFlow& PredecessorFinder::inner_flow_of(const Extent& function) {
  auto found = inner_flows_.find(function.start);
  if (found != inner_flows_.end()) return found->second;
  Bytes code = dso_.elf()->bytes_at(function.start, function.size);
  return inner_flows_.try_emplace(function.start, code, function.start, pointers_into(function))
      .first->second;
}

// Returns true if an instruction begins at the jump or one byte before it (a prefix). Also true if no
// function is known there.
bool PredecessorFinder::begins_instruction(const Way& jump) {
  std::optional<Extent> function = function_around(jump.from);
  if (!function) return true;
  const ControlFlow& flow = inner_flow_of(*function);
  return flow.reaches(jump.from) || flow.reaches(jump.from - 1);
}

std::vector<uint64_t> PredecessorFinder::pointers_into(const Extent& function) {
  if (!code_pointers_) code_pointers_ = read_code_pointers(*dso_.elf());
  auto first = std::ranges::lower_bound(*code_pointers_, function.start);
  auto last = std::ranges::lower_bound(*code_pointers_, function.start + function.size);
  return {first, last};
}

}  // namespace hm::symbol
