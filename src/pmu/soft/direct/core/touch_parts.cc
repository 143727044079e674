// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/core/touch_parts.h"

#include <initializer_list>

#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

// With lines of 64 bytes, a part has the stamps for 256 MiB of the program's memory.
constexpr uint64_t kPartBytes = 16u << 20;
constexpr unsigned kBits = 64;  // of a word of Core::open_touch_parts

// Each part may be a mapping of its own. The kernel allows a process 65,530 of them (vm.max_map_count), which
// the program needs, too.
constexpr uint32_t kMostParts = 8192;

constexpr uint64_t words_for(uint64_t table_bytes) { return (table_bytes / kPartBytes + kBits - 1) / kBits; }
uint64_t table_begin(Core& core) { return reinterpret_cast<uint64_t>(touch_table(core)); }
uint64_t part_of(Core& core, uint64_t address) { return (address - table_begin(core)) / kPartBytes; }

// Returns the number of the first accessible part in [part, end); `end` if there is none.
uint64_t next_open(const uint64_t* open, uint64_t part, uint64_t end) {
  while (part < end) {
    if (uint64_t later = open[part / kBits] >> part % kBits; later != 0) {
      part += static_cast<uint64_t>(__builtin_ctzll(later));
      return part < end ? part : end;
    }
    part = (part / kBits + 1) * kBits;
  }
  return end;
}

// Excludes the table from core dumps, which would become as long as the table, and from huge pages, which
// would consist mostly of untouched lines.
void advise_about_table(Core& core, uint64_t bytes) {
  constexpr int64_t kNoHugePage = 15, kDontDump = 16;  // MADV_*
  for (int64_t advice : {kNoHugePage, kDontDump})
    system_call(kMadvise, pointer_argument(touch_table(core)), static_cast<int64_t>(bytes), advice);
}

// Opens the whole table.
bool open_all(Core& core) {
  if (!make_accessible(touch_table(core), core.touch_table_bytes)) return false;
  __builtin_memset(core.open_touch_parts, 0xff, words_for(core.touch_table_bytes) * sizeof(uint64_t));
  return true;
}

}  // namespace

bool prepare_touch_table(Core& core, uint64_t table_bytes) {
  advise_about_table(core, table_bytes);
  core.touch_table_bytes = table_bytes;
  core.open_touch_parts = take<uint64_t>(words_for(table_bytes));
  return core.open_touch_parts != nullptr;
}

bool open_touch_part(Core& core, uint64_t address) {
  if (address - table_begin(core) >= core.touch_table_bytes) return false;
  uint64_t part = part_of(core, address), bit = uint64_t{1} << part % kBits;
  if ((core.open_touch_parts[part / kBits] & bit) != 0) return true;
  if (core.open_touch_part_count == kMostParts) return open_all(core);
  auto* begin = reinterpret_cast<char*>(touch_table(core)) + part * kPartBytes;
  if (!make_accessible(begin, kPartBytes)) return false;
  core.open_touch_parts[part / kBits] |= bit;
  ++core.open_touch_part_count;
  return true;
}

Range first_open_part(Core& core, uint64_t start, uint64_t end) {
  if (start >= end) return {end, end};
  uint64_t behind = part_of(core, end - 1) + 1;
  uint64_t part = next_open(core.open_touch_parts, part_of(core, start), behind);
  if (part == behind) return {end, end};
  uint64_t begin = table_begin(core) + part * kPartBytes, part_end = begin + kPartBytes;
  return {begin > start ? begin : start, part_end < end ? part_end : end};
}

}  // namespace hm::soft::direct
