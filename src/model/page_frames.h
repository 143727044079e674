// SPDX-License-Identifier: MIT
// The physical memory frame of each page of a program, as reported by the kernel. Physically indexed caches
// use it. Freestanding.
#pragma once

#include <stdint.h>

#include "model/line_table.h"

namespace hm::model {

enum class PageUse : uint8_t { kRead, kWrite, kFetch };

struct PageFrame {
  uint64_t number = 0;
  bool known = false;  // also false for a page that was never written and has no own frame
  bool lasts = false;  // no use of the page can change its frame
};

// Reads from the kernel the frame of a page that is about to be used. Any core may call it at any time.
using FrameSource = PageFrame (*)(uint64_t page, PageUse use);

// Shared by all threads of a process. A copy is another handle of the same table.
class PageFrames {
 public:
  static constexpr unsigned kPageShift = 12;  // the kernel's page size, not that of the modelled TLBs

  PageFrames() = default;
  PageFrames(FrameSource ask, unsigned line_shift, MemorySource more, Arena& arena)
      : ask_(ask), lines_shift_(kPageShift - line_shift), table_(more, arena) {}

  // Called before a use of `line`; `cached` is its name in the caches (SharedLevels::cached_as).
  // `translated`: its page missed the first-level TLB. A permanent frame is looked up once. Other frames may
  // change, by copy on write or after a use that this model does not see. They are looked up again at each
  // store and at each TLB miss.
  void update(uint64_t line, uint64_t cached, PageUse use, bool translated) const {
    Entry* entry = table_.of(cached >> lines_shift_);
    if (entry == nullptr) return;
    Entry known = __atomic_load_n(entry, __ATOMIC_RELAXED);
    if ((known & kLasts) != 0) return;
    if ((known & kKnown) != 0 && use != PageUse::kWrite && !translated) return;
    PageFrame frame = ask_(line >> lines_shift_, use);
    Entry now = frame.number << kFrameShift | (frame.known ? kKnown : 0) | (frame.lasts ? kLasts : 0);
    __atomic_store_n(entry, frame.known ? now : 0, __ATOMIC_RELAXED);
  }

  // Returns the line's number by its physical address, or by its virtual address if the frame is unknown.
  [[nodiscard]] uint64_t physical_line(uint64_t line) const {
    Entry entry = entry_of(line >> lines_shift_);
    if ((entry & kKnown) == 0) return line;
    return entry >> kFrameShift << lines_shift_ | (line & ((uint64_t{1} << lines_shift_) - 1));
  }

  // 0 if the page's frame is unknown.
  [[nodiscard]] uint64_t frame_of(uint64_t page) const {
    Entry entry = entry_of(page);
    return (entry & kKnown) == 0 ? 0 : entry >> kFrameShift;
  }

  // The pages of lines [first, end) have been unmapped or replaced.
  void forget_lines(uint64_t first, uint64_t end) const {
    uint64_t further = (uint64_t{1} << lines_shift_) - 1;  // the other lines of the last page
    for (uint64_t page = first >> lines_shift_; page < (end + further) >> lines_shift_; ++page) {
      Entry* entry = table_.find(page);
      if (entry == nullptr) {
        page |= LineTable<Entry>::kLeafLines - 1;  // no page of this leaf is known
      } else {
        __atomic_store_n(entry, Entry{0}, __ATOMIC_RELAXED);
      }
    }
  }

  // The process was forked: parent and child may get other frames when they write.
  void doubt_all() const {
    table_.for_each([](Entry& entry) { entry &= ~kLasts; });
  }

 private:
  using Entry = uint64_t;  // frame number, kKnown and kLasts; 0: unknown
  static constexpr Entry kKnown = 1, kLasts = 2;
  static constexpr unsigned kFrameShift = 2;

  [[nodiscard]] Entry entry_of(uint64_t page) const {
    const Entry* entry = table_.find(page);
    return entry == nullptr ? 0 : __atomic_load_n(entry, __ATOMIC_RELAXED);
  }

  FrameSource ask_ = nullptr;
  unsigned lines_shift_ = 0;  // log2 of the lines per page
  LineTable<Entry> table_;
};

}  // namespace hm::model
