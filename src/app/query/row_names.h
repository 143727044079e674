// SPDX-License-Identifier: MIT
// By which names a comparison knows the rows of two recordings for the same.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/recording.h"
#include "analysis/hotspots/grouping.h"
#include "analysis/hotspots/sort_key.h"

namespace hm::query {

// Of a row's key: its text, without what differs from run to run.
[[nodiscard]] std::string row_name(hotspots::SortKey key, const std::string& text);
// The names of the sample's row.
[[nodiscard]] diff::Names row_names(const hotspots::Grouping& grouping,
                                    const std::vector<hotspots::SortKey>& keys, size_t sample);

}  // namespace hm::query
