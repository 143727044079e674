// SPDX-License-Identifier: MIT
// Repeated string instructions: their accesses are modelled when it is known how many there were, line by
// line: of the accesses to a line between two others only the last changes anything.
#include "pmu/soft/direct/strings.h"
#include "pmu/soft/direct/call_outs.h"
#include "pmu/soft/direct/core_offsets.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/engine.h"

namespace hm::soft::direct {
namespace {

using DataKind = record::AccessKind;

struct Side {
  bool used;
  uint64_t address;
  DataKind kind;
};

// How many elements from `address` on begin in the line of the first and end there; at least one.
uint64_t elements_in_line(uint64_t address, int64_t step, uint32_t bytes) {
  uint64_t line_bytes = g_plan.line_bytes;
  uint64_t offset = address & (line_bytes - 1);
  if (offset + bytes > line_bytes) return 1;
  uint64_t more = step > 0 ? (line_bytes - bytes - offset) / bytes : offset / bytes;
  return more + 1;
}

class StringModel {
 public:
  StringModel(Core& core, StringOperation operation, uint32_t bytes)
      : core_(core),
        bytes_(bytes),
        step_((core.context.flags & kDirectionFlag) != 0 ? -static_cast<int64_t>(bytes)
                                                         : static_cast<int64_t>(bytes)) {
    bool loads_source = operation == StringOperation::kMovs || operation == StringOperation::kCmps ||
                        operation == StringOperation::kLods;
    bool stores = operation == StringOperation::kMovs || operation == StringOperation::kStos;
    sides_[0] = {loads_source, core.string.source, DataKind::kLoad};
    sides_[1] = {operation != StringOperation::kLods, core.string.destination,
                 stores ? DataKind::kStore : DataKind::kLoad};
  }

  void run(uint64_t iterations) {
    for (uint64_t left = iterations; left != 0;) {
      uint64_t count = left;
      for (const Side& side : sides_) {
        if (!side.used) continue;
        uint64_t here = elements_in_line(side.address, step_, bytes_);
        if (here < count) count = here;
      }
      pass(count);
      left -= count;
    }
  }

 private:
  // `count` iterations in which no side leaves its line: the first access of each decides, the last one's
  // time stays.
  void pass(uint64_t count) {
    unsigned sides = (sides_[0].used ? 1u : 0u) + (sides_[1].used ? 1u : 0u);
    uint64_t last_tick = core_.tick + 2 * (count - 1) * (sides + 1);
    uint64_t tick = 0;
    for (Side& side : sides_) {
      if (!side.used) continue;
      tick += 2;
      access(side, (count == 1 ? core_.tick : last_tick) + tick);
      (side.kind == DataKind::kStore ? core_.stores : core_.loads) += count;
      side.address += static_cast<uint64_t>(step_) * count;
    }
    core_.tick += 2 * count * (sides + 1);
  }

  void access(const Side& side, Tick now) {
    hm_on_data(&core_, side.address, now, AccessInfo{bytes_, side.kind, false}.pack());
  }

  Core& core_;
  uint32_t bytes_;
  int64_t step_;
  Side sides_[2];
};

}  // namespace

void model_string(Core& core, StringOperation operation, uint32_t bytes, uint64_t iterations) {
  if (!g_plan.bare) StringModel(core, operation, bytes).run(iterations);
}

}  // namespace hm::soft::direct

// `what`: the operation, the size of an element, the ticks of the block so far.
extern "C" void hm_on_string(hm::soft::direct::Core* core, uint32_t what) {
  using namespace hm::soft::direct;
  auto operation = static_cast<StringOperation>(what & ((1u << STRING_SIZE_SHIFT) - 1));
  uint32_t bytes = (what & ((1u << ACCESS_BITS) - 1)) >> STRING_SIZE_SHIFT;
  uint64_t before = what >> ACCESS_BITS;
  core->tick += before;
  model_string(*core, operation, bytes, core->string.count - core->context.registers[kCx]);
  core->tick -= before;
}
