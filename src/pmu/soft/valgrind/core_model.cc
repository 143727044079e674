// SPDX-License-Identifier: GPL-2.0-or-later
#include "core_model.h"

#include "call_outs.h"
#include "pmu/soft/sampling/code_pages.h"
#include "valgrind_api.h"
#include "valgrind_compat.h"

namespace hm::soft::vg {

CoreFilters g_filters;
constinit ModelledCore g_core;

namespace {

constinit model::SharedLevels g_shared;
constinit CodePages g_code_pages;
// The first chunk is in the tool's image, whose addresses are short.
alignas(64) uint8_t g_first_chunk[CodePages::kChunkBytes];

void* allocate(uint64_t bytes, const HChar* what) {
  void* block = allocate_pages(bytes);
  if (block == nullptr) fail_for_lack_of_memory(what, bytes);
  return block;
}

struct Wanted {
  uint64_t bytes;
  void* block;
};

// May be called from translated code.
void* more_memory(uint64_t bytes) {
  Wanted wanted{bytes, nullptr};
  call_saving_vectors<Wanted>([](Wanted* some) { some->block = allocate_pages(some->bytes); }, &wanted);
  return wanted.block;
}

}  // namespace

void build_core(const Session& session) {
  constexpr uint32_t kCores = 1;  // Valgrind runs one thread at a time
  model::FilterTables filters = g_filters.tables(0, kCodeOffset);
  ModelPlan plan = model_plan(session, kCores, more_memory);
  const auto room = [](uint64_t bytes) { return allocate(bytes, "hardmeter: the models"); };
  g_shared = build_shared(plan, room(shared_bytes(plan)));
  soft::build_core(g_core, plan, filters, g_shared, room(core_bytes(plan, filters)));
  g_code_pages.give(g_first_chunk, sizeof(g_first_chunk));
}

void forget_frames(Addr start, SizeT bytes) {
  unsigned shift = g_core.machine.line_shift();
  g_shared.forget_frames(start >> shift, (start + bytes) >> shift);
}
void doubt_frames() { g_shared.doubt_frames(); }

void join_session_cache(SessionCacheUser& user) {
  user.begin_process();
  user.attach(g_shared);
}

model::CodePage* code_page(uint64_t address) {
  return g_code_pages.page(
      address >> g_core.machine.page_shift(), hm::model::CodePage::bytes(g_core.machine.lines_per_page()),
      [](uint64_t bytes) { g_code_pages.give(allocate(bytes, "hardmeter: code lines"), bytes); });
}

}  // namespace hm::soft::vg
