// SPDX-License-Identifier: MIT
// The axis of time lines: clock time, or time of the modelled machine. The software PMU slows a program
// unevenly, and differently in each run; modelled cycles are equal in all runs
// (pmu/soft/sampling/run_time.h).
//
// Quantities named `ns` in this folder are in the unit of the axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "profile/profile.h"

namespace hm::timeline {

enum class Unit { kNanoseconds, kCycles };

class Axis {
 public:
  // Chooses modelled cycles if all samples have them and all other data over time come from samples.
  explicit Axis(const profile::Profile& profile);

  [[nodiscard]] std::optional<uint64_t> at(size_t sample) const { return times_->at(sample); }
  [[nodiscard]] Unit unit() const { return unit_; }

 private:
  const profile::Column* times_;  // column of the profile
  Unit unit_ = Unit::kNanoseconds;
};

}  // namespace hm::timeline
