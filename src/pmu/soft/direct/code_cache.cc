// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/code_cache.h"

#include <initializer_list>

#include "pmu/soft/direct/give_up.h"
#include "pmu/soft/direct/memory.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kHotBytes = 64u << 20;
constexpr uint64_t kColdBytes = 128u << 20;
constexpr uint64_t kArenaBytes = kHotBytes + kColdBytes;
constexpr uint64_t kBlockRoom = 64u << 10;      // more than any block's code has
constexpr uint64_t kReach = uint64_t{3} << 29;  // operands relative to rip reach 2 GiB from their instruction
constexpr uint32_t kMaxArenas = 64;

constinit Arena g_arenas[kMaxArenas] = {};
uint32_t g_arena_count;
// An arena's blocks in the order of their code, hot and cold.
constinit StableArray<uint32_t, 4096, 1024> g_blocks_of[kMaxArenas];

struct Exit {
  NewExit made;
  uint32_t next_incoming;  // of those that lead to the same block
  bool linked;
};
constinit StableArray<Exit> g_exits;
constinit StableArray<Block> g_blocks;

// Blocks by source: open addressing, doubled when half full.
struct Known {
  uint32_t number_plus_one;  // 0: free
  uint32_t low_source;       // most others are told apart without a look at the block
};
Known* g_table;
uint32_t g_table_bits;

uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

bool reaches(const Arena& arena, uint64_t source) {
  return distance(reinterpret_cast<uint64_t>(arena.hot_begin), source) < kReach &&
         distance(reinterpret_cast<uint64_t>(arena.cold_end), source) < kReach;
}

constexpr uint32_t kNoArena = ~uint32_t{0};

uint32_t arena_of(const uint8_t* code) {
  for (uint32_t i = 0; i < g_arena_count; ++i) {
    if (code >= g_arenas[i].hot_begin && code < g_arenas[i].cold_end) return i;
  }
  return kNoArena;
}

bool has_room(const Arena& arena) {
  return arena.hot.here() + kBlockRoom < arena.hot_end && arena.cold.here() + kBlockRoom < arena.cold_end;
}

// As near to the code as there is room: below it or above it; null where there is none.
uint8_t* map_arena(uint64_t source) {
  constexpr uint64_t kStep = uint64_t{1} << 26;
  constexpr uint64_t kEnd = uint64_t{1} << 47;
  uint64_t base = source & ~(kStep - 1);
  for (uint64_t away = kStep; away < kReach - kArenaBytes; away += kStep) {
    for (uint64_t at : {base - kArenaBytes - away, base + away}) {
      if (at < kStep || at > kEnd - kArenaBytes) continue;
      if (void* mapped = map_pages_at(at, kArenaBytes, kReadWriteExecute))
        return static_cast<uint8_t*>(mapped);
    }
  }
  return nullptr;
}

uint32_t hash(uint64_t source) {
  return static_cast<uint32_t>((source * 0x9e3779b97f4a7c15u) >> (64 - g_table_bits));
}

void put(uint32_t number) {
  uint32_t mask = (1u << g_table_bits) - 1;
  uint32_t at = hash(g_blocks[number].source);
  while (g_table[at].number_plus_one != 0) at = (at + 1) & mask;
  g_table[at] = {number + 1, static_cast<uint32_t>(g_blocks[number].source)};
}

void grow_table() {
  g_table_bits = g_table_bits == 0 ? 16 : g_table_bits + 1;
  g_table = take<Known>(size_t{1} << g_table_bits);
  if (g_table == nullptr) give_up("hardmeter: no memory for the table of copied code\n");
  for (uint32_t i = 0; i < g_blocks.size(); ++i) put(i);
}

// Blocks by the pages that their code is on: lists by a hash of the page's number.
constexpr unsigned kPageShift = 12;
constexpr unsigned kPageHashBits = 16;
struct PageEntry {
  uint64_t page;
  uint32_t block;
  uint32_t next;  // entry number plus one
};
constinit StableArray<PageEntry> g_page_entries;
uint32_t* g_page_heads;

uint32_t page_hash(uint64_t page) {
  return static_cast<uint32_t>((page * 0x9e3779b97f4a7c15u) >> (64 - kPageHashBits));
}

void note_page(uint32_t block, uint64_t page) {
  if (g_page_heads == nullptr) g_page_heads = take<uint32_t>(size_t{1} << kPageHashBits);
  if (g_page_heads == nullptr) give_up("hardmeter: no memory for the table of pages\n");
  uint32_t& head = g_page_heads[page_hash(page)];
  uint32_t number = g_page_entries.add({page, block, head});
  if (number == decltype(g_page_entries)::kFull)
    give_up("hardmeter: the program has more code than the engine can hold\n");
  head = number + 1;
}

// Steps follow one another but for a few jumps: a page that comes again is noted again.
void note_pages(uint32_t number) {
  const Block& block = g_blocks[number];
  uint64_t last = block.source >> kPageShift;
  note_page(number, last);
  for (uint32_t i = 0; i < block.step_count; ++i) {
    constexpr uint64_t kLongestInstruction = 15;
    for (uint64_t page : {block.steps[i].source >> kPageShift,
                          (block.steps[i].source + kLongestInstruction - 1) >> kPageShift}) {
      if (page != last) note_page(number, page);
      last = page;
    }
  }
}

void lead_to(const Exit& exit, const uint8_t* code) {
  auto displacement = static_cast<int32_t>(code - exit.made.displacement_end);
  __atomic_store_n(reinterpret_cast<int32_t*>(exit.made.displacement_end - 4), displacement,
                   __ATOMIC_RELEASE);
}

void unlink_incoming(Block& block) {
  for (uint32_t number = block.incoming; number != 0;) {
    Exit& exit = g_exits[number - kFirstExit];
    lead_to(exit, exit.made.stub);
    exit.linked = false;
    number = exit.next_incoming;
  }
  block.incoming = 0;
}

}  // namespace

Arena& arena_near(uint64_t source) {
  Arena* far = nullptr;
  for (uint32_t i = 0; i < g_arena_count; ++i) {
    if (!has_room(g_arenas[i])) continue;
    if (reaches(g_arenas[i], source)) return g_arenas[i];
    far = &g_arenas[i];
  }
  bool may_map = g_arena_count < kMaxArenas;
  uint8_t* mapped = may_map ? map_arena(source) : nullptr;
  if (mapped == nullptr && far != nullptr) return *far;
  if (mapped == nullptr && may_map) mapped = static_cast<uint8_t*>(map_pages(kArenaBytes, kReadWriteExecute));
  if (mapped == nullptr) give_up("hardmeter: no memory for copied code\n");
  Arena& arena = g_arenas[g_arena_count++];
  arena.hot_begin = mapped;
  arena.hot_end = arena.cold_begin = mapped + kHotBytes;
  arena.cold_end = mapped + kArenaBytes;
  arena.hot = Emitter(arena.hot_begin);
  arena.cold = Emitter(arena.cold_begin);
  return arena;
}

Block* find_block(uint64_t source, Mode mode) {
  if (g_table_bits == 0) return nullptr;
  uint32_t mask = (1u << g_table_bits) - 1;
  for (uint32_t at = hash(source); g_table[at].number_plus_one != 0; at = (at + 1) & mask) {
    if (g_table[at].low_source != static_cast<uint32_t>(source)) continue;
    Block& block = g_blocks[g_table[at].number_plus_one - 1];
    if (block.source == source && block.mode == mode && !block.dropped) return &block;
  }
  return nullptr;
}

Block* add_block(const Block& block) {
  if (g_table_bits == 0 || g_blocks.size() >= 1u << (g_table_bits - 1)) grow_table();
  uint32_t number = g_blocks.add(block);
  auto& of_arena = g_blocks_of[arena_of(block.code)];
  if (number == decltype(g_blocks)::kFull || of_arena.add(number) == of_arena.kFull)
    give_up("hardmeter: the program has more code than the engine can hold\n");
  put(number);
  note_pages(number);
  return &g_blocks[number];
}

void drop_blocks(uint64_t start, uint64_t end, void (*dropped)(const Block& block, void* argument),
                 void* argument) {
  for (uint64_t page = start >> kPageShift; page <= (end - 1) >> kPageShift; ++page) {
    uint32_t* head = g_page_heads == nullptr ? nullptr : &g_page_heads[page_hash(page)];
    if (head == nullptr) return;
    for (uint32_t* link = head; *link != 0;) {
      PageEntry& entry = g_page_entries[*link - 1];
      if (entry.page != page) {
        link = &entry.next;
        continue;
      }
      Block& block = g_blocks[entry.block];
      if (!block.dropped) {
        unlink_incoming(block);
        block.dropped = true;
        dropped(block, argument);
      }
      *link = entry.next;
    }
  }
}

Block* drop_block(uint64_t source, Mode mode) {
  Block* block = find_block(source, mode);
  if (block == nullptr) return nullptr;
  unlink_incoming(*block);
  block->dropped = true;
  return block;
}

void drop_all_blocks() {
  for (uint32_t i = 0; i < g_blocks.size(); ++i) {
    if (g_blocks[i].dropped) continue;
    unlink_incoming(g_blocks[i]);
    g_blocks[i].dropped = true;
  }
}

bool is_copied_code(const uint8_t* code) { return arena_of(code) != kNoArena; }

const Block* block_of_code(const uint8_t* code) {
  uint32_t arena = arena_of(code);
  if (arena == kNoArena) return nullptr;
  bool hot = code < g_arenas[arena].hot_end;
  auto& numbers = g_blocks_of[arena];
  uint32_t low = 0, high = numbers.size();  // the last block that begins no later is below `high`
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    const Block& block = g_blocks[numbers[middle]];
    if ((hot ? block.code : block.cold) <= code) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return nullptr;
  const Block& block = g_blocks[numbers[low - 1]];
  bool inside = hot ? code < block.code + block.hot_bytes : code <= block.cold + block.cold_bytes;
  return inside ? &block : nullptr;
}

uint32_t add_exit(const NewExit& exit) {
  uint32_t number = g_exits.add({exit, 0, false});
  if (number == decltype(g_exits)::kFull)
    give_up("hardmeter: the program has more branches than the engine can hold\n");
  return number + kFirstExit;
}

uint64_t target_of_exit(uint32_t exit) { return g_exits[exit - kFirstExit].made.target; }

void link_exit(uint32_t number, Block& block) {
  Exit& exit = g_exits[number - kFirstExit];
  const uint8_t* to = block.code + (block.code == exit.made.own_code ? exit.made.skip : 0);
  int64_t displacement = to - exit.made.displacement_end;
  if (exit.linked || displacement != static_cast<int32_t>(displacement))
    return;  // the latter goes through the dispatcher
  exit.linked = true;
  exit.next_incoming = block.incoming;
  block.incoming = number;
  lead_to(exit, to);
}

}  // namespace hm::soft::direct
