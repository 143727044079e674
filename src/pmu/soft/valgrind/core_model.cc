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

// The first words lie where 32-bit displacements reach them: enough for 64 MiB of code with 64-byte lines.
constexpr uint32_t kChunkWords = 1u << 20;
uint64_t g_first_words[kChunkWords];

struct Chunk {
  uint64_t* words;
  uint32_t left;
};
Chunk g_chunk{g_first_words, kChunkWords};

// Code pages by number, open addressing.
constexpr uint32_t kPageTableBits = 18;
struct CodePage {
  uint64_t page_plus_one;  // 0: free
  uint64_t* words;
};
CodePage g_pages[1u << kPageTableBits];

uint64_t* take_words(uint32_t count) {
  if (g_chunk.left < count) {
    auto* more = static_cast<uint64_t*>(VG_(am_shadow_alloc)(kChunkWords * sizeof(uint64_t)));
    if (more == nullptr) VG_(out_of_memory_NORETURN)("hardmeter: code lines", kChunkWords * sizeof(uint64_t));
    g_chunk = {more, kChunkWords};
  }
  uint64_t* words = g_chunk.words;
  g_chunk.words += count;
  g_chunk.left -= count;
  return words;
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

uint64_t* code_page_words(uint64_t address) {
  uint64_t page = address >> g_machine.page_shift();
  constexpr uint64_t kTableMask = (uint64_t{1} << kPageTableBits) - 1;
  uint64_t hash = page * 0x9e3779b97f4a7c15u >> (64 - kPageTableBits);
  for (uint64_t probe = 0; probe <= kTableMask; ++probe) {
    CodePage& entry = g_pages[(hash + probe) & kTableMask];
    if (entry.page_plus_one == page + 1) return entry.words;
    if (entry.page_plus_one != 0) continue;
    entry = {page + 1, take_words(g_machine.lines_per_page())};
    return entry.words;
  }
  return nullptr;
}

}  // namespace hm::soft::vg
