// SPDX-License-Identifier: MIT
// Where copies are: arenas near the code that they are copies of, blocks by their source, exits that are
// linked to the blocks they lead to.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/emitter.h"

namespace hm::soft::direct {

// Why copied code is left: Core::exit. Numbers from kFirstExit on are direct branches.
inline constexpr uint32_t kExitIndirect = 0;
inline constexpr uint32_t kExitSystemCall = 1;
inline constexpr uint32_t kExitUndecodable = 2;
inline constexpr uint32_t kExitYield = 4;      // likewise, after another thread has had the core
inline constexpr uint32_t kExitElsewhere = 3;  // to core.ip, for once
inline constexpr uint32_t kExitEntry = 5;      // to core.ip, where a stay begins (collection.h)
inline constexpr uint32_t kFirstExit = 16;

// Registers that are the copy's own while an instruction runs: their values are in Core::spilled and
// Core::spilled_base then. kNoReg: none.
struct Spills {
  Reg stand_in = kNoReg;
  Reg base = kNoReg;
  uint32_t from = 0;  // offset in the block's hot code: what faults before it faults in a check
};

// Usual code is hot; what is seldom run is cold, and lies apart so that the hot code stays dense.
struct Arena {
  uint8_t* hot_begin = nullptr;
  uint8_t* hot_end = nullptr;
  uint8_t* cold_begin = nullptr;
  uint8_t* cold_end = nullptr;
  Emitter hot;
  Emitter cold;
};

// Of one step of a block: what tells the state of the target at an address of the copy.
struct StepMap {
  uint64_t source;
  uint32_t hot;  // offsets from the block's hot and cold code
  uint32_t cold;
  uint16_t ticks;  // of the block before the step
  uint16_t loads;
  uint16_t stores;
  bool flags_saved;  // checks keep the target's status flags in Core::saved_flags
  bool in_group;     // a check's stamp is still to be written
  Spills spills;     // while the instruction runs
};

struct Block {
  uint64_t source;
  uint8_t* code;
  uint8_t* cold;
  const StepMap* steps;  // and one more, for the code behind the last
  uint32_t step_count;
  // Where in its hot code a loop to its start goes on: behind the first step's check of its line.
  uint32_t body;
  uint32_t hot_bytes;
  uint32_t cold_bytes;
  uint32_t incoming;  // the last exit that is linked to it, 0 for none
  Mode mode;
  bool dropped;      // its source has changed
  bool reads_flags;  // that it has not written
};

// An arena from which `source` can be reached, with room for a block.
Arena& arena_near(uint64_t source);

// The block of this mode that begins at `source`, or null.
Block* find_block(uint64_t source, Mode mode);
Block* add_block(const Block& block);

// Blocks with code in [start, end) are found no more, and no exit leads to them. A thread that is in one
// leaves it by itself. Calls dropped(block, argument) for each.
void drop_blocks(uint64_t start, uint64_t end, void (*dropped)(const Block& block, void* argument),
                 void* argument);

// Likewise the one that begins at `source`; null where there is none.
Block* drop_block(uint64_t source, Mode mode);

void drop_all_blocks();

bool is_copied_code(const uint8_t* code);
// The block whose copy holds `code`.
const Block* block_of_code(const uint8_t* code);

// A new exit to `target`, whose jump's displacement ends at `displacement_end`; it leads to `stub` until it
// is linked. Linked to the block whose copy is at `own_code`, it leads `skip` bytes into it.
struct NewExit {
  uint64_t target;
  uint8_t* displacement_end;
  const uint8_t* stub;
  const uint8_t* own_code;
  uint32_t skip;
};
uint32_t add_exit(const NewExit& exit);
uint64_t target_of_exit(uint32_t exit);
void link_exit(uint32_t exit, Block& block);

}  // namespace hm::soft::direct
