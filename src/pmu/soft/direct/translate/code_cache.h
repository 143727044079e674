// SPDX-License-Identifier: MIT
// The code cache: arenas of copied code near the original code, blocks by the address they are copied from
// (their source), and exits, which are linked to the blocks they lead to. One thread at a time.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/translate/emitter.h"

namespace hm::soft::direct {

// Why copied code was left (Core::exit). Numbers from kFirstExit on are exits of direct branches.
inline constexpr uint32_t kExitIndirect = 0;  // to core.ip; the status flags are lost
inline constexpr uint32_t kExitSystemCall = 1;
inline constexpr uint32_t kExitUndecodable = 2;  // to core.ip, where an instruction is that cannot be copied
inline constexpr uint32_t kExitYield = 4;        // to core.ip, after another thread has had the core
inline constexpr uint32_t kExitElsewhere = 3;    // to core.ip; the exit is not linked
inline constexpr uint32_t kExitEntry = 5;        // to core.ip, where an activation begins (collection.h)
inline constexpr uint32_t kExitIndirectWithFlags = 6;  // likewise, with the program's status flags
inline constexpr uint32_t kExitStale = 8;     // to core.ip, where the code is another than was copied
inline constexpr uint32_t kExitTrapFlag = 7;  // to core.ip, where popf is about to set the trap flag
inline constexpr uint32_t kFirstExit = 16;

// Registers that an instruction's copy uses in place of another: `stand_in` for r15, which is reserved;
// `base` for rip, where its operand is too far away. The target's values of these two are in Core::spilled
// and Core::spilled_base meanwhile. kNoReg: none.
struct Spills {
  Reg stand_in = kNoReg;
  Reg base = kNoReg;
  uint32_t from = 0;  // offset in the block's hot code: what faults before it faults in a check
};

// A region of copied code. Code that is seldom run (cold) lies apart from the rest (hot), so that hot code
// stays dense.
struct Arena {
  uint8_t* hot_begin = nullptr;
  uint8_t* hot_end = nullptr;
  uint8_t* cold_begin = nullptr;
  uint8_t* cold_end = nullptr;
  Emitter hot;
  Emitter cold;
};

// For one step of a block: how to find the target's state at an address of the copy.
struct StepMap {
  uint64_t source;
  uint32_t hot;  // offsets from the block's hot and cold code
  uint32_t cold;
  uint16_t ticks;  // that the block has taken before the step; likewise the next two
  uint16_t loads;
  uint16_t stores;
  bool flags_saved;  // checks keep the target's status flags in Core::saved_flags
  bool in_group;     // a check's stamp is still to be written
  Spills spills;     // while the instruction runs
};

// A page that blocks have been copied from.
struct SourcePage {
  uint64_t number;
  uint64_t sum;   // sum_of_page() when the first of its blocks was added; 0: there are none now
  uint32_t next;  // with the same hash: number plus one
};

// Of the bytes of a page, by its number; 0 where it cannot be read.
uint64_t sum_of_page(uint64_t page);

struct Block {
  uint64_t source;
  uint8_t* code;
  uint8_t* cold;
  const StepMap* steps;  // and one more, for the code behind the last
  uint32_t step_count;
  // The offset in its hot code to which a loop to the block's start jumps: behind the check of its first
  // line.
  uint32_t body;
  uint32_t hot_bytes;
  uint32_t cold_bytes;
  uint32_t incoming;  // the last exit that is linked to it, 0 for none
  Mode mode;
  bool dropped;         // its source has changed
  bool reads_flags;     // status flags that it has not written
  bool is_undecodable;  // it has no step: what is at its source cannot be copied
};

// An exit to `target`. Its jump's displacement ends at `displacement_end`; it leads to `stub` until it is
// linked. Where it is linked to the block whose copy is at `own_code`, it leads `skip` bytes into that.
struct NewExit {
  uint64_t target;
  uint8_t* displacement_end;
  const uint8_t* stub;
  const uint8_t* own_code;
  uint32_t skip;
};
class CodeCache {
 public:
  // An arena from which `source` can be reached, with room for a block.
  Arena& arena_near(uint64_t source);
  // For a block; null where there is no memory.
  StepMap* take_steps(uint32_t count) { return steps_.add_together(count); }

  // The block of this mode whose source is `source`, or null.
  [[nodiscard]] Block* find_block(uint64_t source, Mode mode) const;
  Block* add_block(const Block& block);

  // Drops blocks whose source has code in [start, end): they are no longer found, and no exit leads to them.
  // A thread that runs in one leaves it by the block's own exits. Calls dropped(block, argument) for each.
  void drop_blocks(uint64_t start, uint64_t end, void (*dropped)(const Block& block, void* argument),
                   void* argument);

  // Likewise the one whose source is `source`; null where there is none.
  Block* drop_block(uint64_t source, Mode mode);

  void drop_all_blocks();

  // No thread is in copied code, nor comes back there: all of it is forgotten, and its memory used again.
  void forget_all();
  // How much hot code there is, and how much of it is of dropped blocks.
  struct Use {
    uint64_t hot_bytes, dropped_bytes;
  };
  [[nodiscard]] Use use() const;
  // The program may soon have more code than there is room for.
  [[nodiscard]] bool is_nearly_full() const { return nearly_full_; }

  // Calls visit(page) for each page that there is a block of.
  template <typename Visit>
  void for_each_source_page(Visit&& visit) {
    for (uint32_t i = 0; i < source_pages_.size(); ++i) {
      if (source_pages_[i].sum != 0) visit(source_pages_[i]);
    }
  }

  [[nodiscard]] bool is_copied_code(const uint8_t* code) const;
  // The block whose copy holds `code`.
  [[nodiscard]] const Block* block_of_code(const uint8_t* code) const;

  uint32_t add_exit(const NewExit& exit);
  [[nodiscard]] uint64_t target_of_exit(uint32_t exit) const;
  void link_exit(uint32_t exit, Block& block);

 private:
  static constexpr uint32_t kMaxArenas = 64;
  static constexpr uint32_t kDropped = ~uint32_t{0};  // free, but what had the same hash goes on behind it

  struct Exit {
    NewExit made;
    uint32_t next_incoming;  // of those that lead to the same block
    bool linked;
  };
  // Of the table of blocks by source: open addressing, doubled when half full.
  struct Known {
    uint32_t number_plus_one;  // 0: free; or kDropped
    uint32_t low_source;       // most others are told apart without a look at the block
  };
  // Of the lists of blocks by the pages that their code is on, by a hash of the page's number.
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

  Arena arenas_[kMaxArenas] = {};
  uint32_t arena_count_ = 0;
  StableArray<uint32_t, 4096, 1024> blocks_of_[kMaxArenas];  // an arena's, in the order of their code
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
