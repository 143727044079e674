// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/other_layout.h"

#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/emulate/start_arguments.h"
#include "pmu/soft/direct/process/defined_state.h"
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {
namespace {

// The alignment of the stack, of the heap, and of malloc's blocks.
constexpr uint64_t kAlignment = 16, kPage = 4096;
constexpr uint64_t kStackSteps = 4096, kHeapSteps = uint64_t{1} << 18, kMappingPages = 8192;

// Reserves address space that is never used; later mappings are below it. Kernels may align mappings of 2 MiB
// or more, with gaps above.
void move_mappings(uint64_t pages) {
  constexpr int64_t kSysMmap = 9, kNone = 0, kPrivateAnonymousNoReserve = 0x4022;
  constexpr uint64_t kMost = 256;
  for (uint64_t left = pages; left > 0; left -= left < kMost ? left : kMost) {
    uint64_t bytes = (left < kMost ? left : kMost) * kPage;
    system_call(kSysMmap, 0, static_cast<int64_t>(bytes), kNone, kPrivateAnonymousNoReserve, -1, 0);
  }
}

void move_heap(uint64_t bytes) {
  constexpr int64_t kSysBrk = 12;
  int64_t begin = system_call(kSysBrk, 0);
  system_call(kSysBrk, begin + static_cast<int64_t>(bytes));
}

}  // namespace

void move_to_other_layout(Context& context) {
  constexpr uint32_t kStackBytes = 3;  // RLIMIT_STACK
  constexpr uint64_t kLeastStack = uint64_t{1} << 20;
  if (session() == nullptr || session()->layout == 0) return;
  DefinedState random;
  random.seed(session()->layout);
  uint64_t stack = random.random() % kStackSteps * kAlignment;
  uint64_t heap = random.random() % kHeapSteps * kAlignment;
  uint64_t pages = 1 + random.random() % kMappingPages;
  if (has_limit_of(kStackBytes, kLeastStack)) StartArguments(context).move_to(context.registers[kSp] - stack);
  if (g_process.has_memory_limits != 0) return;  // the gaps would count as the program's memory
  move_heap(heap);
  move_mappings(pages);
}

}  // namespace hm::soft::direct
