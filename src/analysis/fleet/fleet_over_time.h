// SPDX-License-Identifier: MIT
// Rate of an event over time, and the time at which the rate changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/fleet/rate.h"
#include "store/queries.h"

namespace hm::fleet {

struct Moment {
  uint64_t begin_s = 0;  // seconds since 1970; the length is that of the buckets
  uint64_t samples = 0, batches = 0;
  double count = 0;          // estimated number of events
  std::optional<Rate> rate;  // nullopt if no load was measured
};

// A significant change of the rate at one point in time.
struct Step {
  uint64_t at_s = 0;
  Rate before, after;
  Interval difference;
};

struct OverTime {
  std::string event, source, unit;
  uint64_t begin_s = 0, end_s = 0;  // requested range, or else the range of the data
  uint64_t bucket_s = 0;
  uint64_t samples = 0, batches = 0;
  std::optional<Rate> rate;     // over the whole range
  std::vector<Moment> moments;  // without buckets that have no measurement
  std::optional<Step> step;
  bool can_detect_steps = false;  // there are enough measurements to detect a step
};

// Returns the shortest round bucket length (10 s, a minute, a day ...) that needs at most `most` buckets for
// the range. Also limits the number of buckets so that each holds several `batches`, because the interval
// would be unknown otherwise.
[[nodiscard]] uint64_t bucket_length(uint64_t begin_s, uint64_t end_s, uint64_t batches, uint64_t most);

// Returns the moments. `parts`: buckets of the requested part; `wholes`: buckets of the event over the whole
// selection, as for rate_of(). Both are in order of time.
[[nodiscard]] std::vector<Moment> moments_of(const std::vector<store::Bucket>& parts,
                                             const std::vector<store::Bucket>& wholes);

inline constexpr uint64_t kMinBatches = 8;  // minimum number of batches before and after a step

// Returns the time at which the rate changed most relative to chance. Returns nullopt if no change is
// significant or there are too few measurements.
[[nodiscard]] std::optional<Step> find_step(const std::vector<store::Bucket>& parts,
                                            const std::vector<store::Bucket>& wholes);

}  // namespace hm::fleet
