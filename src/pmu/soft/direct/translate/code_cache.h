// SPDX-License-Identifier: MIT
// The code cache. It has arenas of copied code near the original code, and blocks indexed by their source
// (the address they are copied from). Its exits are linked to the blocks that they lead to. One thread at a
// time.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/translate/emitter.h"

namespace hm::soft::direct {

// Reason why copied code was left (Core::exit). Numbers from kFirstExit on are exits of direct branches.
inline constexpr uint32_t kExitIndirect = 0;  // to core.ip; the status flags are lost
inline constexpr uint32_t kExitSystemCall = 1;
inline constexpr uint32_t kExitUndecodable = 2;  // to core.ip, at an instruction that cannot be copied
inline constexpr uint32_t kExitYield = 4;        // to core.ip, after another thread has used the core
inline constexpr uint32_t kExitElsewhere = 3;    // to core.ip; the exit is not linked
inline constexpr uint32_t kExitEntry = 5;        // to core.ip, at the start of an activation (collection.h)
inline constexpr uint32_t kExitIndirectWithFlags = 6;  // to core.ip, with the program's status flags
inline constexpr uint32_t kExitStale = 8;     // to core.ip; the code there differs from the copied code
inline constexpr uint32_t kExitTrapFlag = 7;  // to core.ip, at a popf that is about to set the trap flag
inline constexpr uint32_t kExitSample = 9;    // to core.ip; a sample may be due in the code there
inline constexpr uint32_t kExitDefined = 10;  // to core.ip, at an instruction that the engine executes
inline constexpr uint32_t kFirstExit = 16;

// Registers that an instruction's copy uses in place of another register: `stand_in` for r15, which is
// reserved; `base` for rip, if its operand is too far away. The target's values of these two are in
// Core::spilled and Core::spilled_base meanwhile. kNoReg: none.
struct Spills {
  Reg stand_in = kNoReg;
  Reg base = kNoReg;
  uint32_t from = 0;  // offset in the block's hot code: a fault before this offset is a check's
};

// A region of copied code. Rarely executed (cold) code is separate from the other (hot) code, so that hot
// code stays dense.
struct Arena {
  uint8_t* hot_begin = nullptr;
  uint8_t* hot_end = nullptr;
  uint8_t* cold_begin = nullptr;
  uint8_t* cold_end = nullptr;
  Emitter hot;
  Emitter cold;
};

// Maps one step of a block to the copied code, to find the target's state at an address of the copy.
struct StepMap {
  uint64_t source;
  uint32_t hot;  // offsets in the block's hot and cold code
  uint32_t cold;
  uint16_t ticks;  // ticks of the block before the step; the next two are its loads and stores
  uint16_t loads;
  uint16_t stores;
  bool flags_saved;  // checks keep the target's status flags in Core::saved_flags
  bool in_group;     // a check's stamp has not been written yet
  Spills spills;     // in effect while the instruction runs
};

// A page that blocks have been copied from.
struct SourcePage {
  uint64_t number;
  uint64_t sum;   // sum_of_page() when the first of its blocks was added; 0: the page has no blocks now
  uint32_t next;  // next page with the same hash: number plus one
};

// Returns a checksum of a page's bytes, given the page's number; 0 if it cannot be read.
uint64_t sum_of_page(uint64_t page);

struct Block {
  uint64_t source;
  uint8_t* code;
  uint8_t* cold;
  const StepMap* steps;  // one for each step, and one for the code behind the last step
  uint32_t step_count;
  // Offset in the hot code to which a loop to the block's start jumps: behind the check of its first line.
  uint32_t body;
  uint32_t hot_bytes;
  uint32_t cold_bytes;
  uint32_t incoming;  // the last exit that is linked to this block, 0 for none
  Mode mode;
  bool dropped;         // its source has changed
  bool reads_flags;     // reads status flags that it has not written
  bool is_undecodable;  // has no step: the instruction at its source cannot be copied
};

// An exit to `target`. Its jump's displacement ends at `displacement_end`. The jump leads to `stub` until the
// exit is linked. If it is linked to the block with its copy at `own_code`, it leads `skip` bytes into that
// copy.
struct NewExit {
  uint64_t target;
  uint8_t* displacement_end;
  const uint8_t* stub;
  const uint8_t* own_code;
  uint32_t skip;
};
class CodeCache {
 public:
  // Returns an arena with room for a block, within reach of `source`.
  Arena& arena_near(uint64_t source);
  // Allocates the maps of a block's steps; null if there is no memory.
  StepMap* take_steps(uint32_t count) { return steps_.add_together(count); }

  // Returns the block with this mode and source, or null.
  [[nodiscard]] Block* find_block(uint64_t source, Mode mode) const;
  Block* add_block(const Block& block);

  // Drops blocks with source code in [start, end): they are no longer found, and no exit leads to them. A
  // thread that runs in a dropped block leaves it by the block's own exits. Calls dropped(block, argument)
  // for each block.
  void drop_blocks(uint64_t start, uint64_t end, void (*dropped)(const Block& block, void* argument),
                   void* argument);

  // Drops the block with this source and mode, and returns it; null if there is none.
  Block* drop_block(uint64_t source, Mode mode);

  void drop_all_blocks();

  // Drops all copied code and reuses its memory. No thread may be in copied code or return to it.
  void forget_all();
  // Size of the hot code, and the part of it that belongs to dropped blocks.
  struct Use {
    uint64_t hot_bytes, dropped_bytes;
  };
  [[nodiscard]] Use use() const;
  // Returns true if the program may soon have more code than there is room for.
  [[nodiscard]] bool is_nearly_full() const { return nearly_full_; }

  // Calls visit(page) for each page that has a block.
  template <typename Visit>
  void for_each_source_page(Visit&& visit) {
    for (uint32_t i = 0; i < source_pages_.size(); ++i) {
      if (source_pages_[i].sum != 0) visit(source_pages_[i]);
    }
  }

  [[nodiscard]] bool is_copied_code(const uint8_t* code) const;
  // Returns the block with the copy that contains `code`.
  [[nodiscard]] const Block* block_of_code(const uint8_t* code) const;

  uint32_t add_exit(const NewExit& exit);
  [[nodiscard]] uint64_t target_of_exit(uint32_t exit) const;
  void link_exit(uint32_t exit, Block& block);

 private:
  static constexpr uint32_t kMaxArenas = 64;
  static constexpr uint32_t kDropped = ~uint32_t{0};  // a free entry, behind which the search for the same
                                                      // hash continues

  struct Exit {
    NewExit made;
    uint32_t next_incoming;  // next exit that leads to the same block
    bool linked;
  };
  // Entry of the hash table of blocks by source. Open addressing; the table is doubled when it is half full.
  struct Known {
    uint32_t number_plus_one;  // 0: free; or kDropped
    uint32_t low_source;  // low half of the source: distinguishes most blocks without a look at the block
  };
  // Entry of the lists of blocks by the pages of their code, indexed by a hash of the page's number.
  struct PageEntry {
    uint64_t page;
    uint32_t block;
    uint32_t next;  // entry number plus one
  };

  [[nodiscard]] uint32_t arena_of(const uint8_t* code) const;
  [[nodiscard]] uint32_t hash(uint64_t source) const;
  void put(uint32_t number);
  void take_out(const Block& block);
  void grow_table();
  void note_page(uint32_t block, uint64_t page);
  void note_pages(uint32_t number);
  SourcePage* find_source_page(uint64_t page);
  void note_source_page(uint64_t page);
  void unlink_incoming(Block& block);
  void drop(Block& block);
  [[nodiscard]] bool has_little_room() const;
  void check_link(const Exit& exit, const Block& block) const;

  Arena arenas_[kMaxArenas] = {};
  uint32_t arena_count_ = 0;
  StableArray<uint32_t, 4096, 1024> blocks_of_[kMaxArenas];  // an arena's blocks, in the order of their code
  StableArray<Exit> exits_;
  StableArray<Block> blocks_;
  Known* table_ = nullptr;
  uint32_t table_bits_ = 0;
  StableArray<PageEntry> page_entries_;
  StableArray<SourcePage> source_pages_;
  StableArray<StepMap, 1u << 14, 1u << 16> steps_;
  uint64_t dropped_bytes_ = 0;
  bool nearly_full_ = false;
  uint32_t* source_page_heads_ = nullptr;
  uint32_t* page_heads_ = nullptr;
};

}  // namespace hm::soft::direct
