// SPDX-License-Identifier: MIT
#include "symbol/files/kernel_modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/elf_notes.h"
#include "base/hex.h"
#include "base/take_until.h"
#include "base/text_file.h"
#include "symbol/files/build_id.h"
#include "symbol/files/kept_files.h"
#include "symbol/files/kernel_text.h"
#include "symbol/files/text_tables.h"

namespace hm::symbol {
namespace {

// Returns the build ID of the loaded module; empty if it has none.
std::string loaded_build_id(std::string_view module) {
  std::optional<std::string> notes =
      read_text(fmt::format("/sys/module/{}/notes/.note.gnu.build-id", module));
  return notes ? hex_of(build_id_in_notes(std::as_bytes(std::span(*notes)))) : std::string();
}

}  // namespace

std::string module_of(std::string_view path) {
  std::string_view name = path;
  if (name.starts_with('[') && name.ends_with(']')) {
    name = name.substr(1, name.size() - 2);
  } else {
    name = name.substr(name.rfind('/') + 1);
    size_t suffix = name.rfind(".ko");
    bool is_module = path.starts_with('/') && suffix != std::string_view::npos &&
                     (name.substr(suffix) == ".ko" || name.substr(suffix + 3).starts_with('.'));
    name = is_module ? name.substr(0, suffix) : std::string_view();
  }
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (name.find_first_not_of(kLetters) != std::string_view::npos) return {};
  std::string module(name);
  std::ranges::replace(module, '-', '_');
  return module;
}

std::optional<uint64_t> parse_module_address(std::string_view modules, std::string_view module) {
  while (!modules.empty()) {
    std::string_view line = take_until(modules, '\n');
    if (take_until(line, ' ') != module) continue;
    for (int field = 0; field < 4; ++field) (void)take_until(line, ' ');
    uint64_t address = hex_number(take_until(line, ' ')).value_or(0);
    return address == 0 ? std::nullopt : std::optional(address);
  }
  return std::nullopt;
}

std::optional<uint64_t> module_address(std::string_view module) {
  std::shared_ptr<const std::string> modules = kernel_text(kModulesPath);
  return modules != nullptr ? parse_module_address(*modules, module) : std::nullopt;
}

SymbolTable parse_module_symbols(std::string_view kallsyms, std::string_view module, uint64_t start) {
  std::string mark = fmt::format("\t[{}]", module);
  std::vector<RawSymbol> symbols;
  while (!kallsyms.empty()) {
    std::string_view line = take_until(kallsyms, '\n');
    if (!line.ends_with(mark)) continue;
    line.remove_suffix(mark.size());
    std::optional<RawSymbol> symbol = parse_kallsyms_line(line);
    if (!symbol || symbol->start < start) continue;
    symbol->start -= start;
    symbols.push_back(*symbol);
  }
  return SymbolTable(std::move(symbols));
}

Result<SymbolTable> read_module_symbols(std::string_view module, std::string_view build_id) {
  Result<std::string> kernel = kernel_build_id();
  bool is_same = (kernel.ok() && same_build_id(*kernel, build_id)) || loaded_build_id(module) == build_id;
  if (build_id.empty() || !is_same)
    return make_error(ErrorCode::kNotFound, "the recorded module '{}' is not loaded in the running kernel",
                      module);
  std::optional<uint64_t> start = module_address(module);
  std::shared_ptr<const std::string> kallsyms = kernel_text(kKallsymsPath);
  if (!start || kallsyms == nullptr)
    return make_error(
        ErrorCode::kPermission,
        "the kernel hides the addresses of module '{}'; run as root, or set kernel.kptr_restrict to 0",
        module);
  return parse_module_symbols(*kallsyms, module, *start);
}

std::optional<uint64_t> kept_module_address(std::string_view module, const std::string& build_id) {
  std::optional<std::string> modules = read_text(kept_file(build_id, kKeptModules));
  return modules ? parse_module_address(*modules, module) : std::nullopt;
}

Result<SymbolTable> read_kept_module_symbols(std::string_view module, const std::string& build_id) {
  std::optional<std::string> kallsyms = read_text(kept_file(build_id, kKeptKallsyms));
  std::optional<uint64_t> start = kept_module_address(module, build_id);
  if (!start || !kallsyms)
    return make_error(ErrorCode::kNotFound, "the symbols of the recorded kernel's module '{}' were not kept",
                      module);
  return parse_module_symbols(*kallsyms, module, *start);
}

}  // namespace hm::symbol
