// SPDX-License-Identifier: MIT
// A mapped object: an ELF file, the vDSO, the kernel, or the code that a just-in-time compiler wrote.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "symbol/files/elf_module.h"
#include "symbol/files/frame.h"
#include "symbol/files/frame_extents.h"
#include "symbol/files/jitdump.h"
#include "symbol/files/names.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

class DwarfFrames;

// What `offset` means depends on the object: an offset in the file for ELF files and the vDSO; from the
// reference symbol for the kernel ("[kernel.kallsyms]_text": from _text); the address itself for
// "/tmp/perf-PID.map" and "jit-PID.dump", if that has no later code there (JitDump). Everything is read at
// the first use and kept. Not safe to use from several threads.
class Dso {
 public:
  // `build_id` in hex, of the object that was recorded; empty where not known, or kNotHere. A file of another
  // build is not used: problem() says so; the kernel is used only where its build-id is known.
  // `debug_files` must live as long.
  Dso(std::string path, std::string build_id, DebugFiles& debug_files = DebugFiles::usual());
  ~Dso();
  Dso(const Dso&) = delete;
  Dso& operator=(const Dso&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& build_id() const { return build_id_; }

  [[nodiscard]] Function function_at(uint64_t offset);
  // Innermost first, never empty; without debug information one frame with the function's name.
  [[nodiscard]] std::vector<Frame> frames_at(uint64_t offset);
  // The line of the innermost frame.
  [[nodiscard]] SourceLine line_of_address(uint64_t address);
  // As frames_at, for an address in the object.
  [[nodiscard]] std::vector<Frame> frames_of_address(uint64_t address);
  // By address in the object; nullopt where nothing is loaded there.
  [[nodiscard]] std::optional<DataObject> data_at(uint64_t address);
  // The address in the object of a byte of it; nullopt where nothing of it is loaded there.
  [[nodiscard]] std::optional<uint64_t> address_of(uint64_t offset);
  // As Object::code_loads() in symbol/resolver.h.
  [[nodiscard]] CodeLoads code_loads();
  // The instructions' bytes; fewer where the file ends.
  Result<Bytes> code(uint64_t address, uint64_t size);
  // Every code symbol, by address.
  [[nodiscard]] const SymbolTable& symbols();
  // The ELF file; nullptr where there is none, as for code that a just-in-time compiler wrote.
  [[nodiscard]] const ElfModule* elf();
  // Why there are no symbols, once something was looked up.
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  void load();
  Status load_tables();
  Status take_kernel();
  Status take_jitdump();
  Status take_table(Result<SymbolTable> table);
  Status check_build_id(const std::string& found) const;
  Status take_elf(Result<ElfModule> module);
  Status take_whole(ElfModule module);
  Status take_kept(const Error& why_not_here);
  [[nodiscard]] bool is_kernel() const { return path_.starts_with(kKernelPrefix); }
  [[nodiscard]] std::string unknown_name(uint64_t offset) const;

  std::string path_;
  std::string build_id_;
  DebugFiles& debug_files_;
  bool loaded_ = false;
  std::optional<Error> problem_;
  std::optional<ElfModule> elf_;
  std::optional<JitDump> jitdump_;
  std::optional<FrameExtents> extents_;  // of elf_
  std::unique_ptr<DwarfFrames> dwarf_frames_;
  SymbolTable symbols_;
  std::optional<SymbolTable> data_symbols_;
};

}  // namespace hm::symbol
