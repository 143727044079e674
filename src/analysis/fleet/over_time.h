// SPDX-License-Identifier: MIT
// How often an event was met, over time, and since when it is met more or less often.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/fleet/rate.h"
#include "store/queries.h"

namespace hm::fleet {

struct Moment {
  uint64_t begin_s = 0;  // since 1970; it is as long as the buckets are
  uint64_t samples = 0, batches = 0;
  double count = 0;          // events: an estimate
  std::optional<Rate> rate;  // nullopt where no load was measured
};

// The rate is another from then on, by more than chance.
struct Step {
  uint64_t at_s = 0;
  Rate before, after;
  Interval difference;
};

struct OverTime {
  std::string event, source, unit;
  uint64_t begin_s = 0, end_s = 0;  // of what was asked about, else of what there is
  uint64_t bucket_s = 0;
  uint64_t samples = 0, batches = 0;
  std::optional<Rate> rate;     // of all
  std::vector<Moment> moments;  // what was not measured is not there
  std::optional<Step> step;
  bool can_tell_steps = false;  // enough was measured for that
};

// The least usual length (10 s, a minute, a day ...) that makes at most `most` buckets from the first moment
// to the last, and few enough that several of the `batches` are in each, whose interval would not be known
// else.
[[nodiscard]] uint64_t bucket_length(uint64_t begin_s, uint64_t end_s, uint64_t batches, uint64_t most);

// `parts`: what is asked about; `wholes`: the same event of the same selection in all, as for rate_of(). Both
// in order of time.
[[nodiscard]] std::vector<Moment> moments_of(const std::vector<store::Bucket>& parts,
                                             const std::vector<store::Bucket>& wholes);

inline constexpr uint64_t kLeastBatches = 8;  // before a step, and after it

// Where the rate changed most for what chance does; nullopt where it did not, or too little was measured to
// tell.
[[nodiscard]] std::optional<Step> find_step(const std::vector<store::Bucket>& parts,
                                            const std::vector<store::Bucket>& wholes);

}  // namespace hm::fleet
