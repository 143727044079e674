// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "symbol/files/elf_module.h"
#include "symbol/unwind/frame_rule.h"

struct Dwarf_CFI_s;

namespace hm::symbol {

// The call frame information of an x86-64 object: .eh_frame, and .debug_frame for code that .eh_frame does
// not describe. Reads each row at its first use and caches it. Not thread-safe.
class FrameRules {
 public:
  // `module` must outlive this object.
  explicit FrameRules(const ElfModule& module);

  // `address` is in the object. Returns nullptr if no rule covers it; otherwise a pointer valid for the
  // lifetime of this object.
  [[nodiscard]] const FrameRule* at(uint64_t address);

 private:
  struct Row {
    uint64_t end;  // first address after the row
    FrameRule rule;
  };
  // A section that elfutils may read safely (symbol/unwind/frame_programs.h); nullptr: none.
  struct Source {
    Dwarf_CFI_s* cfi = nullptr;
    uint64_t bias = 0;  // the object's addresses minus those in `cfi`
  };
  [[nodiscard]] static Source eh_frame(const ElfModule& module);
  [[nodiscard]] static Source debug_frame(const ElfModule& module);
  const FrameRule* read(const Source& source, uint64_t address);

  const ElfModule& module_;
  Source eh_frame_;
  std::optional<Source> debug_frame_;  // read at its first use, because it may be in another file
  std::map<uint64_t, Row> rows_;       // keyed by the first address that was looked up in the row
};

}  // namespace hm::symbol
