// SPDX-License-Identifier: MIT
#include "symbol/files/dso.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text_file.h"
#include "symbol/files/build_id.h"
#include "symbol/files/demangle.h"
#include "symbol/files/dwarf_frames.h"
#include "symbol/files/elf_symbols.h"
#include "symbol/files/kept_files.h"
#include "symbol/files/kernel_modules.h"
#include "symbol/files/recorded_file.h"
#include "symbol/files/split_units.h"
#include "symbol/files/text_tables.h"
#include "symbol/files/vdso.h"

namespace hm::symbol {
namespace {

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

void visit_split_units(const ElfModule& elf, const std::function<void(const VisitedFile&)>& visit) {
  elf.split_units().visit_images([&](const std::string& number, Bytes image) {
    visit({ArchivedKind::kUnit, number, image});
  });
}

}  // namespace

Dso::Dso(std::string path, std::string build_id, DebugFiles& debug_files, ProcessMapping process)
    : path_(std::move(path)),
      build_id_(std::move(build_id)),
      process_(std::move(process)),
      debug_files_(debug_files),
      dwarf_frames_(std::make_unique<DwarfFrames>()) {}
Dso::~Dso() = default;

std::string Dso::unknown_name(uint64_t offset) const {
  if (is_kernel()) return "[kernel]";
  if (is_perf_map(path_)) return kJitCode;
  std::string_view name = base_name(path_);
  if (name == kVdsoPath) name = "vdso";
  if (was_built_again_) return fmt::format("[{}, built again since]", name);
  if (is_missing()) return fmt::format("[{}, not found]", name);
  return fmt::format("[{}+{:#x}]", name, offset);
}

void Dso::load() {
  if (loaded_) return;
  loaded_ = true;
  Status status = load_tables();
  if (!status.ok()) problem_ = status.error();
}

Status Dso::load_tables() {
  if (build_id_ == kNotHere || build_id_ == kChanged) return take_archived();
  if (is_kernel()) return take_kernel();
  if (path_.starts_with(kKernelCodePrefix)) return take_kernel_code();
  if (is_perf_map(path_)) return take_perf_map();
  if (JitDump::is_name_of_one(path_)) return take_jitdump();
  if (path_ == kVdsoPath) return take_vdso();
  if (std::string module = module_of(path_); !module.empty() && !build_id_.empty()) {
    Result<SymbolTable> table = read_module_symbols(module, build_id_);
    if (!table) {
      Result<SymbolTable> kept = read_kept_module_symbols(module, build_id_);
      if (kept) {
        kernel_code_ = KeptKernelCode::open(build_id_, module, debug_files_);
        return take_table(std::move(kept));
      }
    }
    if (table.ok() || path_.starts_with('[')) return take_table(std::move(table));
  }
  if (!path_.starts_with('/')) return make_error(ErrorCode::kNotFound, "'{}' is not a file", path_);
  return take_file();
}

// Takes a file without a build ID, which is not the one at its path, from an archive.
Status Dso::take_archived() {
  UniqueFd archived = debug_files_.open_archived(ArchivedKind::kObject, path_, "");
  if (archived.valid()) {
    Result<ElfModule> module = ElfModule::open(std::move(archived), path_, debug_files_);
    return module ? take_whole(*std::move(module)) : Status(module.error());
  }
  was_built_again_ = build_id_ == kChanged;
  if (!was_built_again_)
    return make_error(ErrorCode::kNotFound, "the file that was recorded as '{}' is not on this machine",
                      path_);
  return make_error(
      ErrorCode::kNotFound,
      "'{}' was changed after the recording, and has no build ID, so its samples have no names (--trust-files uses it nevertheless)",
      path_);
}

Status Dso::take_file() {
  RecordedFile found = find_recorded_file(path_, build_id_, process_, debug_files_);
  was_built_again_ = found.was_built_again;
  return found.module ? take_whole(*std::move(found.module)) : Status(*found.problem);
}

// Returns the path of the open file.
std::string Dso::hold(UniqueFd file) {
  held_ = std::move(file);
  return fmt::format("/proc/self/fd/{}", held_.get());
}

// Returns the path of a copy that was made for recordings; empty if there is none.
std::string Dso::copy_here(const char* name) {
  UniqueFd archived = debug_files_.open_archived(ArchivedKind::kObject, path_, build_id_);
  return archived.valid() ? hold(std::move(archived)) : kept_file(build_id_, name);
}

// The copy is that of the recording's end. The number of the process may belong to another one by now.
Status Dso::take_perf_map() {
  table_ = copy_here("elf");
  if (table_.empty()) {
    Result<UniqueFd> map = open_perf_map(path_);
    if (!map) return map.error();
    table_ = hold(*std::move(map));
  }
  return take_table(read_perf_map_file(table_));
}

Status Dso::take_vdso() {
  Status taken = take_elf(ElfModule::open(vdso_image(), path_, debug_files_));
  std::string copy = taken ? "" : copy_here("vdso");
  return copy.empty() ? taken : take_elf(ElfModule::open(copy, debug_files_));
}

Status Dso::take_kernel() {
  if (build_id_.empty()) {
    return make_error(
        ErrorCode::kNotFound,
        "the recording lacks the kernel's build ID, so the symbols of the running kernel are not used");
  }
  Result<std::string> running = kernel_build_id();
  std::string_view reference = std::string_view(path_).substr(kKernelPrefix.size());
  if (reference.empty()) reference = "_text";
  Status same = check_build_id(running.ok() ? *running : "");
  table_ = same ? "/proc/kallsyms" : copy_here(kKeptKallsyms);
  if (table_.empty()) return same;
  if (!same) kernel_code_ = KeptKernelCode::open(build_id_, {}, debug_files_);
  return take_table(read_kallsyms_file(table_, reference));
}

Status Dso::take_jitdump() {
  table_ = copy_here("elf");
  if (table_.empty() && process_.pid != 0) {
    if (UniqueFd inside = open_file_of_process(process_); inside.valid()) table_ = hold(std::move(inside));
  }
  if (table_.empty()) table_ = path_;
  Result<JitDump> dump = JitDump::open(table_);
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
      "'{}' is another build than the recorded one (build-id {} here, {} in the recording), so its symbols are not used",
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
  is_nim_ = symbols_.find_name("NimMain").has_value();
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

std::string Dso::display_name(const Symbol& symbol) const {
  std::string name = demangle(symbol.name);
  return is_nim_ ? nim_display_name(std::move(name)) : name;
}

const ElfModule* Dso::elf() {
  load();
  return elf_ ? &*elf_ : nullptr;
}

Function Dso::function_at(uint64_t offset) {
  std::optional<uint64_t> address = address_of(offset);
  // Addresses in a kernel without symbols, or in JIT code without a map, are meaningless: they share one row.
  // The same is true for a file that was built again. The functions of a file that is not found are unknown.
  bool one_row = is_kernel() || is_perf_map(path_) || was_built_again_ || is_missing();
  if (!address) return {unknown_name(offset), one_row ? 0 : offset, 0, false};
  if (std::optional<Symbol> symbol = symbols_.find(*address))
    return {display_name(*symbol), symbol->start, symbol->size, true};
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

std::string Dso::unit_file(uint64_t function_address) {
  load();
  if (!elf_) return {};
  if (std::string file = dwarf_unit_file(*elf_, function_address); !file.empty()) return file;
  if (!source_files_) source_files_ = read_elf_source_files(*elf_);
  auto found = source_files_->find(function_address);
  return found == source_files_->end() ? std::string() : found->second;
}

std::string Dso::instance_name(uint64_t function_address) {
  load();
  std::optional<Symbol> symbol = elf_ ? symbols_.find(function_address) : std::nullopt;
  if (!symbol) return {};
  if (!rust_instances_) rust_instances_.emplace(symbols_);
  if (!rust_instances_->has_twin(symbol->name)) return {};
  return with_type_arguments(display_name(*symbol), dwarf_frames_->instance_name(*elf_, function_address));
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
  if (is_nim_) {
    for (Frame& frame : frames) frame.function = nim_display_name(std::move(frame.function));
  }
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
  if (kernel_code_) return {.machine = kernel_code_->machine()};
  if (!elf_) return {.machine = jitdump_ ? jitdump_->machine() : Machine()};
  if (!code_kinds_) code_kinds_.emplace(*elf_);
  return code_kinds_->at(address);
}

Result<Bytes> Dso::code(uint64_t address, uint64_t size) {
  load();
  if (problem_) return *problem_;
  if (!elf_ && !jitdump_ && !kernel_code_)
    return make_error(ErrorCode::kUnsupported, "'{}' holds names only, no code to show", path_);
  Bytes bytes = elf_       ? elf_->bytes_at(address, size)
                : jitdump_ ? jitdump_->code_at(address, size)
                           : kernel_code_->at(address, size);
  if (bytes.empty()) return make_error(ErrorCode::kDamaged, "'{}' holds no code at {:#x}", path_, address);
  return bytes;
}

void Dso::visit_files(const std::function<void(const VisitedFile&)>& visit) {
  load();
  if (problem_) return;
  if (elf_) {
    visit({ArchivedKind::kObject, {}, elf_->file()});
    if (Bytes debug = elf_->debug_file(); !debug.empty()) visit({ArchivedKind::kDebug, {}, debug});
    if (Bytes shared = elf_->shared_debug_file(); !shared.empty()) visit({ArchivedKind::kShared, {}, shared});
    visit_split_units(*elf_, visit);
  } else if (std::optional<std::string> text = read_text(table_)) {
    visit({ArchivedKind::kObject, {}, std::as_bytes(std::span(*text))});
  }
}

}  // namespace hm::symbol
