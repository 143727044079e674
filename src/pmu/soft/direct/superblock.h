// SPDX-License-Identifier: MIT
// A piece of the target's code that is copied as one: from its start along direct jumps and past conditional
// ones that are not taken, up to what leads elsewhere, begins a stay (collection.h) or allocates (heap.h).
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

struct Step {
  Instruction instruction;
  uint64_t address;
  bool flags_live;         // before the instruction: somebody may read status flags as they are here
  bool target_flags_live;  // where a jump leads that leaves the block
  [[nodiscard]] uint64_t next() const { return address + instruction.length; }
};

struct Superblock {
  static constexpr unsigned kMaxSteps = 64;

  Step steps[kMaxSteps];
  unsigned count;
  // Code behind its call reads status flags that the callee has set; or it restores flags, perhaps for whom
  // it returns to.
  bool returns_flags;
  bool undecodable;  // what follows the last step is no instruction that can be copied
  bool flags_live;   // behind the last step
  uint64_t next;     // where it goes on if its last step does not say: the address behind it
};

// Decodes from `start`, which is executable memory. By the System V ABI no status flags are passed through
// calls, returns and indirect jumps; `exact_flags`: all may be. `mode`: that the copy is for.
void read_superblock(uint64_t start, Mode mode, bool exact_flags, Superblock& block);

// Whether one of its steps is at `address`.
bool contains(const Superblock& block, uint64_t address);

// Whether the block surely reads status flags that it has not written.
bool reads_flags(const Superblock& block);

}  // namespace hm::soft::direct
