// SPDX-License-Identifier: MIT
// The axis of everything shown over time: clock time, or time of the modelled machine. The software PMU slows
// a program unevenly, and differently in each run; modelled cycles are equal in all runs
// (pmu/soft/sampling/run_time.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "profile/profile.h"

namespace hm::profile {

enum class TimeUnit { kNanoseconds, kCycles };

class TimeAxis {
 public:
  // Chooses modelled cycles if all samples have them and all other data over time come from samples.
  explicit TimeAxis(const Profile& profile);

  [[nodiscard]] std::optional<uint64_t> at(size_t sample) const { return times_->at(sample); }
  [[nodiscard]] TimeUnit unit() const { return unit_; }

 private:
  const Column* times_;  // column of the profile
  TimeUnit unit_ = TimeUnit::kNanoseconds;
};

}  // namespace hm::profile
