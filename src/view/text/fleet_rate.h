// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analysis/fleet/rate.h"

namespace hm::text {

// How a rate is shown: of instructions for each thousand of them; of CPU time, where the event is time too,
// as a share of it, else for each millisecond; of readings of occupancy, their mean.
struct RateForm {
  std::string title;
  double factor = 1;
};

[[nodiscard]] RateForm rate_form(const std::string& event, const std::string& unit);
// Without its unit.
[[nodiscard]] std::string rate_number(double value);
// With its limits, where they are known: "5.35 ±0.41".
[[nodiscard]] std::string rate_text(const std::optional<fleet::Rate>& rate, const RateForm& form);

}  // namespace hm::text
