// SPDX-License-Identifier: MIT
#include "symbol/types/data_types.h"

#include <asm/perf_regs.h>

namespace hm::symbol {
namespace {

constexpr uint64_t kMaxFlowBytes = uint64_t{1} << 20;

}  // namespace

DataTypes::DataTypes(const ElfModule& module, const SymbolTable& functions)
    : module_(module), symbols_(functions), index_(module), frames_(module) {}

std::optional<DataTypes::TypedLocation> DataTypes::of_variable(uint64_t address) const {
  std::optional<DwarfIndex::Variable> variable = index_.variable_at(address);
  if (!variable) return std::nullopt;
  return TypedLocation{variable->type, static_cast<int64_t>(address - variable->address), {}};
}

const DataTypes::Function* DataTypes::function_around(uint64_t address) {
  std::optional<Symbol> symbol = symbols_.find(address);
  if (!symbol || symbol->size > kMaxFlowBytes || !module_.is_x86_64()) return nullptr;
  auto [found, is_new] = functions_.try_emplace(symbol->start);
  Function& function = found->second;
  if (!is_new) return &function;
  if (std::optional<Dwarf_Die> entry = index_.function_at(symbol->start))
    function.locals = std::make_unique<DwarfLocals>(index_, *entry);
  function.flow = std::make_unique<AccessFlow>(module_, index_, frames_, function.locals.get(),
                                               Extent{symbol->start, symbol->size});
  return &function;
}

std::optional<DataTypes::TypedLocation> DataTypes::of_access(uint64_t address) {
  const Function* function = function_around(address);
  std::optional<TypedPlace> place = function == nullptr ? std::nullopt : function->flow->at(address);
  if (!place) return std::nullopt;
  return TypedLocation{place->type, place->offset,
                       place->variable == nullptr ? std::string() : place->variable->name};
}

std::optional<DataTypes::TypedLocation> DataTypes::in_frame(uint64_t address, int64_t above_stack_pointer) {
  const Function* function = function_around(address);
  if (function == nullptr || function->locals == nullptr) return std::nullopt;
  std::optional<DwarfLocals::Found> found =
      function->locals->in_memory(address, {PERF_REG_X86_SP, above_stack_pointer});
  const FrameRule* rule = frames_.at(address);
  bool follows =
      rule != nullptr && rule->cfa.kind == ValueRule::Kind::kRegister && rule->cfa.number == PERF_REG_X86_SP;
  if (!found && follows)
    found = function->locals->in_memory(address, {kNoRegister, above_stack_pointer - rule->cfa.offset_bytes});
  if (!found) return std::nullopt;
  return TypedLocation{found->variable->type, found->offset, found->variable->name};
}

}  // namespace hm::symbol
