// SPDX-License-Identifier: MIT
// A mapped object: an ELF file, the vDSO, the kernel, or the code of a just-in-time compiler.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/process_files.h"
#include "base/result.h"
#include "symbol/files/code_kinds.h"
#include "symbol/files/elf_module.h"
#include "symbol/files/frame.h"
#include "symbol/files/frame_extents.h"
#include "symbol/files/go_lines.h"
#include "symbol/files/jitdump.h"
#include "symbol/files/kept_kernel_code.h"
#include "symbol/files/names.h"
#include "symbol/files/rust_instances.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

class DwarfFrames;

// The meaning of `offset` depends on the object. For ELF files and the vDSO it is an offset in the file. For
// the kernel it is relative to the reference symbol ("[kernel.kallsyms]_text": to _text). For
// "/tmp/perf-PID.map" and "jit-PID.dump" it is the address itself, unless later code replaced the code there
// (JitDump). All data is read at its first use and cached. Not thread-safe.
class Dso {
 public:
  // `build_id` is that of the recorded object, in hex; empty if unknown, or kNotHere or kChanged. A file with
  // another build ID is not used, and problem() reports it. The kernel's symbols are used only if its build
  // ID is known. `process` maps the file if it is not at `path` (symbol/files/recorded_file.h). `debug_files`
  // must outlive this object.
  Dso(std::string path, std::string build_id, DebugFiles& debug_files = DebugFiles::usual(),
      ProcessMapping process = {});
  ~Dso();
  Dso(const Dso&) = delete;
  Dso& operator=(const Dso&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& build_id() const { return build_id_; }
  // Returns false for a file of a process that has another root.
  [[nodiscard]] bool is_in_own_root() const { return process_.pid == 0; }

  [[nodiscard]] Function function_at(uint64_t offset);
  // Innermost frame first, never empty; without debug information, one frame with the function's name.
  [[nodiscard]] std::vector<Frame> frames_at(uint64_t offset);
  // Returns the line of the innermost frame.
  [[nodiscard]] SourceLine line_of_address(uint64_t address);
  // Returns the source file that was compiled to a function's code: from the debug information, or else from
  // the symbol table, without its folder; empty if unknown.
  [[nodiscard]] std::string unit_file(uint64_t function_address);
  // As Object::instance_name() (symbol/resolver.h).
  [[nodiscard]] std::string instance_name(uint64_t function_address);
  // Like frames_at(), for an address in the object.
  [[nodiscard]] std::vector<Frame> frames_of_address(uint64_t address);
  // Returns the data object at an address in the object; nullopt if nothing is loaded there.
  [[nodiscard]] std::optional<DataObject> data_at(uint64_t address);
  // Returns the address in the object that corresponds to `offset`; nullopt if nothing is loaded there.
  [[nodiscard]] std::optional<uint64_t> address_of(uint64_t offset);
  // Like Object::code_loads() in symbol/resolver.h.
  [[nodiscard]] CodeLoads code_loads();
  // Returns the bytes of the code; fewer if the file ends before.
  Result<Bytes> code(uint64_t address, uint64_t size);
  // Returns what the code at the address is for; valid if code() returns it.
  [[nodiscard]] CodeKind code_kind(uint64_t address);
  // Returns every code symbol, by address.
  [[nodiscard]] const SymbolTable& symbols();
  // Returns the symbol's name as the programmer writes it. Call symbols() first.
  [[nodiscard]] std::string display_name(const Symbol& symbol) const;
  // Returns the ELF file; nullptr if there is none, as for code of a just-in-time compiler.
  [[nodiscard]] const ElfModule* elf();
  // Calls `visit` with the contents of each file that was read for the object.
  void visit_files(const std::function<void(const VisitedFile&)>& visit);
  // Returns the reason if there are no symbols; valid after the first lookup.
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  void load();
  Status load_tables();
  Status take_kernel();
  Status take_jitdump();
  Status take_kernel_code();
  Status take_table(Result<SymbolTable> table);
  Status check_build_id(const std::string& found) const;
  Status take_elf(Result<ElfModule> module);
  Status take_whole(ElfModule module);
  Status take_file();
  Status take_archived();
  Status take_perf_map();
  Status take_vdso();
  [[nodiscard]] std::string copy_here(const char* name);
  [[nodiscard]] std::string hold(UniqueFd file);
  [[nodiscard]] bool is_kernel() const { return path_.starts_with(kKernelPrefix); }
  [[nodiscard]] bool is_missing() const {
    return problem_ && problem_->code == ErrorCode::kNotFound && path_.starts_with('/');
  }
  [[nodiscard]] std::vector<Frame> go_frames_at(uint64_t address);
  [[nodiscard]] std::string unknown_name(uint64_t offset) const;

  std::string path_;
  std::string build_id_;
  ProcessMapping process_;
  DebugFiles& debug_files_;
  bool loaded_ = false;
  bool was_built_again_ = false;
  bool is_nim_ = false;  // it has the runtime of Nim
  UniqueFd held_;        // copy in memory
  std::string table_;    // path of the file with the symbols, if they are not those of an ELF file
  std::optional<Error> problem_;
  std::optional<ElfModule> elf_;
  std::optional<JitDump> jitdump_;
  std::optional<KeptKernelCode> kernel_code_;  // of a kernel or module, if elf_ is not set
  std::optional<FrameExtents> extents_;        // from elf_
  std::optional<CodeKinds> code_kinds_;        // from elf_, set at the first use
  std::unique_ptr<DwarfFrames> dwarf_frames_;
  std::optional<GoLines> go_lines_;  // set at the first use
  SymbolTable symbols_;
  std::optional<RustInstances> rust_instances_;  // at its first use
  std::optional<SymbolTable> data_symbols_;
  std::optional<std::map<uint64_t, std::string>> source_files_;  // of the symbol table, set at the first use
};

}  // namespace hm::symbol
