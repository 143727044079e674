// SPDX-License-Identifier: MIT
// One ELF image and whatever separate debug file belongs to it (symbol/files/debug_files.h), through
// elfutils' libdwfl, which also knows .gnu_debugaltlink and .gnu_debugdata.
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

struct Dwfl;
struct Dwfl_Module;
struct Elf;

namespace hm::symbol {

class SplitUnits;

class ElfModule {
 public:
  ~ElfModule();
  ElfModule(ElfModule&& other) noexcept;
  ElfModule& operator=(ElfModule&& other) noexcept;

  // A regular file with an ELF header; anything else is refused before libdwfl sees it. `debug_files` must
  // live as long.
  static Result<ElfModule> open(const std::string& path, DebugFiles& debug_files = DebugFiles::usual());
  // An image in memory, such as the vDSO.
  static Result<ElfModule> open(Bytes image, const std::string& name,
                                DebugFiles& debug_files = DebugFiles::usual());

  // Lower-case hex; empty where the image has none.
  [[nodiscard]] std::string build_id() const;
  [[nodiscard]] bool is_x86_64() const;
  // Whether it may be loaded anywhere: a library, a PIE.
  [[nodiscard]] bool is_position_independent() const;
  // The address that the program headers give to a byte of the file; nullopt outside every loaded segment.
  [[nodiscard]] std::optional<uint64_t> address_of_offset(uint64_t file_offset) const;
  // What a process that maps the file at `start`, from `file_offset` on, adds to the file's addresses;
  // nullopt where no segment of this kind is loaded from there. Of two segments in one page of the file the
  // first is meant: ask with an object's lowest mapping.
  [[nodiscard]] std::optional<uint64_t> load_bias(uint64_t start, uint64_t file_offset,
                                                  bool executable) const;
  // Whether a segment covers the address, what is not in the file (.bss) included.
  [[nodiscard]] bool loads(uint64_t address) const;
  // The byte of the file that is loaded to the address; nullopt where there is none.
  [[nodiscard]] std::optional<uint64_t> offset_of_address(uint64_t address) const;
  // Of the loaded section that covers the address: ".data"; empty where none does.
  [[nodiscard]] std::string section_at(uint64_t address) const;
  // The file's bytes behind [address, address + size), fewer where the segment ends.
  [[nodiscard]] Bytes bytes_at(uint64_t address, uint64_t size) const;

  struct Code {
    uint64_t address;
    Bytes bytes;
  };
  // The executable segments.
  [[nodiscard]] std::vector<Code> code_segments() const;

  [[nodiscard]] SplitUnits& split_units() const { return *split_units_; }
  [[nodiscard]] Dwfl_Module* module() const { return module_; }
  [[nodiscard]] Elf* elf() const { return elf_; }
  // libdwfl's addresses are the ELF file's plus this.
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
  static Result<ElfModule> open_fd(UniqueFd fd, const std::string& name, DebugFiles& debug_files);
  void read_segments();

  std::unique_ptr<Search> search_;  // before what uses it
  std::unique_ptr<Dwfl, EndSession> dwfl_;
  Dwfl_Module* module_ = nullptr;
  std::unique_ptr<SplitUnits> split_units_;  // behind the session that it uses
  Elf* elf_ = nullptr;
  uint64_t bias_ = 0;
  std::vector<Segment> segments_;
};

}  // namespace hm::symbol
