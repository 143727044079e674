// SPDX-License-Identifier: MIT
#include "symbol/files/dso.h"

#include <fmt/format.h>

#include <charconv>

#include "symbol/files/build_id.h"
#include "symbol/files/demangle.h"
#include "symbol/files/dwarf_frames.h"
#include "symbol/files/elf_symbols.h"
#include "symbol/files/kept_files.h"
#include "symbol/files/kernel_modules.h"
#include "symbol/files/text_tables.h"
#include "symbol/files/vdso.h"

namespace hm::symbol {
namespace {

bool is_perf_map(std::string_view path) { return path.starts_with("/tmp/perf-") && path.ends_with(".map"); }

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Dso::Dso(std::string path, std::string build_id, DebugFiles& debug_files)
    : path_(std::move(path)),
      build_id_(std::move(build_id)),
      debug_files_(debug_files),
      dwarf_frames_(std::make_unique<DwarfFrames>()) {}
Dso::~Dso() = default;

std::string Dso::unknown_name(uint64_t offset) const {
  if (is_kernel()) return "[kernel]";
  if (is_perf_map(path_)) return kJitCode;
  std::string_view name = base_name(path_);
  if (name == kVdsoPath) name = "vdso";
  return fmt::format("[{}+{:#x}]", name, offset);
}

void Dso::load() {
  if (loaded_) return;
  loaded_ = true;
  Status status = load_tables();
  if (!status.ok()) problem_ = status.error();
}

Status Dso::load_tables() {
  if (build_id_ == kNotHere)
    return make_error(ErrorCode::kNotFound, "the file that was recorded as '{}' is not on this machine",
                      path_);
  if (is_kernel()) return take_kernel();
  if (path_.starts_with(kKernelCodePrefix)) return take_kernel_code();
  if (is_perf_map(path_)) return take_table(read_perf_map(path_));
  if (JitDump::is_name_of_one(path_)) return take_jitdump();
  if (path_ == kVdsoPath) return take_elf(ElfModule::open(vdso_image(), path_, debug_files_));
  if (std::string module = module_of(path_); !module.empty() && !build_id_.empty()) {
    Result<SymbolTable> table = read_module_symbols(module, build_id_);
    if (table.ok() || path_.starts_with('[')) return take_table(std::move(table));
  }
  if (!path_.starts_with('/')) return make_error(ErrorCode::kNotFound, "'{}' is no file", path_);
  Status taken = take_elf(ElfModule::open(path_, debug_files_));
  return taken ? taken : take_kept(taken.error());
}

Status Dso::take_kept(const Error& why_not_here) {
  std::string kept = kept_file(build_id_);
  if (kept.empty()) return why_not_here;
  Result<ElfModule> module = ElfModule::open(kept, debug_files_);
  if (!module) return why_not_here;
  // A file without a build ID is cached under another key, so its build ID cannot be checked.
  return module->build_id().empty() ? take_whole(*std::move(module)) : take_elf(std::move(module));
}

Status Dso::take_kernel() {
  if (build_id_.empty()) {
    return make_error(ErrorCode::kNotFound,
                      "the recording does not say which build of the kernel ran, and it is not known to be "
                      "the running one, "
                      "so its symbols are not used");
  }
  Result<std::string> running = kernel_build_id();
  if (Status same = check_build_id(running.ok() ? *running : ""); !same.ok()) return same;
  std::string_view reference = std::string_view(path_).substr(kKernelPrefix.size());
  return take_table(read_kallsyms(reference.empty() ? "_text" : reference));
}

Status Dso::take_jitdump() {
  Result<JitDump> dump = JitDump::open(path_);
  if (!dump) return dump.error();
  jitdump_ = *std::move(dump);
  return take_table(jitdump_->symbols());
}

// The path contains the function's size and name.
Status Dso::take_kernel_code() {
  std::string_view rest = std::string_view(path_).substr(kKernelCodePrefix.size());
  uint64_t bytes = 0;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), bytes);
  if (error != std::errc() || !std::string_view(end, rest.data() + rest.size()).starts_with(':'))
    return make_error(ErrorCode::kDamaged, "'{}' is no code of the kernel", path_);
  std::string_view name(end + 1, rest.data() + rest.size());
  symbols_ = SymbolTable({RawSymbol{.start = 0, .size = bytes, .name = name}});
  return {};
}

Status Dso::take_table(Result<SymbolTable> table) {
  if (!table.ok()) return table.error();
  symbols_ = *std::move(table);
  return {};
}

Status Dso::check_build_id(const std::string& found) const {
  if (build_id_.empty() || same_build_id(build_id_, found)) return {};
  return make_error(
      ErrorCode::kNotFound,
      "'{}' is another build than the recorded one (build-id {} here, {} in the recording), so its "
      "symbols are not used",
      path_, found.empty() ? "none" : found, build_id_);
}

Status Dso::take_elf(Result<ElfModule> module) {
  if (!module.ok()) return module.error();
  if (Status same = check_build_id(module->build_id()); !same.ok()) return same;
  return take_whole(*std::move(module));
}

Status Dso::take_whole(ElfModule module) {
  elf_ = std::move(module);
  extents_.emplace(*elf_);
  symbols_ = read_elf_symbols(*elf_, *extents_);
  return {};
}

std::optional<uint64_t> Dso::address_of(uint64_t offset) {
  load();
  if (problem_) return std::nullopt;
  return elf_ ? elf_->address_of_offset(offset) : offset;
}

const SymbolTable& Dso::symbols() {
  load();
  return symbols_;
}

const ElfModule* Dso::elf() {
  load();
  return elf_ ? &*elf_ : nullptr;
}

Function Dso::function_at(uint64_t offset) {
  std::optional<uint64_t> address = address_of(offset);
  // Addresses in a kernel without symbols, or in JIT code without a map, are meaningless: they share one row.
  bool one_row = is_kernel() || is_perf_map(path_);
  if (!address) return {unknown_name(offset), one_row ? 0 : offset, 0, false};
  if (std::optional<Symbol> symbol = symbols_.find(*address))
    return {demangle(symbol->name), symbol->start, symbol->size, true};
  std::optional<Extent> extent = extents_ ? extents_->at(*address) : std::nullopt;
  std::optional<uint64_t> start = extent ? elf_->offset_of_address(extent->start) : std::nullopt;
  if (!start) return {unknown_name(offset), one_row ? 0 : *address, 0, false};
  return {unknown_name(*start), extent->start, extent->size, false};
}

std::optional<DataObject> Dso::data_at(uint64_t address) {
  load();
  if (!elf_ || !elf_->loads(address)) return std::nullopt;
  if (!data_symbols_) data_symbols_ = read_elf_data_symbols(*elf_);
  if (std::optional<Symbol> symbol = data_symbols_->find(address))
    return DataObject{demangle(symbol->name), symbol->start, symbol->size};
  return DataObject{elf_->section_at(address), address, 0};
}

SourceLine Dso::line_of_address(uint64_t address) {
  load();
  if (jitdump_) return jitdump_->line_at(address);
  if (!elf_) return {};
  SourceLine line = dwarf_line(*elf_, address);
  if (line.line != 0) return line;
  std::vector<Frame> frames = go_frames_at(address);
  return frames.empty() ? line : SourceLine{std::move(frames.front().file), frames.front().line};
}

std::vector<Frame> Dso::go_frames_at(uint64_t address) {
  if (!go_lines_) go_lines_.emplace(*elf_);
  return go_lines_->at(address);
}

std::vector<Frame> Dso::frames_of_address(uint64_t address) {
  load();
  std::vector<Frame> frames;
  if (elf_) frames = dwarf_frames_->at(*elf_, address);
  if (elf_ && frames.empty()) frames = go_frames_at(address);
  if (frames.empty()) frames.emplace_back();
  if (jitdump_) {
    SourceLine line = jitdump_->line_at(address);
    frames.back().file = std::move(line.file);
    frames.back().line = line.line;
  }
  // The symbol names the outermost function, as in all other places: debug information may lack its
  // parameters.
  std::optional<Symbol> symbol = symbols_.find(address);
  if (symbol) frames.back().function = demangle(symbol->name);
  return frames;
}

std::vector<Frame> Dso::frames_at(uint64_t offset) {
  std::optional<uint64_t> address = address_of(offset);
  if (!address) return {{unknown_name(offset), {}, 0, false}};
  std::vector<Frame> frames = frames_of_address(*address);
  if (frames.back().function.empty()) frames.back().function = function_at(offset).name;
  return frames;
}

CodeLoads Dso::code_loads() {
  load();
  return jitdump_ ? jitdump_->loads() : CodeLoads();
}

CodeKind Dso::code_kind(uint64_t address) {
  load();
  if (!elf_) return {.machine = jitdump_ ? jitdump_->machine() : Machine()};
  if (!code_kinds_) code_kinds_.emplace(*elf_);
  return code_kinds_->at(address);
}

Result<Bytes> Dso::code(uint64_t address, uint64_t size) {
  load();
  if (problem_) return *problem_;
  if (!elf_ && !jitdump_)
    return make_error(ErrorCode::kUnsupported, "'{}' holds names only, no code to show", path_);
  Bytes bytes = elf_ ? elf_->bytes_at(address, size) : jitdump_->code_at(address, size);
  if (bytes.empty()) return make_error(ErrorCode::kDamaged, "'{}' holds no code at {:#x}", path_, address);
  return bytes;
}

}  // namespace hm::symbol
