// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/callers/caller.h"

namespace hm::text {

// Returns for example "count (inlined) words.cc:15".
[[nodiscard]] std::string caller_text(const callers::Caller& caller);

// From the innermost outwards, as far as one caller has at least half of the samples, and then the largest of
// several: "count words.cc:15, main words.cc:40 (98.0%)". Empty where there are no callers.
[[nodiscard]] std::string callers_path(const std::vector<callers::Caller>& callers);

}  // namespace hm::text
