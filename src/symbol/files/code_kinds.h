// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "symbol/files/machine.h"

namespace hm::symbol {

class ElfModule;

// Distinguishes instructions from the data between them, and the two instruction sets of 32-bit ARM, by the
// file's mapping symbols: "$a", "$t", "$x" and "$d" ("ELF for the Arm Architecture", section 5.5.5; RISC-V
// uses
// "$x" and "$d"). Without mapping symbols, a function of 32-bit ARM with an odd address is Thumb code.
class CodeKinds {
 public:
  explicit CodeKinds(const ElfModule& module);

  [[nodiscard]] CodeKind at(uint64_t address) const;

 private:
  struct Change {
    uint64_t address;
    CodeKind::Content content;
  };

  void read_symbols(const ElfModule& module);

  Machine machine_;
  std::vector<Change> changes_;  // sorted by address
};

}  // namespace hm::symbol
