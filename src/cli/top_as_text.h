// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "cli/top_measurement.h"
#include "symbol/resolver.h"

namespace hm::cli {

// Prints one view of all events after the other. Returns the sentences that are printed at the end.
[[nodiscard]] Result<std::string> top_as_text(const TopOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::cli
