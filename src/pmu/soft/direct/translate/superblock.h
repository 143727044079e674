// SPDX-License-Identifier: MIT
// A piece of the target's code that is copied as one block: from its start along direct jumps and past
// conditional jumps that are not taken, up to an instruction that leads elsewhere, or up to code where a
// function begins inside which threads are collected, or an allocator.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/program_facts.h"

namespace hm::soft::direct {

struct Step {
  Instruction instruction;
  uint64_t address;
  bool flags_live;         // status flags as they are before the instruction may be read
  bool target_flags_live;  // likewise at the target of a jump that leaves the block
  [[nodiscard]] uint64_t next() const { return address + instruction.length; }
};

struct Superblock {
  static constexpr unsigned kMaxSteps = 64;

  Step steps[kMaxSteps];
  unsigned count;
  // The code behind its call reads status flags that the callee has set; or the block restores flags, perhaps
  // for its caller.
  bool returns_flags;
  bool undecodable;  // what follows the last step is no instruction that can be copied
  bool flags_live;   // behind the last step
  bool is_checked;   // its code may change without a write fault
  uint64_t next;     // where it continues if the last step does not branch: the address behind that
};

// Decodes from `start`, which must be executable memory, for a copy of this mode. By the System V ABI no
// status flags are passed out of functions; `exact_flags`: they may be.
// `cache`: a longer block ends where there is a copy already.
void read_superblock(const ProgramFacts& program, const CodeCache& cache, uint64_t start, Mode mode,
                     bool exact_flags, Superblock& block);

// Whether one of its steps is at `address`.
bool contains(const Superblock& block, uint64_t address);

// Whether the instruction uses the GS segment, which is the engine's: by an access, a load or a store of its
// base.
bool uses_gs(const Instruction& instruction);

// popf: it loads the trap flag, among others.
bool is_popf(const Instruction& instruction);

// Whether the block certainly reads status flags that it has not written.
bool reads_flags(const Superblock& block);

}  // namespace hm::soft::direct
