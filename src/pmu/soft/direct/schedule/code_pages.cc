// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/schedule/code_pages.h"

#include "pmu/soft/direct/runtime/memory.h"

namespace hm::soft::direct {
uint64_t CodePageTable::page_bytes() const {
  uint64_t touched = plan_.in_bursts ? plan_.lines_per_page * sizeof(TouchStamp) : 0;
  return (model::CodePage::bytes(plan_.lines_per_page) + touched + 7) & ~uint64_t{7};
}

bool CodePageTable::add_core(Core* core, CodePageSpace space) {
  Guard guard(lock_);
  if (count_ == 0) {
    if (pages_ == nullptr) pages_ = take<CodePages>();
    if (pages_ == nullptr) return false;
    space_ = space;
    end_ = space.offset;
    pages_->give(reinterpret_cast<char*>(core) + space.offset, space.bytes);
  }
  for (uint64_t offset = space_.offset; offset < end_; offset += page_bytes())
    code_page_at(*core, offset).number = code_page_at(*cores_[0], offset).number;
  cores_[count_++] = core;
  return true;
}

void CodePageTable::clear(Core& core) {
  for_each(core, [&](model::CodePage& page) {
    uint64_t number = page.number;
    __builtin_memset(static_cast<void*>(&page), 0, model::CodePage::bytes(plan_.lines_per_page));
    page.number = number;
  });
}

uint32_t CodePageTable::offset_of(uint64_t address) {
  Guard guard(lock_);
  model::CodePage* page = pages_->page(address >> plan_.page_shift, page_bytes(), [](uint64_t) {});
  if (page == nullptr) return 0;
  auto offset = static_cast<uint64_t>(reinterpret_cast<char*>(page) - reinterpret_cast<char*>(cores_[0]));
  if (offset == end_) {
    for (uint32_t i = 1; i < count_; ++i) code_page_at(*cores_[i], offset).number = page->number;
    end_ += page_bytes();
  }
  return static_cast<uint32_t>(offset);
}

}  // namespace hm::soft::direct
