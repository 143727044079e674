// SPDX-License-Identifier: MIT
#include "symbol/files/rust_instances.h"

namespace hm::symbol {
namespace {

// Returns "_ZN4shop4walk" for "_ZN4shop4walk17h0123456789abcdefE"; empty for other symbols.
std::string_view without_hash(std::string_view symbol) {
  constexpr std::string_view kBegin = "_ZN", kHash = "17h", kHex = "0123456789abcdef";
  constexpr size_t kDigits = 16;
  symbol = symbol.substr(0, symbol.find('.'));  // ".llvm.123"
  constexpr size_t kEnd = kHash.size() + kDigits + 1;
  if (!symbol.starts_with(kBegin) || !symbol.ends_with('E') || symbol.size() < kBegin.size() + kEnd)
    return {};
  std::string_view hash = symbol.substr(symbol.size() - kEnd);
  bool is_hash = hash.starts_with(kHash) && hash.find_first_not_of(kHex, kHash.size()) == hash.size() - 1;
  return is_hash ? symbol.substr(0, symbol.size() - kEnd) : std::string_view();
}

}  // namespace

RustInstances::RustInstances(const SymbolTable& symbols) {
  std::unordered_set<std::string_view> seen;
  for (size_t i = 0; i < symbols.size(); ++i) {
    std::string_view name = without_hash(symbols.at(i).name);
    if (!name.empty() && !seen.insert(name).second) twins_.insert(name);
  }
}

bool RustInstances::has_twin(std::string_view symbol) const { return twins_.contains(without_hash(symbol)); }

std::string with_type_arguments(const std::string& name, std::string_view instance) {
  std::string_view component = instance.substr(0, instance.find('<'));
  if (component.empty() || !name.ends_with(component)) return {};
  std::string scope = name.substr(0, name.size() - component.size());
  return scope.empty() || scope.ends_with("::") ? scope.append(instance) : std::string();
}

}  // namespace hm::symbol
