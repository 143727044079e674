// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/invalidation.h"

#include <initializer_list>

#include "pmu/soft/direct/address_space.h"
#include "pmu/soft/direct/cores.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kPageBytes = 4096;

void protect(uint64_t page, int64_t protection) {
  system_call(kMprotect, static_cast<int64_t>(page), kPageBytes, protection);
}

void forget_everywhere(const Block& block, void*) {
  for_each_core(
      [](Core& core, const void* source) {
        forget_indirect_target(core, *static_cast<const uint64_t*>(source));
      },
      &block.source);
}

}  // namespace

bool watch_code(uint64_t start, uint64_t end) {
  bool fresh = false;
  for (uint64_t page = start & ~(kPageBytes - 1); page < end; page += kPageBytes) {
    if (!is_writable_code(page)) continue;
    set_watched(page, true);
    protect(page, kReadExecute);
    fresh = true;
  }
  return fresh;
}

void forget_all_code() {
  drop_all_blocks();
  for_each_core([](Core& core, const void*) { forget_indirect_targets(core); }, nullptr);
}

void forget_code(uint64_t start, uint64_t end) {
  for (Range code = first_executable(start, end); code.start < code.end;
       code = first_executable(code.end, end))
    drop_blocks(code.start, code.end, forget_everywhere, nullptr);
}

void forget_block_at(uint64_t source) {
  for (Mode mode : {Mode::kUninstrumented, Mode::kCollecting}) {
    if (const Block* block = drop_block(source, mode)) forget_everywhere(*block, nullptr);
  }
}

bool resolve_write_to_code(uint64_t address) {
  Guard guard(g_translation);
  uint64_t page = address & ~(kPageBytes - 1);
  if (is_writable_code(page)) return true;  // another thread's write has just made it so
  if (!is_watched(page)) return false;
  forget_code(page, page + kPageBytes);
  set_watched(page, false);
  protect(page, kReadWriteExecute);
  return true;
}

}  // namespace hm::soft::direct
