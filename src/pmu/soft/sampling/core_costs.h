// SPDX-License-Identifier: MIT
// A core's cycles. Without calibration, an instruction and a data access take a cycle each, and misses their
// level's latency. With calibration, cycles are an estimate of time on a machine. Freestanding.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/cost/stalls.h"
#include "model/geometry.h"
#include "model/outcome.h"
#include "pmu/soft/sampling/address_sources.h"
#include "pmu/soft/sampling/loaded_addresses.h"

namespace hm::soft {

// A data access or a fetch that missed.
struct MissOfCore {
  uint64_t address = 0;
  uint64_t line = 0;
  uint64_t site = 0;
  uint64_t slot = 0;  // instructions and data accesses of the core before it
  bool stores = false;
  bool transferred = false;  // another core had modified the line
  model::Level level = model::Level::kL1;
  model::Translation translation = model::Translation::kFirstTlb;
  uint8_t l3_quarter = 0;
};

// How long a core waits for a data access, in parts of a cycle (Costs::kPerCycle).
struct DataWait {
  uint64_t line = 0;
  uint64_t translation = 0;
  [[nodiscard]] uint64_t all() const { return line + translation; }
};

class CoreCosts {
 public:
  CoreCosts() = default;
  // The geometry's latencies.
  explicit CoreCosts(const model::Latencies& latencies) : mispredict_(latencies.mispredict) {}
  // `times_paths`: the engine adds the time of instructions. Else each slot takes Costs::slot.
  CoreCosts(const model::Costs& costs, bool times_paths)
      : is_calibrated_(true), slot_(times_paths ? 0 : costs.slot), stalls_(costs) {}

  // Returns the cycles after so many slots.
  [[nodiscard]] uint64_t cycles_after(uint64_t slots) const {
    if (!is_calibrated_) return slots + stalled_;
    return stalls_.retired_at(position(slots)) / model::Costs::kPerCycle;
  }
  [[nodiscard]] bool is_calibrated() const { return is_calibrated_; }

  // Without calibration, misses add their latency, in cycles.
  DataWait add_latency(uint64_t line, uint64_t translation) {
    stalled_ += line + translation;
    return {line * model::Costs::kPerCycle, translation * model::Costs::kPerCycle};
  }
  // Returns the cost in parts of a cycle.
  uint64_t add_misprediction(uint64_t slot) {
    uint64_t cost = mispredict_ * model::Costs::kPerCycle;
    is_calibrated_ ? cost = stalls_.of_misprediction(position(slot)) : stalled_ += mispredict_;
    predicted_branches_ += cost;
    return cost;
  }
  // Translated code adds the mean costs of branches that are not predicted (model/branch/branch_costs.h).
  static constexpr uint64_t branch_work_offset() { return offsetof(CoreCosts, branch_work_); }
  // Returns the cycles that branches have cost since the last call.
  uint64_t take_branch_wait() {
    uint64_t cycles = (predicted_branches_ + branch_work_) / model::Costs::kPerCycle;
    uint64_t taken = taken_branch_wait_;
    taken_branch_wait_ = cycles;
    return cycles - taken;
  }

  // The time of instructions, in parts of a cycle (Costs::kPerCycle). Translated code adds to it itself.
  void add_work(uint64_t work) { work_ += work; }
  static constexpr uint64_t work_offset() { return offsetof(CoreCosts, work_); }

  // Slots without time: accesses of the kernel, which have stamps of their own. Unsigned arithmetic may wrap.
  void add_free_slots(uint64_t slots) { is_calibrated_ ? work_ -= slots* slot_ : stalled_ -= slots; }

  // `sources` are the loads that the address depends on, null if none is known. `read` reads the program's
  // memory (LoadedAddresses).
  template <typename Read>
  DataWait add_data_miss(const MissOfCore& miss, const AddressSources* sources, Read&& read) {
    model::Position at = position(miss.slot);
    uint64_t known = 0;
    if (!miss.stores) {
      known = loaded_.complete_of_source(miss.address, stalls_.entered_at(at), read);
      uint64_t by_registers = sources == nullptr ? 0 : missed_.complete_of(*sources);
      if (by_registers > known) known = by_registers;
    }
    model::Stall stall = stalls_.of({miss.line, miss.site, miss.level, miss.translation, miss.l3_quarter,
                                     miss.stores, miss.transferred, known},
                                    at);
    if (stall.complete != 0) {
      loaded_.remember(miss.address, stall.complete);
      missed_.remember(miss.site, stall.complete);
    }
    last_wait_ = stall.cost;
    return {stall.cost - stall.translation, stall.translation};
  }
  // Returns the wait in parts of a cycle.
  uint64_t add_fetch_miss(const MissOfCore& miss) {
    last_wait_ = stalls_.of_fetch(miss.line, position(miss.slot), miss.level, miss.translation);
    return last_wait_;
  }
  // Returns the cycles for which the core waited for the last miss. What overlaps counts only once.
  [[nodiscard]] uint32_t last_wait_cycles() const {
    constexpr uint64_t kMost = UINT32_MAX / 2;
    uint64_t cycles = (last_wait_ + model::Costs::kPerCycle / 2) / model::Costs::kPerCycle;
    return static_cast<uint32_t>(cycles < kMost ? cycles : kMost);
  }

 private:
  [[nodiscard]] model::Position position(uint64_t slot) const {
    return {slot, slot * slot_ + work_ + branch_work_};
  }

  bool is_calibrated_ = false;
  uint64_t slot_ = 0;  // calibrated, in parts of a cycle
  uint64_t work_ = 0;  // beyond that of the slots
  uint64_t branch_work_ = 0;
  uint64_t predicted_branches_ = 0;  // costs of mispredictions
  uint64_t taken_branch_wait_ = 0;   // take_branch_wait()
  uint64_t last_wait_ = 0;
  uint64_t mispredict_ = 0;  // not calibrated, like stalled_
  uint64_t stalled_ = 0;
  model::Stalls stalls_;
  LoadedAddresses loaded_;
  MissedSites missed_;
};

}  // namespace hm::soft
