// SPDX-License-Identifier: MIT
// Repeated string instructions. Their accesses are modelled once their number is known, line by line: of
// consecutive accesses to one line, only the last changes anything.
#include "pmu/soft/direct/measure/strings.h"

#include "pmu/soft/direct/core/frequent_events.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/measure/call_outs.h"
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {
namespace {

using DataKind = record::AccessKind;

struct Side {
  bool used;
  uint64_t address;
  DataKind kind;
};

// Returns the number of elements from `address` on that lie within the line of the first one; at least one.
uint64_t elements_in_line(uint64_t address, int64_t step, uint32_t bytes) {
  uint64_t line_bytes = g_process.plan.line_bytes;
  uint64_t offset = address & (line_bytes - 1);
  if (offset + bytes > line_bytes) return 1;
  uint64_t more = step > 0 ? (line_bytes - bytes - offset) / bytes : offset / bytes;
  return more + 1;
}

class StringModel {
 public:
  StringModel(Core& core, bool interrupted)
      : core_(core), plan_(*core.string.plan), bytes_(plan_.bytes), interrupted_(interrupted) {
    const StringOperands& operands = core.string;
    StringOperation operation = plan_.operation;
    bool down = (core.context.flags & kDirectionFlag) != 0;
    step_ = down ? -static_cast<int64_t>(bytes_) : static_cast<int64_t>(bytes_);
    bool loads_source = operation == StringOperation::kMovs || operation == StringOperation::kCmps ||
                        operation == StringOperation::kLods;
    bool stores = operation == StringOperation::kMovs || operation == StringOperation::kStos;
    sides_[0] = {loads_source, whole(operands.source), DataKind::kLoad};
    sides_[1] = {operation != StringOperation::kLods, whole(operands.destination),
                 stores ? DataKind::kStore : DataKind::kLoad};
    if (plan_.source_in_fs) sides_[0].address += core.context.fs_base;
  }

  void run() {
    uint64_t iterations = whole(core_.string.count - core_.context.registers[kCx]);
    bool compared = !interrupted_ && ended_by_comparison(iterations);
    bool looks_again = !interrupted_ && !compared;  // at the counter, which is then 0
    for (uint64_t left = iterations; left != 0;) {
      const Demand& demand = demand_now(core_);
      uint64_t count = max_at_once(demand, left);
      set_registers(left);
      pass(count);
      left -= count;
      if (demand.uops) count_events(core_, EventId::kUopRetired, plan_.further_uops, core_.tick);
      count_instructions(count - (left != 0 || looks_again ? 0 : 1));
      take_samples(core_, plan_.ip);
      if (left != 0) g_process.bursts.follow_within(core_);
    }
    if (compared) core_.tick -= 2;  // the block has counted one more check of the counter
  }

 private:
  [[nodiscard]] uint64_t whole(uint64_t value) const { return plan_.address32 ? value & 0xffffffffu : value; }

  // Returns true if the last comparison ended the instruction, rather than the counter.
  [[nodiscard]] bool ended_by_comparison(uint64_t iterations) const {
    if (iterations == 0 || plan_.repeat == Repeat::kRep) return false;
    bool equal = (core_.context.flags & kZeroFlag) != 0;
    return equal == (plan_.repeat == Repeat::kRepne);
  }

  // Sets the registers to their values when `left` iterations are left.
  void set_registers(uint64_t left) {
    uint64_t* registers = core_.context.registers;
    uint64_t done = whole(core_.string.count - last_count_) - left;
    uint64_t bytes = done * static_cast<uint64_t>(step_);
    registers[kCx] = whole(core_.string.count - done);
    if (sides_[0].used) registers[kSi] = whole(core_.string.source + bytes);
    if (sides_[1].used) registers[kDi] = whole(core_.string.destination + bytes);
  }

  // Returns how many of `left` iterations can be modelled together.
  [[nodiscard]] uint64_t max_at_once(const Demand& demand, uint64_t left) const {
    if (demand.uops || demand.store_buffer || demand.sizes) return 1;
    bool by_lines = demand.data || core_.between_bursts;
    uint64_t count = by_lines ? max_in_lines(left) : left;
    if (!demand.instructions && !demand.memory) return count;
    uint64_t before_sample = max_before_sample();
    return before_sample < count ? before_sample : count;
  }

  // Returns a number of iterations after which no sample is due yet; at least one.
  [[nodiscard]] uint64_t max_before_sample() const {
    constexpr uint64_t kMostEventsOfIteration = 2;
    auto events = static_cast<uint64_t>(events_before_sample(core_.thread->counters));
    return events < kMostEventsOfIteration ? 1 : events / kMostEventsOfIteration;
  }

  // Returns the number of iterations during which no side leaves its current line.
  [[nodiscard]] uint64_t max_in_lines(uint64_t left) const {
    uint64_t count = left;
    for (const Side& side : sides_) {
      if (!side.used) continue;
      uint64_t here = elements_in_line(side.address, step_, bytes_);
      if (here < count) count = here;
    }
    return count;
  }

  // Each side has its own site, because its addresses advance independently.
  [[nodiscard]] uint64_t site_of(const Side& side) const { return 2 * plan_.ip + (&side - sides_); }

  // Models `count` iterations in which no side leaves its line, if lines are modelled. The first access of
  // each side decides on a hit or miss; the time of the last one is kept.
  void pass(uint64_t count) {
    unsigned sides = (sides_[0].used ? 1u : 0u) + (sides_[1].used ? 1u : 0u);
    uint64_t last_tick = core_.tick + 2 * (count - 1) * (sides + 1);
    uint64_t tick = 0;
    for (Side& side : sides_) {
      if (!side.used) continue;
      tick += 2;
      count_accesses(side.kind, count - 1);
      whole_access(core_, side.address, {bytes_, side.kind, false}, last_tick + tick, site_of(side));
      take_samples(core_, plan_.ip);
      if (!core_.between_bursts) (side.kind == DataKind::kStore ? core_.stores : core_.loads) += count;
      side.address += static_cast<uint64_t>(step_) * count;
    }
    core_.tick += 2 * count * (sides + 1);
    core_.model.costs.add_work(work_of(count));
  }

  // Processors move and fill 32 bytes in a cycle, and compare an element in two (Intel's optimization manual,
  // section on enhanced rep movsb and stosb).
  [[nodiscard]] uint64_t work_of(uint64_t count) const {
    constexpr uint64_t kBytesPerCycle = 32, kCyclesOfComparison = 2;
    bool moves = plan_.operation == StringOperation::kMovs || plan_.operation == StringOperation::kStos;
    uint64_t work = count * model::Costs::kPerCycle;
    return moves ? work * bytes_ / kBytesPerCycle : work * kCyclesOfComparison;
  }

  // Counts accesses that are modelled together with the next one.
  void count_accesses(DataKind kind, uint64_t count) {
    if (count == 0 || !demand_now(core_).memory) return;
    Counters& counters = core_.thread->counters;
    counters.add(kind == DataKind::kStore ? EventId::kMemoryStores : EventId::kMemoryLoads, count);
    counters.add(EventId::kMemoryMoves, count);
  }

  // Counts the instruction for further iterations, and for the last check of the counter. The first iteration
  // was counted before.
  void count_instructions(uint64_t count) {
    if (count == 0) return;
    const Demand& demand = demand_now(core_);
    if (demand.instructions) count_events(core_, EventId::kInstrRetired, count, core_.tick);
    if (demand.uops) count_events(core_, EventId::kUopRetired, count, core_.tick);
  }

  Core& core_;
  const StringPlan& plan_;
  uint32_t bytes_;
  bool interrupted_;
  int64_t step_;
  Side sides_[2];
  uint64_t last_count_ = core_.context.registers[kCx];
};

}  // namespace

void model_string(Core& core, bool interrupted) {
  if (!g_process.plan.uninstrumented && core.thread->collected) StringModel(core, interrupted).run();
}

}  // namespace hm::soft::direct

// `tick`: the core's tick plus the ticks of the block so far.
extern "C" void hm_on_string(hm::soft::direct::Core* core, uint64_t, uint64_t tick) {
  using namespace hm::soft::direct;
  uint64_t before = tick - core->tick;
  core->tick += before;
  model_string(*core, false);
  core->tick -= before;
}
