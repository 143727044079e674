// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/code_pages.h"

#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/lock.h"
#include "pmu/soft/sampling/code_pages.h"

namespace hm::soft::direct {
namespace {

constexpr uint32_t kMostCores = 64;

CodePages g_pages;  // of the first core
CodePageSpace g_space;
Core* g_cores[kMostCores];
uint32_t g_count;
uint64_t g_end;  // of the pages that there are
constinit Lock g_lock;

model::CodePage& page_at(Core* core, uint64_t offset) {
  return *reinterpret_cast<model::CodePage*>(reinterpret_cast<char*>(core) + offset);
}

uint64_t page_bytes() { return (model::CodePage::bytes(g_plan.lines_per_page) + 7) & ~uint64_t{7}; }

}  // namespace

void add_code_pages(Core* core, CodePageSpace space) {
  Guard guard(g_lock);
  if (g_count == 0) {
    g_space = space;
    g_end = space.offset;
    g_pages.give(reinterpret_cast<char*>(core) + space.offset, space.bytes);
  }
  for (uint64_t offset = g_space.offset; offset < g_end; offset += page_bytes())
    page_at(core, offset).number = page_at(g_cores[0], offset).number;
  g_cores[g_count++] = core;
}

uint32_t code_page_offset(uint64_t address) {
  Guard guard(g_lock);
  model::CodePage* page = g_pages.page(address >> g_plan.page_shift, g_plan.lines_per_page, [](uint64_t) {});
  if (page == nullptr) return 0;
  auto offset = static_cast<uint64_t>(reinterpret_cast<char*>(page) - reinterpret_cast<char*>(g_cores[0]));
  if (offset == g_end) {
    for (uint32_t i = 1; i < g_count; ++i) page_at(g_cores[i], offset).number = page->number;
    g_end += page_bytes();
  }
  return static_cast<uint32_t>(offset);
}

}  // namespace hm::soft::direct
