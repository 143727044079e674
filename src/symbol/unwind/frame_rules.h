// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "symbol/files/elf_module.h"
#include "symbol/unwind/frame_rule.h"

struct Dwarf_CFI_s;

namespace hm::symbol {

// The call frame information of an x86-64 object: .eh_frame, and .debug_frame for what that does not
// describe. Each row is read at its first use and kept. Not safe to use from several threads.
class FrameRules {
 public:
  // `module` must live as long.
  explicit FrameRules(const ElfModule& module);

  // `address`: in the object. nullptr where nothing is said of it; otherwise valid as long as this object.
  [[nodiscard]] const FrameRule* at(uint64_t address);

 private:
  struct Row {
    uint64_t end;  // first address behind it
    FrameRule rule;
  };
  // What elfutils may read (symbol/unwind/frame_programs.h); nullptr: nothing.
  struct Source {
    Dwarf_CFI_s* cfi = nullptr;
    uint64_t bias = 0;  // what the object's addresses are more than those in `cfi`
  };
  [[nodiscard]] static Source eh_frame(const ElfModule& module);
  [[nodiscard]] static Source debug_frame(const ElfModule& module);
  const FrameRule* read(const Source& source, uint64_t address);

  const ElfModule& module_;
  Source eh_frame_;
  std::optional<Source> debug_frame_;  // from its first use on: finding it may take another file
  std::map<uint64_t, Row> rows_;       // by the first address that was asked for
};

}  // namespace hm::symbol
