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

// 64 MiB of code with 64-byte lines.
constexpr uint32_t kCodeLines = 1u << 20;
CodeLine g_code_lines[kCodeLines];
uint32_t g_code_lines_used = 0;

// Code pages by number, open addressing.
constexpr uint32_t kPageTableSize = 1u << 16;
struct CodePage {
  uint64_t page_plus_one;  // 0: free
  CodeLine* lines;
};
CodePage g_pages[kPageTableSize];

uint32_t lines_per_page() { return 1u << (g_machine.page_shift() - g_machine.line_shift()); }

CodeLine* take_lines(uint64_t page) {
  if (g_code_lines_used + lines_per_page() > kCodeLines) return nullptr;
  CodeLine* lines = &g_code_lines[g_code_lines_used];
  g_code_lines_used += lines_per_page();
  uint64_t first = page << (g_machine.page_shift() - g_machine.line_shift());
  for (uint32_t i = 0; i < lines_per_page(); ++i) lines[i] = {0, first + i};
  return lines;
}

CodeLine* lines_of_page(uint64_t page) {
  uint64_t hash = page * 0x9e3779b97f4a7c15u >> 48;
  for (uint32_t probe = 0; probe < kPageTableSize; ++probe) {
    CodePage& entry = g_pages[(hash + probe) % kPageTableSize];
    if (entry.page_plus_one == page + 1) return entry.lines;
    if (entry.page_plus_one != 0) continue;
    entry = {page + 1, take_lines(page)};
    return entry.lines;
  }
  return nullptr;
}

}  // namespace

void build_core(const Session& session) {
  model::Arena measure;
  model::Machine(session.geometry, g_filters.lines, g_filters.stamps, measure);
  model::BranchPredictor{measure};
  void* block = VG_(am_shadow_alloc)(measure.used_bytes());
  if (block == nullptr) {
    VG_(out_of_memory_NORETURN)("hardmeter: the models", measure.used_bytes());
  }
  model::Arena arena(block);
  g_machine = model::Machine(session.geometry, g_filters.lines, g_filters.stamps, arena);
  g_predictor = model::BranchPredictor(arena);
}

CodeLine* find_code_line(uint64_t address) {
  CodeLine* lines = lines_of_page(address >> g_machine.page_shift());
  if (lines == nullptr) return nullptr;
  return &lines[(address >> g_machine.line_shift()) & (lines_per_page() - 1)];
}

}  // namespace hm::soft::vg
