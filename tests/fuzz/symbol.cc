// SPDX-License-Identifier: MIT
// Untrusted ELF files, mangled names and text tables. The input is an ELF file if it begins like one;
// otherwise it is used as all other formats.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "input.h"
#include "symbol/code/disassembly.h"
#include "symbol/files/build_id.h"
#include "symbol/files/demangle.h"
#include "symbol/files/dwarf_frames.h"
#include "symbol/files/elf_module.h"
#include "symbol/files/elf_symbols.h"
#include "symbol/files/frame_extents.h"
#include "symbol/files/text_tables.h"
#include "symbol/types/data_types.h"
#include "symbol/unwind/frame_rules.h"

namespace {

using namespace hm;

constexpr uint64_t kMaxCode = 4096;
constexpr size_t kMaxSymbols = 16;

// Reads the types of the file's variables, and of the accesses of its functions.
void read_data(const symbol::ElfModule& module, const symbol::SymbolTable& functions) {
  constexpr uint64_t kMaxBytes = 256;
  symbol::DataTypes types(module, functions);
  auto look = [](const std::optional<symbol::DataTypes::TypedLocation>& place) {
    if (!place) return;
    (void)place->type.field_at(place->offset, true);
    (void)place->type.element().layout();
  };
  symbol::SymbolTable variables = symbol::read_elf_data_symbols(module);
  for (size_t i = 0; i < variables.size() && i < kMaxSymbols; ++i) {
    symbol::Symbol variable = variables.at(i);
    (void)module.section_at(variable.start);
    for (uint64_t byte : {uint64_t{0}, variable.size / 2, variable.size - 1})
      look(types.of_variable(variable.start + byte));
  }
  for (size_t i = 0; i < functions.size() && i < kMaxSymbols; ++i) {
    for (uint64_t byte = 0; byte < kMaxBytes; ++byte) look(types.of_access(functions.at(i).start + byte));
  }
}

// An extent found for an address contains the address.
void read_extents(const symbol::FrameExtents& extents, uint64_t address) {
  constexpr int kMost = 64;
  std::optional<uint64_t> start = address;
  for (int i = 0; i < kMost && start; ++i) {
    std::optional<symbol::Extent> found = extents.at(*start);
    if (found && !found->holds(*start)) std::abort();
    start = extents.next_start(*start);
  }
}

void read_elf(Bytes bytes) {
  Result<symbol::ElfModule> module = symbol::ElfModule::open(bytes, "input");
  if (!module.ok()) return;
  (void)module->build_id();
  symbol::FrameExtents extents(*module);
  symbol::SymbolTable table = symbol::read_elf_symbols(*module, extents);
  for (const symbol::ElfModule::Code& code : module->code_segments()) read_extents(extents, code.address);
  symbol::DwarfFrames frames;
  symbol::FrameRules rules(*module);
  for (size_t i = 0; i < table.size() && i < kMaxSymbols; ++i) {
    symbol::Symbol function = table.at(i);
    (void)symbol::demangle(function.name);
    (void)frames.at(*module, function.start);
    (void)symbol::dwarf_line(*module, function.start);
    (void)rules.at(function.start);
    (void)rules.at(function.start + function.size / 2);
    Bytes code = module->bytes_at(function.start, std::min(function.size, kMaxCode));
    (void)symbol::disassemble(code, function.start);
    // A symbol found for an address begins at or before the address, and ends behind it.
    std::optional<symbol::Symbol> found = table.find(function.start);
    if (found && (found->start > function.start || function.start - found->start >= found->size))
      std::abort();
  }
  read_data(*module, table);
  if (std::optional<uint64_t> address = module->address_of_offset(bytes.size() / 2)) {
    (void)frames.at(*module, *address);
    (void)rules.at(*address);
    read_extents(extents, *address);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  std::string_view text = fuzz::text(data, size);
  if (text.starts_with("\x7f"
                       "ELF")) {
    read_elf(bytes);
    return 0;
  }
  (void)symbol::demangle(text);
  (void)symbol::parse_perf_map(text);
  (void)symbol::parse_kallsyms(text, "_text");
  (void)symbol::disassemble(bytes, 0, symbol::Syntax::kIntel);
  return 0;
}
