// SPDX-License-Identifier: MIT
#include "symbol/files/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "symbol/files/language_names.h"
#include "symbol/files/rust_demangle.h"

namespace hm::symbol {
namespace {

// The runtime's demangler recurses and expands substitutions, so longer names are shown mangled.
constexpr size_t kMaxMangled = 4096;

std::optional<std::string> demangle_itanium(std::string_view name) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || text == nullptr) return std::nullopt;
  return std::string(text.get());
}

}  // namespace

std::string demangle(std::string_view name) {
  if (name.size() > kMaxMangled) return std::string(name);
  size_t at = name.find('@');  // "@plt", "@@GLIBC_2.17"
  std::string_view suffix = at == std::string_view::npos ? std::string_view() : name.substr(at);
  std::string mangled = without_lto_suffixes(name.substr(0, at));
  std::optional<std::string> text = demangle_rust(mangled);
  if (!text && mangled.starts_with("_Z")) text = demangle_itanium(mangled);
  if (!text) text = language_name(mangled);
  return text.value_or(mangled) + std::string(suffix);
}

std::string nim_display_name(std::string name) {
  std::string bare = name.substr(0, name.find('.'));  // without ".part.0"
  std::optional<std::string> text = nim_program_name(bare);
  return text ? *text + name.substr(bare.size()) : name;
}

}  // namespace hm::symbol
