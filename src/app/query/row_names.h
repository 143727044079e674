// SPDX-License-Identifier: MIT
// Names that match rows of two recordings in a comparison.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/recording.h"
#include "analysis/hotspots/grouping.h"
#include "analysis/hotspots/sort_key.h"

namespace hm::query {

// Returns the text of a row's key without parts that differ from run to run.
[[nodiscard]] std::string row_name(hotspots::SortKey key, const std::string& text);
// Returns the names of the sample's row.
[[nodiscard]] diff::Names row_names(const hotspots::Grouping& grouping,
                                    const std::vector<hotspots::SortKey>& keys, size_t sample);

}  // namespace hm::query
