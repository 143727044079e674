// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/sizes/size_curves.h"
#include "record/features.h"
#include "view/text/table.h"

namespace hm::text {

// Plots the miss-ratio curves of the run and of its functions with the machine's `caches` marked, and lists
// the cache size that each needs.
[[nodiscard]] std::string sizes_view(const sizes::Sizes& sizes, const std::vector<record::CacheInfo>& caches,
                                     const Style& style);

}  // namespace hm::text
