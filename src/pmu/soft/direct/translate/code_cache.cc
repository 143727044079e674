// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/code_cache.h"

#include <initializer_list>

#include "pmu/soft/direct/runtime/check.h"
#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kHotBytes = 64u << 20;
constexpr uint64_t kColdBytes = 128u << 20;
constexpr uint64_t kArenaBytes = kHotBytes + kColdBytes;
constexpr uint64_t kBlockRoom = 64u << 10;      // more than the code of any block
constexpr uint64_t kReach = uint64_t{3} << 29;  // rip-relative operands reach 2 GiB from their instruction

uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

bool reaches(const Arena& arena, uint64_t source) {
  return distance(reinterpret_cast<uint64_t>(arena.hot_begin), source) < kReach &&
         distance(reinterpret_cast<uint64_t>(arena.cold_end), source) < kReach;
}

constexpr uint32_t kNoArena = ~uint32_t{0};

bool has_room(const Arena& arena) {
  return arena.hot.here() + kBlockRoom < arena.hot_end && arena.cold.here() + kBlockRoom < arena.cold_end;
}

constexpr uint64_t kArenaStep = uint64_t{1} << 26;  // between the places that are tried for an arena

void* map_arena_at(uint64_t address) {
  constexpr uint64_t kEnd = uint64_t{1} << 47;
  if (address < kArenaStep || address > kEnd - kArenaBytes) return nullptr;
  return map_pages_at(address, kArenaBytes, kReadWriteExecute);
}

// Maps an arena as far from the code as it may be; null if there is no room. Shared libraries have the
// program's mappings below them, where the kernel adds further ones. Programs that are not
// position-independent are at low addresses, and their heap grows upwards from there.
uint8_t* map_arena(uint64_t source) {
  bool is_low = source < kReach;
  uint64_t base = source & ~(kArenaStep - 1);
  for (uint64_t away = kReach - kArenaBytes - kArenaStep; away >= kArenaStep; away -= kArenaStep) {
    void* mapped = is_low ? nullptr : map_arena_at(base - kArenaBytes - away);
    if (mapped == nullptr) mapped = map_arena_at(base + away);
    if (mapped != nullptr) return static_cast<uint8_t*>(mapped);
  }
  return nullptr;
}

constexpr unsigned kPageShift = 12;
constexpr unsigned kPageHashBits = 16;

uint32_t page_hash(uint64_t page) {
  return static_cast<uint32_t>((page * 0x9e3779b97f4a7c15u) >> (64 - kPageHashBits));
}

void lead_to(const NewExit& exit, const uint8_t* code) {
  auto displacement = static_cast<int32_t>(code - exit.displacement_end);
  __atomic_store_n(reinterpret_cast<int32_t*>(exit.displacement_end - 4), displacement, __ATOMIC_RELEASE);
}

}  // namespace

uint32_t CodeCache::arena_of(const uint8_t* code) const {
  for (uint32_t i = 0; i < arena_count_; ++i) {
    if (code >= arenas_[i].hot_begin && code < arenas_[i].cold_end) return i;
  }
  return kNoArena;
}

uint32_t CodeCache::hash(uint64_t source) const {
  return static_cast<uint32_t>((source * 0x9e3779b97f4a7c15u) >> (64 - table_bits_));
}

void CodeCache::put(uint32_t number) {
  uint32_t mask = (1u << table_bits_) - 1;
  uint32_t at = hash(blocks_[number].source);
  while (table_[at].number_plus_one != 0 && table_[at].number_plus_one != kDropped) at = (at + 1) & mask;
  table_[at] = {number + 1, static_cast<uint32_t>(blocks_[number].source)};
}

void CodeCache::grow_table() {
  table_bits_ = table_bits_ == 0 ? 16 : table_bits_ + 1;
  table_ = take<Known>(size_t{1} << table_bits_);
  if (table_ == nullptr)
    do_without(LeaveReason::kNoMemory, "hardmeter: no memory for the table of copied code\n");
  for (uint32_t i = 0; i < blocks_.size(); ++i) {
    if (!blocks_[i].dropped) put(i);
  }
}

// Frees the block's entry in the table for another block, so that repeated changes of code do not make
// searches longer.
void CodeCache::take_out(const Block& block) {
  uint32_t mask = (1u << table_bits_) - 1;
  for (uint32_t at = hash(block.source); table_[at].number_plus_one != 0; at = (at + 1) & mask) {
    uint32_t number_plus_one = table_[at].number_plus_one;
    if (number_plus_one == kDropped || &blocks_[number_plus_one - 1] != &block) continue;
    table_[at] = {kDropped, 0};
    return;
  }
}

SourcePage* CodeCache::find_source_page(uint64_t page) {
  if (source_page_heads_ == nullptr) return nullptr;
  for (uint32_t i = source_page_heads_[page_hash(page)]; i != 0; i = source_pages_[i - 1].next) {
    if (source_pages_[i - 1].number == page) return &source_pages_[i - 1];
  }
  return nullptr;
}

void CodeCache::note_source_page(uint64_t page) {
  if (SourcePage* known = find_source_page(page)) {
    if (known->sum == 0) known->sum = sum_of_page(page);
    return;
  }
  if (source_page_heads_ == nullptr) source_page_heads_ = take<uint32_t>(size_t{1} << kPageHashBits);
  if (source_page_heads_ == nullptr)
    do_without(LeaveReason::kNoMemory, "hardmeter: no memory for the table of pages\n");
  uint32_t& head = source_page_heads_[page_hash(page)];
  uint32_t number = source_pages_.add({page, sum_of_page(page), head});
  if (number == decltype(source_pages_)::kFull)
    do_without(LeaveReason::kTooMuchCode, "hardmeter: the program has more code than the engine can hold\n");
  head = number + 1;
}

void CodeCache::note_page(uint32_t block, uint64_t page) {
  if (page_heads_ == nullptr) page_heads_ = take<uint32_t>(size_t{1} << kPageHashBits);
  if (page_heads_ == nullptr)
    do_without(LeaveReason::kNoMemory, "hardmeter: no memory for the table of pages\n");
  uint32_t& head = page_heads_[page_hash(page)];
  uint32_t number = page_entries_.add({page, block, head});
  if (number == decltype(page_entries_)::kFull)
    do_without(LeaveReason::kTooMuchCode, "hardmeter: the program has more code than the engine can hold\n");
  head = number + 1;
  note_source_page(page);
}

// Records the pages of a block's code. Consecutive steps are mostly on the same page. A page that a block
// returns to is recorded again.
void CodeCache::note_pages(uint32_t number) {
  const Block& block = blocks_[number];
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

void CodeCache::unlink_incoming(Block& block) {
  for (uint32_t number = block.incoming; number != 0;) {
    Exit& exit = exits_[number - kFirstExit];
    lead_to(exit.made, exit.made.stub);
    exit.linked = false;
    number = exit.next_incoming;
  }
  block.incoming = 0;
}

void CodeCache::drop(Block& block) {
  unlink_incoming(block);
  take_out(block);
  block.dropped = true;
  dropped_bytes_ += block.hot_bytes;
}

Arena& CodeCache::arena_near(uint64_t source) {
  Arena* far = nullptr;
  for (uint32_t i = 0; i < arena_count_; ++i) {
    if (!has_room(arenas_[i])) continue;
    if (reaches(arenas_[i], source)) return arenas_[i];
    far = &arenas_[i];
  }
  bool may_map = arena_count_ < kMaxArenas;
  uint8_t* mapped = may_map ? map_arena(source) : nullptr;
  if (mapped == nullptr && far != nullptr) return *far;
  if (mapped == nullptr && may_map) mapped = static_cast<uint8_t*>(map_pages(kArenaBytes, kReadWriteExecute));
  if (mapped == nullptr) do_without(LeaveReason::kNoMemory, "hardmeter: no memory for copied code\n");
  Arena& arena = arenas_[arena_count_++];
  arena.hot_begin = mapped;
  arena.hot_end = arena.cold_begin = mapped + kHotBytes;
  arena.cold_end = mapped + kArenaBytes;
  arena.hot = Emitter(arena.hot_begin);
  arena.cold = Emitter(arena.cold_begin);
  return arena;
}

Block* CodeCache::find_block(uint64_t source, Mode mode) const {
  if (table_bits_ == 0) return nullptr;
  uint32_t mask = (1u << table_bits_) - 1;
  for (uint32_t at = hash(source); table_[at].number_plus_one != 0; at = (at + 1) & mask) {
    bool differs = table_[at].low_source != static_cast<uint32_t>(source);
    if (differs || table_[at].number_plus_one == kDropped) continue;
    Block& block = blocks_[table_[at].number_plus_one - 1];
    if (block.source == source && block.mode == mode && !block.dropped) return &block;
  }
  return nullptr;
}

uint64_t sum_of_page(uint64_t page) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  uint64_t words[(size_t{1} << kPageShift) / sizeof(uint64_t)];
  if (read_memory(page << kPageShift, words, sizeof(words)) != sizeof(words)) return 0;
  uint64_t sum = 1;
  for (uint64_t word : words) sum = ((sum << 23 | sum >> 41) ^ word) * kMultiplier;
  return sum;
}

Block* CodeCache::add_block(const Block& block) {
  if (is_checking()) check(find_block(block.source, block.mode) == nullptr, "code has one copy of each mode");
  if (table_bits_ == 0 || blocks_.size() >= 1u << (table_bits_ - 1)) grow_table();
  uint32_t number = blocks_.add(block);
  auto& of_arena = blocks_of_[arena_of(block.code)];
  if (number == decltype(blocks_)::kFull || of_arena.add(number) == of_arena.kFull)
    do_without(LeaveReason::kTooMuchCode, "hardmeter: the program has more code than the engine can hold\n");
  put(number);
  note_pages(number);
  nearly_full_ = has_little_room();
  return &blocks_[number];
}

void CodeCache::drop_blocks(uint64_t start, uint64_t end, void (*dropped)(const Block& block, void* argument),
                            void* argument) {
  for (uint64_t page = start >> kPageShift; page <= (end - 1) >> kPageShift; ++page) {
    uint32_t* head = page_heads_ == nullptr ? nullptr : &page_heads_[page_hash(page)];
    if (head == nullptr) return;
    if (SourcePage* known = find_source_page(page)) known->sum = 0;
    for (uint32_t* link = head; *link != 0;) {
      PageEntry& entry = page_entries_[*link - 1];
      if (entry.page != page) {
        link = &entry.next;
        continue;
      }
      Block& block = blocks_[entry.block];
      if (!block.dropped) {
        drop(block);
        dropped(block, argument);
      }
      *link = entry.next;
    }
  }
}

Block* CodeCache::drop_block(uint64_t source, Mode mode) {
  Block* block = find_block(source, mode);
  if (block != nullptr) drop(*block);
  return block;
}

void CodeCache::drop_all_blocks() {
  for (uint32_t i = 0; i < blocks_.size(); ++i) {
    if (!blocks_[i].dropped) drop(blocks_[i]);
  }
}

void CodeCache::forget_all() {
  for (uint32_t i = 0; i < arena_count_; ++i) {
    arenas_[i].hot = Emitter(arenas_[i].hot_begin);
    arenas_[i].cold = Emitter(arenas_[i].cold_begin);
    blocks_of_[i].clear();
  }
  exits_.clear();
  blocks_.clear();
  page_entries_.clear();
  source_pages_.clear();
  steps_.clear();
  dropped_bytes_ = 0;
  nearly_full_ = false;
  const auto clear_heads = [](uint32_t* heads) {
    for (uint32_t i = 0; heads != nullptr && i < 1u << kPageHashBits; ++i) heads[i] = 0;
  };
  clear_heads(source_page_heads_);
  clear_heads(page_heads_);
  for (uint32_t i = 0; table_bits_ != 0 && i < 1u << table_bits_; ++i) table_[i] = {};
}

CodeCache::Use CodeCache::use() const {
  uint64_t hot_bytes = 0;
  for (uint32_t i = 0; i < arena_count_; ++i)
    hot_bytes += static_cast<uint64_t>(arenas_[i].hot.here() - arenas_[i].hot_begin);
  return {hot_bytes, dropped_bytes_};
}

bool CodeCache::has_little_room() const {
  uint32_t full_arenas = 0;
  for (uint32_t i = 0; i < arena_count_; ++i) full_arenas += has_room(arenas_[i]) ? 0 : 1;
  return full_arenas > kMaxArenas - kMaxArenas / 4 || !exits_.has_room() || !blocks_.has_room() ||
         !page_entries_.has_room() || !source_pages_.has_room() || !steps_.has_room();
}

bool CodeCache::is_copied_code(const uint8_t* code) const { return arena_of(code) != kNoArena; }

const Block* CodeCache::block_of_code(const uint8_t* code) const {
  uint32_t arena = arena_of(code);
  if (arena == kNoArena) return nullptr;
  bool hot = code < arenas_[arena].hot_end;
  auto& numbers = blocks_of_[arena];
  uint32_t low = 0, high = numbers.size();  // the last block that begins at or before `code` is below `high`
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    const Block& block = blocks_[numbers[middle]];
    if ((hot ? block.code : block.cold) <= code) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return nullptr;
  const Block& block = blocks_[numbers[low - 1]];
  bool inside = hot ? code < block.code + block.hot_bytes : code <= block.cold + block.cold_bytes;
  return inside ? &block : nullptr;
}

uint32_t CodeCache::add_exit(const NewExit& exit) {
  uint32_t number = exits_.add({exit, 0, false});
  if (number == decltype(exits_)::kFull)
    do_without(LeaveReason::kTooMuchCode,
               "hardmeter: the program has more branches than the engine can hold\n");
  return number + kFirstExit;
}

uint64_t CodeCache::target_of_exit(uint32_t exit) const { return exits_[exit - kFirstExit].made.target; }

void CodeCache::check_link(const Exit& exit, const Block& block) const {
  if (!is_checking()) return;
  const Block* from = block_of_code(exit.made.displacement_end - 1);
  bool is_own_mode = from == nullptr || from->mode == block.mode;  // null: the block is not added yet
  check(is_own_mode, "an exit leads only to a block of its own mode");
  check(block.source == exit.made.target, "an exit leads to the copy of its target");
  check(!block.dropped, "an exit leads to no dropped block");
}

void CodeCache::link_exit(uint32_t number, Block& block) {
  Exit& exit = exits_[number - kFirstExit];
  check_link(exit, block);
  const uint8_t* to = block.code + (block.code == exit.made.own_code ? exit.made.skip : 0);
  int64_t displacement = to - exit.made.displacement_end;
  if (exit.linked || displacement != static_cast<int32_t>(displacement))
    return;  // a target out of reach goes through the dispatcher
  exit.linked = true;
  exit.next_incoming = block.incoming;
  block.incoming = number;
  lead_to(exit.made, to);
}

}  // namespace hm::soft::direct
