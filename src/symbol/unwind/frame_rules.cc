// SPDX-License-Identifier: MIT
#include "symbol/unwind/frame_rules.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "symbol/unwind/frame_programs.h"

namespace hm::symbol {
namespace {

using Operations = std::span<const Dwarf_Op>;

constexpr int kReturnAddress = 16;     // DWARF register number
constexpr size_t kMaxOperations = 64;  // per expression; C libraries and linkers use under 10

struct FreeFrame {
  void operator()(Dwarf_Frame* frame) const { std::free(frame); }
};

std::optional<ValueRule> register_plus(uint64_t dwarf_number, uint64_t offset) {
  uint8_t number = register_of_dwarf(dwarf_number);
  if (number == kNoRegister) return std::nullopt;
  return ValueRule{
      .kind = ValueRule::Kind::kRegister, .number = number, .offset_bytes = static_cast<int64_t>(offset)};
}

std::optional<ValueRule> expression(ValueRule::Kind kind, Operations operations, FrameRule& row) {
  if (operations.empty() || operations.size() > kMaxOperations) return std::nullopt;
  std::vector<FrameOperation>& kept = row.expressions.emplace_back();
  for (const Dwarf_Op& each : operations) kept.push_back({each.atom, each.number, each.number2});
  return ValueRule{.kind = kind, .expression = static_cast<uint16_t>(row.expressions.size() - 1)};
}

std::optional<ValueRule> cfa_rule(Operations operations, FrameRule& row) {
  if (operations.size() == 1) {
    const Dwarf_Op& only = operations[0];
    if (only.atom == DW_OP_bregx) return register_plus(only.number, only.number2);
    if (only.atom >= DW_OP_breg0 && only.atom <= DW_OP_breg31)
      return register_plus(only.atom - DW_OP_breg0, only.number);
  }
  return expression(ValueRule::Kind::kExpression, operations, row);
}

// Converts the operations for a register. They compute the address of the saved register or, with
// DW_OP_stack_value at the end, its value: dwarf_frame_register() in elfutils' libdw.h.
std::optional<ValueRule> register_rule(Operations operations, FrameRule& row) {
  const Dwarf_Op& first = operations[0];
  if (operations.size() == 1 && first.atom == DW_OP_regx) return register_plus(first.number, 0);
  bool value = operations.back().atom == DW_OP_stack_value;
  if (value) operations = operations.first(operations.size() - 1);
  bool offset = operations.size() == 2 && operations[1].atom == DW_OP_plus_uconst;
  if (first.atom == DW_OP_call_frame_cfa && (operations.size() == 1 || offset)) {
    return ValueRule{.kind = value ? ValueRule::Kind::kFrame : ValueRule::Kind::kMemory,
                     .offset_bytes = offset ? static_cast<int64_t>(operations[1].number) : 0};
  }
  return expression(value ? ValueRule::Kind::kExpression : ValueRule::Kind::kMemoryAtExpression, operations,
                    row);
}

// Returns true for rbx, rbp and r12 to r15, which a call preserves (System V ABI for x86-64, "Registers").
bool outlives_calls(int dwarf_number) {
  return dwarf_number == 3 || dwarf_number == 6 || (dwarf_number >= 12 && dwarf_number <= 15);
}

std::optional<ValueRule> caller_rule(Dwarf_Frame* frame, int dwarf_number, FrameRule& row) {
  std::array<Dwarf_Op, 3> space{};
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (dwarf_frame_register(frame, dwarf_number, space.data(), &operations, &count) != 0) return std::nullopt;
  if (count > 0) return register_rule({operations, count}, row);
  // elfutils reports all registers without a rule as unchanged, unless they are undefined.
  bool same = operations == nullptr && outlives_calls(dwarf_number);
  return same ? register_plus(static_cast<uint64_t>(dwarf_number), 0) : std::nullopt;
}

std::optional<FrameRule> read_rule(Dwarf_Frame* frame, bool interrupted) {
  FrameRule row;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (dwarf_frame_cfa(frame, &operations, &count) != 0) return std::nullopt;
  std::optional<ValueRule> cfa = cfa_rule({operations, count}, row);
  if (!cfa) return std::nullopt;
  row.cfa = *cfa;
  row.interrupted = interrupted;
  for (int dwarf_number = 0; dwarf_number <= kReturnAddress; ++dwarf_number) {
    uint8_t number = register_of_dwarf(static_cast<uint64_t>(dwarf_number));
    if (std::optional<ValueRule> value = caller_rule(frame, dwarf_number, row))
      row.caller.push_back({number, *value});
  }
  row.caller.shrink_to_fit();
  return row;
}

}  // namespace

FrameRules::FrameRules(const ElfModule& module) : module_(module), eh_frame_(eh_frame(module)) {}

FrameRules::Source FrameRules::eh_frame(const ElfModule& module) {
  if (!module.is_x86_64() || !modest_eh_frame(module)) return {};
  Dwarf_Addr bias = 0;
  Dwarf_CFI* cfi = dwfl_module_eh_cfi(module.module(), &bias);
  return {cfi, bias - module.bias()};
}

FrameRules::Source FrameRules::debug_frame(const ElfModule& module) {
  Dwarf_Addr bias = 0;
  Dwarf* dwarf = module.is_x86_64() ? dwfl_module_getdwarf(module.module(), &bias) : nullptr;
  if (dwarf == nullptr || !modest_debug_frame(dwarf_getelf(dwarf))) return {};
  Dwarf_CFI* cfi = dwfl_module_dwarf_cfi(module.module(), &bias);
  return {cfi, bias - module.bias()};
}

const FrameRule* FrameRules::at(uint64_t address) {
  auto after = rows_.upper_bound(address);
  if (after != rows_.begin() && address < std::prev(after)->second.end) return &std::prev(after)->second.rule;
  if (const FrameRule* rule = read(eh_frame_, address); rule != nullptr) return rule;
  if (!debug_frame_) debug_frame_ = debug_frame(module_);
  return read(*debug_frame_, address);
}

const FrameRule* FrameRules::read(const Source& source, uint64_t address) {
  Dwarf_Frame* found = nullptr;
  if (source.cfi == nullptr || dwarf_cfi_addrframe(source.cfi, address - source.bias, &found) != 0)
    return nullptr;
  std::unique_ptr<Dwarf_Frame, FreeFrame> frame(found);
  Dwarf_Addr start = 0, end = 0;
  bool interrupted = false;
  if (dwarf_frame_info(frame.get(), &start, &end, &interrupted) != kReturnAddress) return nullptr;
  std::optional<FrameRule> rule = read_rule(frame.get(), interrupted);
  if (!rule) return nullptr;
  // The cached row begins at this address, not at `start`: after a DW_CFA_restore_state, elfutils reports the
  // start of the remembered row.
  return &rows_.try_emplace(address, Row{end + source.bias, *std::move(rule)}).first->second.rule;
}

}  // namespace hm::symbol
