// SPDX-License-Identifier: MIT
#include "analysis/fleet/fleet_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace hm::fleet {

std::vector<Row> rank(const std::vector<store::Group>& parts, const store::Group& whole,
                      const std::vector<size_t>& keys_of_loads, const std::vector<store::Group>& loads) {
  std::map<std::vector<std::string>, const store::Group*> load_of;
  for (const store::Group& each : loads) load_of[each.keys] = &each;
  std::vector<Row> rows;
  for (const store::Group& part : parts) {
    std::vector<std::string> keys;
    keys.reserve(keys_of_loads.size());
    for (size_t key : keys_of_loads) keys.push_back(part.keys[key]);
    auto own = load_of.find(keys);
    const store::Group& all = own == load_of.end() ? whole : *own->second;
    Row& row = rows.emplace_back();
    row.keys = part.keys;
    row.samples = part.samples;
    row.count = part.count;
    row.share = whole.count > 0 ? part.count / whole.count : 0;
    row.first_s = part.first_s;
    row.last_s = part.last_s;
    bool is_its_load = keys.size() == part.keys.size() && part.count == part.load;
    if (!is_its_load) row.rate = rate_of(part, all);  // otherwise the rate is trivially 1, as for the clock
  }
  std::ranges::stable_sort(rows, std::greater(), &Row::count);
  return rows;
}

Result<Comparison> compare(const std::vector<store::Group>& before, const store::Group& whole_before,
                           const std::vector<store::Group>& after, const store::Group& whole_after) {
  Comparison comparison;
  comparison.before = whole_before;
  comparison.after = whole_after;
  comparison.rate_before = rate_of(whole_before, whole_before);
  comparison.rate_after = rate_of(whole_after, whole_after);
  if (!comparison.rate_before || !comparison.rate_after)
    return make_error(ErrorCode::kNotFound,
                      "{} has no measurement with a known load, so nothing can be compared",
                      comparison.rate_before ? "the build after" : "the build before");
  std::map<std::vector<std::string>, std::pair<store::Group, store::Group>> sides;
  for (const store::Group& each : before) sides[each.keys].first = each;
  for (const store::Group& each : after) sides[each.keys].second = each;
  for (const auto& [keys, side] : sides) {
    ChangedRow& row = comparison.rows.emplace_back();
    row.keys = keys;
    row.samples_before = side.first.samples;
    row.samples_after = side.second.samples;
    row.before = *rate_of(side.first, whole_before);
    row.after = *rate_of(side.second, whole_after);
    row.difference = difference_limits(row.before, row.after);
  }
  std::ranges::stable_sort(comparison.rows, [](const ChangedRow& a, const ChangedRow& b) {
    const auto order = [](const ChangedRow& row) {
      return std::tuple(row.is_significant(), row.after.value - row.before.value);
    };
    return order(b) < order(a);
  });
  return comparison;
}

}  // namespace hm::fleet
