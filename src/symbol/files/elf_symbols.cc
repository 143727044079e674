// SPDX-License-Identifier: MIT
#include "symbol/files/elf_symbols.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <lzma.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "symbol/files/elf_sections.h"
#include "symbol/files/go_functions.h"
#include "symbol/files/go_section.h"
#include "symbol/files/plt.h"

namespace hm::symbol {
namespace {

// Caches whether a section of the image or its debug file holds code.
class CodeSections {
 public:
  bool contains(Elf* elf, GElf_Word index) {
    auto [found, is_new] = known_.try_emplace({elf, index}, false);
    if (is_new) found->second = look(elf, index);
    return found->second;
  }

 private:
  static bool look(Elf* elf, GElf_Word index) {
    GElf_Shdr header;
    Elf_Scn* section = elf_getscn(elf, index);
    return section != nullptr && gelf_getshdr(section, &header) != nullptr &&
           (header.sh_flags & SHF_EXECINSTR) != 0;
  }

  std::map<std::pair<Elf*, GElf_Word>, bool> known_;
};

// Returns true for functions and labels of assembly code, but not for the compiler's local labels.
bool is_code(const GElf_Sym& symbol, std::string_view name, Elf* elf, GElf_Word section,
             CodeSections& sections) {
  if (name.empty() || name.starts_with(".L") || section == SHN_UNDEF || section == SHN_ABS) return false;
  int type = GELF_ST_TYPE(symbol.st_info);
  if (type == STT_FUNC || type == STT_GNU_IFUNC) return true;
  return type == STT_NOTYPE && name.front() != '.' && name.front() != '$' && sections.contains(elf, section);
}

constexpr uint64_t kMaxUnpackedBytes = uint64_t{64} << 20;
constexpr uint64_t kMaxUnpackingMemory = uint64_t{128} << 20;  // for the decompressor; xz -9 needs 65 MiB
constexpr size_t kPieceBytes = size_t{1} << 16;

// Unpacks like elfutils, but discards the output. Damaged data fails before it becomes too large.
bool unpacks_to_little(Bytes packed) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_auto_decoder(&stream, kMaxUnpackingMemory, 0) != LZMA_OK) return false;
  stream.next_in = reinterpret_cast<const uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  std::vector<uint8_t> piece(kPieceBytes);
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK && stream.total_out <= kMaxUnpackedBytes) {
    stream.next_out = piece.data();
    stream.avail_out = piece.size();
    status = lzma_code(&stream, stream.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
  }
  bool little = stream.total_out <= kMaxUnpackedBytes && status != LZMA_MEMLIMIT_ERROR;
  lzma_end(&stream);
  return little;
}

// A stripped file may have symbols in .gnu_debugdata, an xz-compressed ELF file ("MiniDebugInfo" in gdb's
// manual). elfutils unpacks it into memory regardless of its size. Returns true if the size is plausible for
// symbols, or if there is no such section.
bool packed_symbols_are_modest(Elf* elf) {
  bool are_modest = true;
  for_each_named_section(elf, [&](std::string_view name, Elf_Scn* section, const GElf_Shdr&) {
    if (name != ".gnu_debugdata" || !are_modest) return;
    Bytes packed = bytes_of(elf_rawdata(section, nullptr));
    are_modest = packed.empty() || unpacks_to_little(packed);
  });
  return are_modest;
}

// Computes the limits of code symbols without a size.
class OpenEnds {
 public:
  OpenEnds(const ElfModule& module, const FrameExtents& extents) : extents_(extents) {
    for_each_section(module.elf(), [&](Elf_Scn*, const GElf_Shdr& header) {
      if ((header.sh_flags & SHF_EXECINSTR) != 0) sections_.push_back({header.sh_addr, header.sh_size});
    });
  }

  [[nodiscard]] uint64_t limit(uint64_t start) const {
    uint64_t limit = UINT64_MAX;
    auto section = std::ranges::find_if(sections_, [start](const Extent& each) { return each.holds(start); });
    if (section != sections_.end()) limit = section->start + section->size;
    std::optional<Extent> function = extents_.at(start);
    std::optional<uint64_t> end =
        function ? std::optional(function->start + function->size) : extents_.next_start(start);
    return std::min(limit, end.value_or(UINT64_MAX));
  }

 private:
  const FrameExtents& extents_;
  std::vector<Extent> sections_;
};

// Adds the functions of a Go program without a symbol table.
void add_go_functions(Elf* elf, std::vector<RawSymbol>& out) {
  if (std::ranges::find(out, "runtime.main", &RawSymbol::name) != out.end()) return;
  GoSection go = find_go_section(elf);
  std::ranges::copy(read_go_functions(go.table, go.text_start), std::back_inserter(out));
}

// `wanted` takes the symbol, its name, its file, and the number of its section in that file.
template <typename Wanted>
void add_table_symbols(const ElfModule& module, std::vector<RawSymbol>& out, Wanted&& wanted) {
  if (!packed_symbols_are_modest(module.elf())) return;
  bool is_arm = module.machine().elf == EM_ARM;
  int count = dwfl_module_getsymtab(module.module());
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    GElf_Word section = 0;
    Elf* elf = nullptr;
    const char* name =
        dwfl_module_getsym_info(module.module(), i, &symbol, &address, &section, &elf, nullptr);
    if (name == nullptr || !wanted(symbol, name, elf, section)) continue;
    // Bit 0 of a 32-bit ARM function's address selects the instruction set.
    if (is_arm && GELF_ST_TYPE(symbol.st_info) == STT_FUNC) address &= ~GElf_Addr{1};
    int binding = GELF_ST_BIND(symbol.st_info);
    bool is_label = binding == STB_LOCAL && symbol.st_size == 0 && GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE;
    out.push_back({address - module.bias(), symbol.st_size, name, binding == STB_WEAK, binding == STB_GLOBAL,
                   UINT64_MAX, is_label, GELF_ST_TYPE(symbol.st_info) == STT_FUNC});
  }
}

// Returns true for the label "my_sum.loop" behind "my_sum", as nasm writes it.
bool is_label_of(std::string_view label, std::string_view function) {
  return label.size() > function.size() && label.starts_with(function) && label[function.size()] == '.';
}

// Finds the labels inside functions, by the functions' sizes or else by the unwind table. Labels elsewhere
// may be functions of assembly code.
class InnerLabels {
 public:
  InnerLabels(const FrameExtents& extents, const OpenEnds& ends, const std::vector<RawSymbol>& sorted)
      : extents_(extents), ends_(ends) {
    for (const RawSymbol& symbol : sorted) {
      if (!symbol.label) starts_.push_back(symbol.start);
    }
  }

  // Takes the symbols in the order of their addresses. Returns true for a label inside a function.
  bool take(const RawSymbol& symbol) {
    if (symbol.label) return is_inside(symbol);
    function_ = symbol.name;
    if (symbol.size != 0 && symbol.size < UINT64_MAX - symbol.start)
      end_ = std::max(end_, symbol.start + symbol.size);
    // Assembly code that gives a function a type but no size has labels without a type.
    open_end_ = symbol.size == 0 && symbol.function ? ends_.limit(symbol.start) : 0;
    return false;
  }

 private:
  [[nodiscard]] bool is_inside(const RawSymbol& label) const {
    if (label.start < end_ || label.start < open_end_ || is_label_of(label.name, function_)) return true;
    std::optional<Extent> function = extents_.at(label.start);
    return function && function->start < label.start && std::ranges::binary_search(starts_, function->start);
  }

  const FrameExtents& extents_;
  const OpenEnds& ends_;
  std::vector<uint64_t> starts_;
  uint64_t end_ = 0;       // of the functions so far with a size
  uint64_t open_end_ = 0;  // of the last function, if it has no size
  std::string_view function_;
};

void remove_inner_labels(const FrameExtents& extents, const OpenEnds& ends, std::vector<RawSymbol>& symbols) {
  std::ranges::stable_sort(symbols, {}, &RawSymbol::start);
  InnerLabels labels(extents, ends, symbols);
  std::erase_if(symbols, [&](const RawSymbol& symbol) { return labels.take(symbol); });
}

}  // namespace

SymbolTable read_elf_symbols(const ElfModule& module, const FrameExtents& extents) {
  std::vector<RawSymbol> raw;
  CodeSections sections;
  add_table_symbols(module, raw,
                    [&](const GElf_Sym& symbol, std::string_view name, Elf* elf, GElf_Word section) {
                      return is_code(symbol, name, elf, section, sections);
                    });
  OpenEnds ends(module, extents);
  remove_inner_labels(extents, ends, raw);
  for (RawSymbol& symbol : raw) {
    if (symbol.size == 0) symbol.limit = ends.limit(symbol.start);
  }
  add_go_functions(module.elf(), raw);
  const std::vector<PltStub> stubs = read_plt_stubs(module.elf());
  for (const PltStub& stub : stubs) raw.push_back({stub.start, stub.size, stub.name, false, false});
  return SymbolTable(std::move(raw));
}

SymbolTable read_elf_data_symbols(const ElfModule& module) {
  std::vector<RawSymbol> raw;
  add_table_symbols(module, raw, [](const GElf_Sym& symbol, std::string_view name, Elf*, GElf_Word section) {
    int type = GELF_ST_TYPE(symbol.st_info);
    return (type == STT_OBJECT || type == STT_COMMON) && !name.empty() && symbol.st_size != 0 &&
           section != SHN_UNDEF && section != SHN_ABS;
  });
  return SymbolTable(std::move(raw));
}

std::map<uint64_t, std::string> read_elf_source_files(const ElfModule& module) {
  std::vector<RawSymbol> functions;
  std::vector<std::string_view> files;  // of the functions
  std::string_view file;
  add_table_symbols(module, functions, [&](const GElf_Sym& symbol, std::string_view name, Elf*, GElf_Word) {
    if (GELF_ST_TYPE(symbol.st_info) == STT_FILE) file = name;
    bool is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL && GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
    if (is_local) files.push_back(file);
    return is_local;
  });
  std::map<uint64_t, std::string> by_address;
  for (size_t i = 0; i < functions.size(); ++i) by_address.try_emplace(functions[i].start, files[i]);
  return by_address;
}

}  // namespace hm::symbol
