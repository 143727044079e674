// SPDX-License-Identifier: MIT
// A core's cycles. Without calibration, an instruction and a data access take a cycle each, and misses their
// level's latency. With calibration, cycles are an estimate of time on a machine. Freestanding.
#pragma once

#include <stdint.h>

#include "model/cost/stalls.h"
#include "model/geometry.h"
#include "model/outcome.h"
#include "pmu/soft/sampling/loaded_addresses.h"

namespace hm::soft {

// A data access or a fetch that missed.
struct MissOfCore {
  uint64_t address = 0;
  uint64_t line = 0;
  uint64_t site = 0;
  uint64_t slot = 0;
  bool stores = false;
  model::Level level = model::Level::kL1;
  model::Translation translation = model::Translation::kFirstTlb;
};

class CoreCosts {
 public:
  CoreCosts() = default;
  // The geometry's latencies.
  explicit CoreCosts(const model::Latencies& latencies) : mispredict_(latencies.mispredict * kPerCycle) {}
  explicit CoreCosts(const model::Costs& costs)
      : is_calibrated_(true), slot_(costs.slot), mispredict_(costs.mispredict), stalls_(costs) {}

  // Returns the cycles after so many slots.
  [[nodiscard]] uint64_t cycles_after(uint64_t slots) const { return (slots * slot_ + stalled_) / kPerCycle; }
  [[nodiscard]] bool is_calibrated() const { return is_calibrated_; }

  void add_cycles(uint64_t cycles) { stalled_ += cycles * kPerCycle; }
  void add_misprediction() { stalled_ += mispredict_; }

  // `read` reads the program's memory (LoadedAddresses).
  template <typename Read>
  void add_data_miss(const MissOfCore& miss, Read&& read) {
    uint64_t source = miss.stores ? 0 : loaded_.source_of(miss.address, read);
    model::Stall stall = stalls_.of(
        {miss.line, miss.site, miss.slot, miss.level, miss.translation, miss.stores, source != 0, source});
    stalled_ += stall.cost;
    if (!miss.stores && stall.hidden_by_prefetch == 0) loaded_.remember(miss.address, miss.slot);
  }
  void add_fetch_miss(const MissOfCore& miss) {
    stalled_ += stalls_.of_fetch(miss.line, miss.slot, miss.level, miss.translation);
  }

 private:
  static constexpr uint64_t kPerCycle = model::Costs::kPerCycle;

  bool is_calibrated_ = false;
  uint64_t slot_ = kPerCycle;
  uint64_t mispredict_ = 0;
  uint64_t stalled_ = 0;  // in parts of a cycle
  model::Stalls stalls_;
  LoadedAddresses loaded_;
};

}  // namespace hm::soft
