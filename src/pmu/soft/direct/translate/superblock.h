// SPDX-License-Identifier: MIT
// A part of the target's code that is copied as one block. It follows direct jumps and continues past
// conditional jumps that are not taken. It ends with an instruction that leads elsewhere, or before an
// allocator, a function inside which threads are collected, or a restartable sequence.
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
  bool flags_live;         // the status flags before the instruction may be read
  bool target_flags_live;  // the status flags may be read at the target of a jump that leaves the block
  [[nodiscard]] uint64_t next() const { return address + instruction.length; }
};

struct Superblock {
  static constexpr unsigned kMaxSteps = 64;

  Step steps[kMaxSteps];
  unsigned count;
  // The code behind the block's call reads status flags that the callee has set; or the block restores flags,
  // perhaps for its caller.
  bool returns_flags;
  bool queries_machine;  // the last step is followed by a query of the processor (cpuid, rdtsc, ...)
  bool undecodable;      // no instruction that can be copied follows the last step
  bool flags_live;       // status flags are live behind the last step
  bool is_checked;       // its code may change without a write fault
  uint64_t next;         // address at which the code continues if the last step does not branch
};

// Decodes from `start`, which must be executable memory, for a copy of this mode. In the System V ABI,
// functions do not return status flags; `exact_flags`: they may. `cache`: a longer block ends at code that
// already has a copy.
void read_superblock(ProgramFacts& program, const CodeCache& cache, uint64_t start, Mode mode,
                     bool exact_flags, Superblock& block);

// Returns true if one of the block's steps is at `address`.
bool contains(const Superblock& block, uint64_t address);

// Returns true if the instruction uses the GS segment, which belongs to the engine: by an access, or by a
// load or store of its base.
bool uses_gs(const Instruction& instruction);

// Results of instructions that differ between machines or runs.
enum class MachineQuery : uint8_t {
  kNone,
  kCpuid,
  kStateComponents,  // xgetbv
  kTime,             // rdtsc
  kTimeAndCpu,       // rdtscp
  kRandom,           // rdrand, rdseed
  kCpuNumber,        // rdpid
};
MachineQuery machine_query(const Instruction& instruction);

// Returns true for popf, which loads the trap flag, among others.
bool is_popf(const Instruction& instruction);

// Returns true if the block certainly reads status flags that it has not written.
bool reads_flags(const Superblock& block);

}  // namespace hm::soft::direct
