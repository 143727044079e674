// SPDX-License-Identifier: GPL-2.0-or-later
#include "core_model.h"

#include "valgrind_api.h"

namespace hm::soft::vg {

CoreFilters g_filters;
constinit model::Machine g_machine;
constinit model::BranchPredictor g_predictor;
constinit model::StoreBuffer g_store_buffer;
BranchStack g_branches;

namespace {

uint64_t g_flags[kCodeFlags + 1];

// Code pages by number, open addressing; a page's flags start at index * lines_per_page.
constexpr uint32_t kPageTableSize = 1u << 16;
struct CodePage {
  uint64_t page_plus_one;  // 0: free
  uint32_t first_flag;
};
CodePage g_pages[kPageTableSize];
uint32_t g_flags_used = 0;

uint32_t lines_per_page() { return 1u << (g_machine.page_shift() - g_machine.line_shift()); }

uint32_t first_flag_of_page(uint64_t page) {
  uint64_t hash = page * 0x9e3779b97f4a7c15u >> 48;
  for (uint32_t probe = 0; probe < kPageTableSize; ++probe) {
    CodePage& entry = g_pages[(hash + probe) % kPageTableSize];
    if (entry.page_plus_one == page + 1) return entry.first_flag;
    if (entry.page_plus_one != 0) continue;
    if (g_flags_used + lines_per_page() > kCodeFlags) return kSharedCodeFlag;
    entry = {page + 1, g_flags_used};
    g_flags_used += lines_per_page();
    return entry.first_flag;
  }
  return kSharedCodeFlag;
}

}  // namespace

void build_core(const Session& session) {
  model::Filters filters{g_filters.data_lines, g_filters.data_page_stamps, g_filters.fetch_page_stamps};
  model::Arena measure;
  model::Machine(session.geometry, filters, measure);
  model::BranchPredictor{measure};
  void* block = VG_(am_shadow_alloc)(measure.used_bytes());
  if (block == nullptr) {
    VG_(out_of_memory_NORETURN)("hardmeter: the models", measure.used_bytes());
  }
  model::Arena arena(block);
  g_machine = model::Machine(session.geometry, filters, arena);
  g_predictor = model::BranchPredictor(arena);
}

uint32_t code_flag_index(uint64_t address) {
  uint32_t first = first_flag_of_page(address >> g_machine.page_shift());
  if (first == kSharedCodeFlag) return kSharedCodeFlag;
  return first + static_cast<uint32_t>((address >> g_machine.line_shift()) & (lines_per_page() - 1));
}

uint64_t* code_flag(uint32_t index) { return &g_flags[index]; }

}  // namespace hm::soft::vg
