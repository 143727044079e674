// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/code_cache.h"

#include <initializer_list>

#include "pmu/soft/direct/memory.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kHotBytes = 64u << 20;
constexpr uint64_t kColdBytes = 128u << 20;
constexpr uint64_t kArenaBytes = kHotBytes + kColdBytes;
constexpr uint64_t kBlockRoom = 64u << 10;      // more than any block's code has
constexpr uint64_t kReach = uint64_t{3} << 29;  // operands relative to rip reach 2 GiB from their instruction
constexpr int kReadWriteExecute = 7;
constexpr uint32_t kMaxArenas = 64;

constinit Arena g_arenas[kMaxArenas] = {};
uint32_t g_arena_count;

struct Exit {
  uint64_t target;
  uint8_t* displacement_end;
};
constinit StableArray<Exit> g_exits;
constinit StableArray<Block> g_blocks;

// Blocks by source: open addressing, doubled when half full.
uint32_t* g_table;  // block number plus one
uint32_t g_table_bits;

uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

bool reaches(const Arena& arena, uint64_t source) {
  return distance(reinterpret_cast<uint64_t>(arena.hot_begin), source) < kReach &&
         distance(reinterpret_cast<uint64_t>(arena.cold_end), source) < kReach;
}

bool has_room(const Arena& arena) {
  return arena.hot.here() + kBlockRoom < arena.hot_end && arena.cold.here() + kBlockRoom < arena.cold_end;
}

// As near as the system lets it be: below the code, or above it.
uint8_t* map_arena(uint64_t source) {
  constexpr uint64_t kStep = uint64_t{1} << 28;
  uint64_t base = source & ~(kStep - 1);
  for (uint64_t i = 1; i < 6; ++i) {
    for (uint64_t hint : {base - i * kStep, base + i * kStep}) {
      if (hint > uint64_t{1} << 47) continue;
      auto* mapped = static_cast<uint8_t*>(map_pages(kArenaBytes, kReadWriteExecute, hint));
      if (mapped == nullptr) continue;
      if (distance(reinterpret_cast<uint64_t>(mapped), source) < kReach - kArenaBytes) return mapped;
      unmap_pages(mapped, kArenaBytes);
    }
  }
  return static_cast<uint8_t*>(map_pages(kArenaBytes, kReadWriteExecute));
}

uint32_t hash(uint64_t source) {
  return static_cast<uint32_t>((source * 0x9e3779b97f4a7c15u) >> (64 - g_table_bits));
}

void put(uint32_t number) {
  uint32_t mask = (1u << g_table_bits) - 1;
  uint32_t at = hash(g_blocks[number].source);
  while (g_table[at] != 0) at = (at + 1) & mask;
  g_table[at] = number + 1;
}

void grow_table() {
  g_table_bits = g_table_bits == 0 ? 16 : g_table_bits + 1;
  g_table = take<uint32_t>(size_t{1} << g_table_bits);
  if (g_table == nullptr) give_up("hardmeter: no memory for the table of copied code\n");
  for (uint32_t i = 0; i < g_blocks.size(); ++i) put(i);
}

}  // namespace

Arena& arena_near(uint64_t source) {
  for (uint32_t i = 0; i < g_arena_count; ++i) {
    if (reaches(g_arenas[i], source) && has_room(g_arenas[i])) return g_arenas[i];
  }
  uint8_t* mapped = g_arena_count < kMaxArenas ? map_arena(source) : nullptr;
  if (mapped == nullptr) give_up("hardmeter: no memory for copied code\n");
  Arena& arena = g_arenas[g_arena_count++];
  arena.hot_begin = mapped;
  arena.hot_end = arena.cold_begin = mapped + kHotBytes;
  arena.cold_end = mapped + kArenaBytes;
  arena.hot = Emitter(arena.hot_begin);
  arena.cold = Emitter(arena.cold_begin);
  return arena;
}

const Block* find_block(uint64_t source) {
  if (g_table_bits == 0) return nullptr;
  uint32_t mask = (1u << g_table_bits) - 1;
  for (uint32_t at = hash(source); g_table[at] != 0; at = (at + 1) & mask) {
    const Block& block = g_blocks[g_table[at] - 1];
    if (block.source == source) return &block;
  }
  return nullptr;
}

const Block* add_block(const Block& block) {
  if (g_table_bits == 0 || g_blocks.size() >= 1u << (g_table_bits - 1)) grow_table();
  uint32_t number = g_blocks.add(block);
  if (number == decltype(g_blocks)::kFull)
    give_up("hardmeter: the program has more code than the engine can hold\n");
  put(number);
  return &g_blocks[number];
}

const Block* block_of_code(const uint8_t* code) {
  // Blocks of an arena are in the order of their numbers; few arenas are in use, so all blocks are looked at
  // only in the rare case that they alternate.
  for (uint32_t i = g_blocks.size(); i-- > 0;) {
    const Block& block = g_blocks[i];
    bool hot = code >= block.code && code < block.code + block.hot_bytes;
    bool cold = code >= block.cold && code <= block.cold + block.cold_bytes;
    if (hot || cold) return &block;
  }
  return nullptr;
}

uint32_t add_exit(uint64_t target, uint8_t* displacement_end) {
  uint32_t number = g_exits.add({target, displacement_end});
  if (number == decltype(g_exits)::kFull)
    give_up("hardmeter: the program has more branches than the engine can hold\n");
  return number + kFirstExit;
}

uint64_t target_of_exit(uint32_t exit) { return g_exits[exit - kFirstExit].target; }

void link_exit(uint32_t exit, const Block& block) {
  uint8_t* end = g_exits[exit - kFirstExit].displacement_end;
  int64_t displacement = block.code - end;
  if (displacement != static_cast<int32_t>(displacement)) return;  // in another arena: through the dispatcher
  __atomic_store_n(reinterpret_cast<int32_t*>(end - 4), static_cast<int32_t>(displacement), __ATOMIC_RELEASE);
}

}  // namespace hm::soft::direct
