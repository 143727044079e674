// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analysis/fleet/rate.h"

namespace hm::text {

// Scale and title of a rate: per 1000 instructions; per millisecond of CPU time, or as a share of CPU time if
// the event is a clock; for occupancy readings the mean in MiB.
struct RateForm {
  std::string title;
  double factor = 1;
};

[[nodiscard]] RateForm rate_form(const std::string& event, const std::string& unit);
// Returns the number without its unit.
[[nodiscard]] std::string rate_number(double value);
// Returns the rate with its limits, if they are known: "5.35 ±0.41".
[[nodiscard]] std::string rate_text(const std::optional<fleet::Rate>& rate, const RateForm& form);

}  // namespace hm::text
