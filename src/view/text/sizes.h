// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/sizes/sizes.h"
#include "record/features.h"
#include "view/text/table.h"

namespace hm::text {

// The miss-ratio curve of the run and of its functions, with the `caches` of its machine marked, and what
// each needs.
[[nodiscard]] std::string sizes_view(const sizes::Sizes& sizes, const std::vector<record::CacheInfo>& caches,
                                     const Style& style);

}  // namespace hm::text
