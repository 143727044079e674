// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/diff/side.h"

namespace hm::diff {

struct Change {
  std::optional<double> absolute;  // nullopt where one of the two is not known
  std::optional<double> relative;  // a part of what was before; nullopt where that is 0, too
  std::optional<Interval> limits;  // of `absolute`; nullopt where runs are too few
  bool exact = false;              // counted, neither estimated nor varying
  [[nodiscard]] bool significant() const;
};

[[nodiscard]] Change change_of(const std::optional<double>& before, const std::optional<double>& after,
                               std::optional<Interval> limits, bool exact);

// Both sides are exact, and the runs of each agree.
[[nodiscard]] bool is_exact(const Side& before, const Side& after, std::string_view event,
                            const std::vector<double>& values_before,
                            const std::vector<double>& values_after);

// The interval of after - factor * before for the totals, or rates, of the runs. nullopt where one run a side
// does not tell it from noise.
[[nodiscard]] std::optional<Interval> total_difference(const std::vector<double>& before,
                                                       const std::vector<double>& after, bool exact,
                                                       double factor);

// Likewise for rows: the wider of what the samples allow and what the runs do, where they are repeated.
[[nodiscard]] Interval part_difference(const Part& before, const Part& after, double factor);

}  // namespace hm::diff
