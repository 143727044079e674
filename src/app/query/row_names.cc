// SPDX-License-Identifier: MIT
#include "app/query/row_names.h"

namespace hm::query {

// Returns "sort" for "sort (1234)": removes the ID.
std::string row_name(hotspots::SortKey key, const std::string& text) {
  if (key != hotspots::SortKey::kThread && key != hotspots::SortKey::kProcess) return text;
  return text.substr(0, text.rfind(" ("));
}

diff::Names row_names(const hotspots::Grouping& grouping, const std::vector<hotspots::SortKey>& keys,
                      size_t sample) {
  diff::Names names;
  for (hotspots::SortKey key : keys)
    names.push_back(row_name(key, grouping.text_of(key, grouping.origin_of(sample))));
  return names;
}

}  // namespace hm::query
