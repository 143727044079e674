// SPDX-License-Identifier: MIT
#include "symbol/files/code_kinds.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "symbol/files/elf_module.h"

namespace hm::symbol {
namespace {

bool has_mapping_symbols(const Machine& machine) {
  return machine.elf == EM_ARM || machine.elf == EM_AARCH64 || machine.elf == EM_RISCV;
}

// Returns the content after the mapping symbol, for example "$d" or "$d.12"; nullopt for all other symbols.
std::optional<CodeKind::Content> content_after(std::string_view name) {
  constexpr size_t kShortest = 2;
  bool is_mapping = name.size() >= kShortest && name.front() == '$' &&
                    (name.size() == kShortest || name[kShortest] == '.' || name.starts_with("$xrv"));
  if (!is_mapping) return std::nullopt;
  switch (name[1]) {
    case 'a':
    case 'x':
      return CodeKind::Content::kCode;
    case 't':
      return CodeKind::Content::kThumb;
    case 'd':
      return CodeKind::Content::kData;
    default:
      return std::nullopt;
  }
}

// Returns the content of a function of 32-bit ARM: bit 0 of its address selects the instruction set.
std::optional<CodeKind::Content> content_of_function(const GElf_Sym& symbol, bool is_arm) {
  bool is_function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
  if (!is_arm || !is_function) return std::nullopt;
  return (symbol.st_value & 1) != 0 ? CodeKind::Content::kThumb : CodeKind::Content::kCode;
}

}  // namespace

CodeKinds::CodeKinds(const ElfModule& module) : machine_(module.machine()) {
  if (has_mapping_symbols(machine_)) read_symbols(module);
}

void CodeKinds::read_symbols(const ElfModule& module) {
  std::vector<Change> functions;
  int count = dwfl_module_getsymtab(module.module());
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* name =
        dwfl_module_getsym_info(module.module(), i, &symbol, &address, nullptr, nullptr, nullptr);
    if (name == nullptr) continue;
    uint64_t start = address - module.bias();
    if (std::optional<CodeKind::Content> content = content_after(name)) changes_.push_back({start, *content});
    if (auto content = content_of_function(symbol, machine_.elf == EM_ARM))
      functions.push_back({start & ~uint64_t{1}, *content});
  }
  if (changes_.empty()) changes_ = std::move(functions);
  std::ranges::stable_sort(changes_, {}, &Change::address);
}

CodeKind CodeKinds::at(uint64_t address) const {
  CodeKind kind{.machine = machine_};
  auto after = std::ranges::upper_bound(changes_, address, {}, &Change::address);
  if (after != changes_.begin()) kind.content = std::prev(after)->content;
  if (after != changes_.end()) kind.end = after->address;
  return kind;
}

}  // namespace hm::symbol
