// SPDX-License-Identifier: MIT
// An ELF image and its separate debug file, if any (symbol/files/debug_files.h), read through elfutils'
// libdwfl, which also supports .gnu_debugaltlink and .gnu_debugdata.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "symbol/files/debug_files.h"
#include "symbol/files/machine.h"

struct Dwfl;
struct Dwfl_Module;
struct Elf;

namespace hm::symbol {

class SplitUnits;
class UnitRanges;

class ElfModule {
 public:
  ~ElfModule();
  ElfModule(ElfModule&& other) noexcept;
  ElfModule& operator=(ElfModule&& other) noexcept;

  // Opens a regular file with an ELF header; refuses anything else before libdwfl reads it. `debug_files`
  // must outlive the module.
  static Result<ElfModule> open(const std::string& path, DebugFiles& debug_files = DebugFiles::usual());
  // Reads an open regular file. `name` is its path, beside which a debug file is looked for.
  static Result<ElfModule> open(UniqueFd fd, const std::string& name, DebugFiles& debug_files);
  // Opens an image in memory, for example the vDSO.
  static Result<ElfModule> open(Bytes image, const std::string& name,
                                DebugFiles& debug_files = DebugFiles::usual());

  // Returns lower-case hex; empty if the image has no build ID.
  [[nodiscard]] std::string build_id() const;
  [[nodiscard]] Machine machine() const;
  [[nodiscard]] bool is_x86_64() const { return machine().is_x86_64(); }
  // Returns true if it may be loaded at any address: a library, a PIE.
  [[nodiscard]] bool is_position_independent() const;
  // Returns the address of a byte of the file according to the program headers; nullopt outside all loaded
  // segments.
  [[nodiscard]] std::optional<uint64_t> address_of_offset(uint64_t file_offset) const;
  // Returns the load bias, the difference between addresses in the process and in the file, if the process
  // maps the file at `start` from `file_offset` on. Returns nullopt if no segment of this kind is loaded from
  // there. If two segments share a page of the file, uses the first: call this with an object's lowest
  // mapping.
  [[nodiscard]] std::optional<uint64_t> load_bias(uint64_t start, uint64_t file_offset,
                                                  bool executable) const;
  // Returns true if a segment covers the address, including memory without file contents (.bss).
  [[nodiscard]] bool loads(uint64_t address) const;
  // Returns the offset of the file's byte that is loaded at the address; nullopt if there is none.
  [[nodiscard]] std::optional<uint64_t> offset_of_address(uint64_t address) const;
  // Returns the name of the loaded section at the address, for example ".data"; empty if there is none.
  [[nodiscard]] std::string section_at(uint64_t address) const;
  // Returns the file's bytes at [address, address + size), fewer if the segment ends before.
  [[nodiscard]] Bytes bytes_at(uint64_t address, uint64_t size) const;

  struct Code {
    uint64_t address;
    Bytes bytes;
  };
  // Returns the executable segments.
  [[nodiscard]] std::vector<Code> code_segments() const;

  // Returns the bytes of the file.
  [[nodiscard]] Bytes file() const;
  // Returns the bytes of its separate debug file; empty if there is none.
  [[nodiscard]] Bytes debug_file() const;
  // Returns the bytes of the file that its debug information shares with that of others (dwz(1)); empty if
  // there is none.
  [[nodiscard]] Bytes shared_debug_file() const;

  [[nodiscard]] SplitUnits& split_units() const { return *split_units_; }
  [[nodiscard]] UnitRanges& unit_ranges() const { return *unit_ranges_; }
  [[nodiscard]] Dwfl_Module* module() const { return module_; }
  [[nodiscard]] Elf* elf() const { return elf_; }
  // libdwfl's addresses minus the ELF file's.
  [[nodiscard]] uint64_t bias() const { return bias_; }

 private:
  struct Segment {
    uint64_t file_offset;
    uint64_t file_size;
    uint64_t address;
    uint64_t memory_size;
    bool executable;
  };

  struct Search;
  struct EndSession {
    void operator()(Dwfl* session) const;
  };

  ElfModule();
  void read_segments();
  // libdwfl's callback for the separate debug file of a module (Dwfl_Callbacks::find_debuginfo).
  static int find_debug_file(Dwfl_Module* module, void** user_data, const char* name, uint64_t base,
                             const char* file, const char* link, uint32_t crc, char** found);

  std::unique_ptr<Search> search_;  // declared before the members that use it
  std::unique_ptr<Dwfl, EndSession> dwfl_;
  Dwfl_Module* module_ = nullptr;
  std::unique_ptr<SplitUnits> split_units_;  // declared after the session that it uses, as the next member
  std::unique_ptr<UnitRanges> unit_ranges_;
  Elf* elf_ = nullptr;
  uint64_t bias_ = 0;
  std::vector<Segment> segments_;
};

}  // namespace hm::symbol
