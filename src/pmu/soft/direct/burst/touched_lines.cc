// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/burst/touched_lines.h"

#include "pmu/soft/direct/core/recent_stamps.h"
#include "pmu/soft/direct/core/touch_parts.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint32_t kStampsPerPage = kPage / sizeof(TouchStamp);
// A stamp is the low half of a tick. It is overwritten with 0 before it could be mistaken for a later one.
constexpr uint64_t kForgetEvery = uint64_t{1} << 30;
static_assert(kForgetEvery + 2 * TouchTables::kMaxTicks < uint64_t{1} << 32);
// Ranges are rounded to this size, so that neighbours merge: each range costs a system call.
constexpr uint64_t kRounding = 1u << 20;
// The kernel lets a stack grow without a system call.
constexpr uint64_t kStackGrowth = 8u << 20;

// The host's own prefetches end at a page.
constexpr uint32_t kStampsAhead = 16 * kStampsAtOnce;

template <typename Visit>
void for_each(const Ranges& ranges, Visit&& visit) {
  for (Range range = ranges.first_in(0, ~uint64_t{0}); range.start < range.end;
       range = ranges.first_in(range.end, ~uint64_t{0}))
    visit(range);
}

bool is_stack(const MappedRange& range) {
  constexpr char kName[] = "[stack]";
  for (unsigned i = 0; i < sizeof(kName); ++i) {
    if (range.path[i] != kName[i]) return false;
  }
  return true;
}

}  // namespace

void TouchTables::add(const MappedRange& range) {
  if (range.protection == 0 || is_engine(range) || range.end >> kUserAddressBits != 0) return;
  if (mappings_.is_nearly_full()) return;
  uint64_t start = is_stack(range) ? range.start - kStackGrowth : range.start;
  mappings_.add(start & ~(kRounding - 1), (range.end + kRounding - 1) & ~(kRounding - 1));
}

// The next find() reads the mappings again, because the rounded range may include neighbours that are still
// mapped.
void TouchTables::note_unmapped(uint64_t start, uint64_t end) {
  add_former(start, end);
  doubt_mappings();
}

void TouchTables::add_former(uint64_t start, uint64_t end) {
  if (former_.is_nearly_full() || end >> kUserAddressBits != 0) return;
  former_.add(start & ~(kRounding - 1), (end + kRounding - 1) & ~(kRounding - 1));
}

void TouchTables::learn_mappings() {
  __atomic_store_n(&mappings_known_, true, __ATOMIC_RELAXED);
  for_each(mappings_, [&](const Range& range) { add_former(range.start, range.end); });
  mappings_.clear();
  bool known = maps_.for_each(
      [](const MappedRange& range, void* tables) { static_cast<TouchTables*>(tables)->add(range); }, this);
  if (!known) {  // keep the previous mappings, which are the best available
    for_each(former_, [&](const Range& range) { mappings_.add(range.start, range.end); });
    return doubt_mappings();
  }
  cores_.for_each([&](const Core& core) {
    auto start = reinterpret_cast<uint64_t>(&core);
    mappings_.remove(start, start + kTouchTableOffset + touch_table_bytes(plan_.line_shift));
  });
  for_each(mappings_, [&](const Range& range) { former_.remove(range.start, range.end); });
}

// Finds the lines that the core has touched in memory that is no longer mapped. The stamps of other cores for
// this memory are lost. Returns the tables' memory for these ranges to the system.
void TouchTables::search_former(Core& core) {
  for_each(former_, [&](const Range& range) {
    search(core, range.start, range.end);
    cores_.for_each([&](Core& each) { give_back(each, range); });
  });
  former_.clear();
}

// kRounding makes the range of stamps whole pages of the table.
void TouchTables::give_back(Core& core, const Range& range) const {
  constexpr int64_t kDontNeed = 4;  // MADV_DONTNEED
  TouchStamp* first = touch_table(core) + (range.start >> plan_.line_shift);
  auto bytes = ((range.end - range.start) >> plan_.line_shift) * sizeof(TouchStamp);
  system_call(kMadvise, pointer_argument(first), static_cast<int64_t>(bytes), kDontNeed);
}

void TouchTables::search_stamps(TouchStamp* stamps, uint32_t count, uint64_t first_line, uint32_t page) {
  const TouchStamp now = now_, window = window_;
  TouchedLine* next = lines_ + count_;
  const auto add = [&](uint32_t at) __attribute__((always_inline)) {
    TouchStamp stamp = stamps[at];
    if (stamp == 0 || next == lines_ + kMaxLines) return;  // the window may include tick 0
    *next = {first_line + at, now - stamp, page};
    ++places_[digit_of(*next++)];
  };
  uint32_t at = 0;
  for (; at + kStampsAtOnce <= count; at += kStampsAtOnce) {
    __builtin_prefetch(stamps + at + kStampsAhead);
    for (unsigned bits = recent_stamps(stamps + at, now, window); bits != 0; bits &= bits - 1)
      add(at + static_cast<uint32_t>(__builtin_ctz(bits)));
  }
  for (; at < count; ++at) {
    if (now - stamps[at] <= window) add(at);
  }
  auto added = static_cast<uint32_t>(next - lines_) - count_;
  count_ += added;
  if (page == 0) data_count_ += added;
  if (forgets_old_) forget_old(stamps, count);
}

void TouchTables::forget_old(TouchStamp* stamps, uint32_t count) const {
  for (uint32_t i = 0; i < count; ++i) {
    if (now_ - stamps[i] > window_) stamps[i] = 0;
  }
}

// Searches the stamps for the addresses [start, end).
void TouchTables::search(Core& core, uint64_t start, uint64_t end) {
  TouchStamp* table = touch_table(core);
  auto first = reinterpret_cast<uint64_t>(table + (start >> plan_.line_shift)) & ~(kPage - 1);
  auto last = (reinterpret_cast<uint64_t>(table + ((end - 1) >> plan_.line_shift)) & ~(kPage - 1)) + kPage;
  for (Range part = first_open_part(core, first, last); part.start < part.end;
       part = first_open_part(core, part.end, last))
    search_resident(table, part);
}

// Searches the resident pages of a part of the table.
void TouchTables::search_resident(TouchStamp* table, const Range& part) {
  constexpr uint64_t kMaxPages = 4096;
  unsigned char resident[kMaxPages];
  for (uint64_t first = part.start; first < part.end;) {
    uint64_t left = (part.end - first) / kPage, pages = left < kMaxPages ? left : kMaxPages;
    if (failed(system_call(kMincore, static_cast<int64_t>(first), static_cast<int64_t>(pages * kPage),
                           pointer_argument(resident))))
      return;
    for (uint64_t i = 0; i < pages; ++i, first += kPage) {
      if ((resident[i] & 1) == 0) continue;
      auto* stamps = reinterpret_cast<TouchStamp*>(first);
      search_stamps(stamps, kStampsPerPage, static_cast<uint64_t>(stamps - table), 0);
    }
  }
}

void TouchTables::sort() {
  uint32_t next = 0;
  for (uint32_t& place : places_) {
    uint32_t count = place;
    place = next;
    next += count;
  }
  for (uint32_t i = 0; i < count_; ++i) sorted_[places_[digit_of(lines_[i])]++] = lines_[i];
}

bool TouchTables::prepare() {
  lines_ = take<TouchedLine>(kMaxLines);
  sorted_ = take<TouchedLine>(kMaxLines);
  return lines_ != nullptr && sorted_ != nullptr;
}

TouchedLines TouchTables::find(Core& core, uint64_t since) {
  if (!__atomic_load_n(&mappings_known_, __ATOMIC_RELAXED)) learn_mappings();
  uint64_t ticks = core.tick - since < kMaxTicks ? core.tick - since : kMaxTicks;
  now_ = static_cast<TouchStamp>(core.tick);
  window_ = static_cast<uint32_t>(ticks);
  forgets_old_ = core.tick / kForgetEvery != since / kForgetEvery;
  count_ = data_count_ = 0;
  for (uint32_t& place : places_) place = 0;
  for_each(mappings_, [&](const Range& range) { search(core, range.start, range.end); });
  search_former(core);
  code_pages_.for_each(core, [&](model::CodePage& page) {
    auto* stamps =
        reinterpret_cast<TouchStamp*>(reinterpret_cast<char*>(&page) + touched_offset(plan_.lines_per_page));
    search_stamps(stamps, plan_.lines_per_page, page.number * plan_.lines_per_page,
                  static_cast<uint32_t>(reinterpret_cast<char*>(&page) - reinterpret_cast<char*>(&core)));
  });
  sort();
  return {sorted_, count_, data_count_};
}

}  // namespace hm::soft::direct
