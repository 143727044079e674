// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/callers/caller.h"

namespace hm::text {

// Returns for example "count (inlined) words.cc:15".
[[nodiscard]] std::string caller_text(const callers::Caller& caller);

// Returns the callers from the innermost outwards while one caller has at least half of the samples, then the
// largest of the remaining callers: "count words.cc:15, main words.cc:40 (98.0%)". Empty if there are no
// callers.
[[nodiscard]] std::string callers_path(const std::vector<callers::Caller>& callers);

}  // namespace hm::text
