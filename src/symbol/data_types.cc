// SPDX-License-Identifier: MIT
#include "symbol/data_types.h"

namespace hm::symbol {
namespace {

constexpr uint64_t kMaxFunctionBytes = uint64_t{1} << 20;

}  // namespace

DataTypes::DataTypes(const ElfModule& module, const SymbolTable& functions)
    : module_(module), symbols_(functions), index_(module), frames_(module) {}

std::optional<DataTypes::Place> DataTypes::of_variable(uint64_t address) const {
  std::optional<DwarfIndex::Variable> variable = index_.variable_at(address);
  if (!variable) return std::nullopt;
  return Place{variable->type, static_cast<int64_t>(address - variable->address), {}};
}

const DataTypes::Function& DataTypes::function_at(const Extent& extent) {
  auto [found, is_new] = functions_.try_emplace(extent.start);
  Function& function = found->second;
  if (!is_new) return function;
  if (std::optional<Dwarf_Die> entry = index_.function_at(extent.start))
    function.locals = std::make_unique<DwarfLocals>(index_, *entry);
  function.flow = std::make_unique<AccessFlow>(module_, index_, frames_, function.locals.get(), extent);
  return function;
}

std::optional<DataTypes::Place> DataTypes::of_access(uint64_t address) {
  std::optional<Symbol> symbol = symbols_.find(address);
  if (!symbol || symbol->size > kMaxFunctionBytes || !module_.is_x86_64()) return std::nullopt;
  std::optional<TypedPlace> place = function_at({symbol->start, symbol->size}).flow->at(address);
  if (!place) return std::nullopt;
  return Place{place->type, place->offset,
               place->variable == nullptr ? std::string() : place->variable->name};
}

}  // namespace hm::symbol
