// SPDX-License-Identifier: MIT
// The times of exported samples. The formats know only clock time: if the axis is in modelled cycles, a cycle
// is exported as a nanosecond, and the file says so.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profile/time_axis.h"
#include "view/exports/export_selection.h"

namespace hm::exports {

class Times {
 public:
  explicit Times(const Selection& selection);

  // Returns the sample's time since the first sample or reading of last-level cache occupancy; 0 if the
  // sample has no time.
  [[nodiscard]] uint64_t ns_of(size_t sample) const { return ns_since(axis_.at(sample).value_or(origin_)); }
  // Converts a time on the axis.
  [[nodiscard]] uint64_t ns_since(uint64_t time) const { return time - origin_; }
  [[nodiscard]] bool are_cycles() const { return axis_.unit() == profile::TimeUnit::kCycles; }

 private:
  profile::TimeAxis axis_;
  uint64_t origin_ = 0;
};

// The sentence for files whose times are cycles.
inline constexpr const char* kCyclesNote =
    "times are cycles of the modelled machine: 1 ns stands for 1 cycle";

}  // namespace hm::exports
