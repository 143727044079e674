// SPDX-License-Identifier: MIT
// The cost model of memory accesses: cycles by the level of the data and of the translation. Freestanding.
#pragma once

#include <stdint.h>

#include "model/geometry.h"
#include "model/outcome.h"

namespace hm::model {

class AccessCosts {
 public:
  AccessCosts() = default;
  explicit AccessCosts(const MachineGeometry& geometry)
      : other_core_(2 * (geometry.l3.present() ? geometry.latency.l3 : geometry.latency.l2)),
        levels_{geometry.latency.l1, geometry.latency.l2, geometry.latency.l3, geometry.latency.memory},
        translations_{0, geometry.latency.second_tlb, geometry.latency.page_walk} {}

  [[nodiscard]] uint32_t of(Level level, Translation translation, Snoop snoop) const {
    uint32_t cycles = levels_[static_cast<uint32_t>(level)];
    if (snoop != Snoop::kNone && cycles < other_core_) cycles = other_core_;
    return cycles + translations_[static_cast<uint32_t>(translation)];
  }

 private:
  uint32_t other_core_ = 0;
  uint32_t levels_[4] = {};
  uint32_t translations_[3] = {};
};

}  // namespace hm::model
