// SPDX-License-Identifier: GPL-2.0-or-later
#include "core_model.h"

#include "valgrind_api.h"

namespace hm::soft::vg {

CoreFilters g_filters;
constinit ModelledCore g_core;

namespace {

// Memory for code pages. The first lies where addresses are short: enough for 100 MiB of code with 64-byte
// lines.
constexpr uint64_t kChunkBytes = 8u << 20;
alignas(64) uint8_t g_first_chunk[kChunkBytes];
uint8_t* g_chunk = g_first_chunk;
uint64_t g_chunk_left = kChunkBytes;

// Code pages by number, open addressing.
constexpr uint32_t kPageTableBits = 18;
struct KnownPage {
  uint64_t number_plus_one;  // 0: free
  model::CodePage* page;
};
KnownPage g_pages[1u << kPageTableBits];

model::CodePage* take_code_page() {
  uint64_t bytes = (model::CodePage::bytes(g_core.machine.lines_per_page()) + 7) & ~uint64_t{7};
  if (g_chunk_left < bytes) {
    g_chunk_left = bytes > kChunkBytes ? bytes : kChunkBytes;
    g_chunk = static_cast<uint8_t*>(VG_(am_shadow_alloc)(g_chunk_left));
    if (g_chunk == nullptr) VG_(out_of_memory_NORETURN)("hardmeter: code lines", g_chunk_left);
  }
  auto* page = reinterpret_cast<model::CodePage*>(g_chunk);
  g_chunk += bytes;
  g_chunk_left -= bytes;
  return page;
}

}  // namespace

void build_core(const Session& session) {
  uint64_t bytes = core_bytes(session.geometry, g_filters.tables());
  void* block = VG_(am_shadow_alloc)(bytes);
  if (block == nullptr) VG_(out_of_memory_NORETURN)("hardmeter: the models", bytes);
  soft::build_core(g_core, session.geometry, g_filters.tables(), block);
}

model::CodePage* code_page(uint64_t address) {
  uint64_t number = address >> g_core.machine.page_shift();
  constexpr uint64_t kTableMask = (uint64_t{1} << kPageTableBits) - 1;
  uint64_t hash = number * 0x9e3779b97f4a7c15u >> (64 - kPageTableBits);
  for (uint64_t probe = 0; probe <= kTableMask; ++probe) {
    KnownPage& known = g_pages[(hash + probe) & kTableMask];
    if (known.number_plus_one == number + 1) return known.page;
    if (known.number_plus_one != 0) continue;
    known = {number + 1, take_code_page()};
    known.page->number = number;
    return known.page;
  }
  return nullptr;
}

}  // namespace hm::soft::vg
