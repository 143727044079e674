// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/other_layout.h"

#include "pmu/soft/direct/emulate/start_arguments.h"
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {
namespace {

// The stack's and the heap's alignment; malloc aligns its blocks likewise.
constexpr uint64_t kAlignment = 16, kPage = 4096;
constexpr uint64_t kStackSteps = 4096, kHeapSteps = uint64_t{1} << 18, kMappingPages = 8192;

// SplitMix64: G. Steele, D. Lea and C. Flood, OOPSLA 2014.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t below(uint64_t end) {
    uint64_t mixed = state_ += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return (mixed ^ (mixed >> 31)) % end;
  }

 private:
  uint64_t state_;
};

// Later mappings go below one that is never used.
void move_mappings(uint64_t bytes) {
  constexpr int64_t kSysMmap = 9, kNone = 0, kPrivateAnonymousNoReserve = 0x4022;
  system_call(kSysMmap, 0, static_cast<int64_t>(bytes), kNone, kPrivateAnonymousNoReserve, -1, 0);
}

void move_heap(uint64_t bytes) {
  constexpr int64_t kSysBrk = 12;
  int64_t begin = system_call(kSysBrk, 0);
  system_call(kSysBrk, begin + static_cast<int64_t>(bytes));
}

}  // namespace

void move_to_other_layout(Context& context) {
  if (session() == nullptr || session()->layout == 0) return;
  Random random(session()->layout);
  uint64_t stack = random.below(kStackSteps) * kAlignment;
  StartArguments(context).move_to(context.registers[kSp] - stack);
  move_heap(random.below(kHeapSteps) * kAlignment);
  move_mappings((1 + random.below(kMappingPages)) * kPage);
}

}  // namespace hm::soft::direct
