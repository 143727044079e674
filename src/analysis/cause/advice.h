// SPDX-License-Identifier: MIT
// Maps the evidence about a hot place to a pattern of the catalogue (docs/patterns), and estimates the gain
// of its remedy.
#pragma once

#include <optional>

#include "analysis/cause/evidence.h"
#include "analysis/cause/pattern.h"

namespace hm::cause {

// Returns nullopt if no pattern fits.
[[nodiscard]] std::optional<Advice> advise(const Evidence& evidence);

}  // namespace hm::cause
