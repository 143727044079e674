// SPDX-License-Identifier: MIT
// What time lines are drawn over: the time of the clock, or that of the modelled machine. The software PMU
// slows a program, some code more than other, and by other amounts in each run; modelled cycles are the same
// in all runs (pmu/soft/sampling/run_time.h).
//
// All that is named ns in this room is of the axis's unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "profile/profile.h"

namespace hm::timeline {

enum class Unit { kNanoseconds, kCycles };

class Axis {
 public:
  // Modelled cycles where all samples have them, and what else is told over time is told by samples.
  explicit Axis(const profile::Profile& profile);

  [[nodiscard]] std::optional<uint64_t> at(size_t sample) const { return times_->at(sample); }
  [[nodiscard]] Unit unit() const { return unit_; }

 private:
  const profile::Column* times_;  // the profile's
  Unit unit_ = Unit::kNanoseconds;
};

}  // namespace hm::timeline
