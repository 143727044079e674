// SPDX-License-Identifier: MIT
// Direct jumps into a function from outside: from the part that a compiler split off as unlikely, and between
// functions written in assembly, as in the C library's copying.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "symbol/code/control_flow.h"
#include "symbol/files/elf_module.h"
#include "symbol/files/extent.h"

namespace hm::symbol {

struct FarJump {
  uint64_t to = 0;
  Way way;
};

// Whatever bytes look like a jump, wherever they lie: whether an instruction begins there is for the caller
// to find out.
class FarJumps {
 public:
  // Scans the executable segments once for jumps with a displacement of 4 bytes.
  explicit FarJumps(const ElfModule& module);

  // Those into the function from outside of it, the ones with a displacement of 1 byte included.
  [[nodiscard]] std::vector<FarJump> into(const ElfModule& module, const Extent& function) const;

 private:
  std::vector<FarJump> far_;  // by target
};

}  // namespace hm::symbol
