// SPDX-License-Identifier: MIT
// Direct jumps into a function from outside. They come from a part that the compiler split off as unlikely,
// and from other functions written in assembly, as in the C library's copy functions.
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

// Collects all bytes that look like a jump, at any offset: the caller must check that an instruction begins
// there.
class FarJumps {
 public:
  // Scans the executable segments once for jumps with a displacement of 4 bytes.
  explicit FarJumps(const ElfModule& module);

  // Returns the jumps into the function from outside, including those with a displacement of 1 byte.
  [[nodiscard]] std::vector<FarJump> into(const ElfModule& module, const Extent& function) const;

 private:
  std::vector<FarJump> far_;  // sorted by target
};

}  // namespace hm::symbol
