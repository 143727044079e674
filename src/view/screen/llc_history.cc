// SPDX-License-Identifier: MIT
#include "view/screen/llc_history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

namespace hm::screen {
namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

float packed(const occupancy::Row& row) {
  if (!row.occupancy_bytes) return kNothing;
  auto bytes = static_cast<float>(*row.occupancy_bytes);
  return row.age_ns == 0 ? bytes : -1 - bytes;
}

PlotValue unpacked(float value) {
  if (std::isnan(value)) return {};
  if (value < 0) return {-1.0 - static_cast<double>(value), true};
  return {static_cast<double>(value), false};
}

}  // namespace

void LlcHistory::add(const occupancy::Snapshot& snapshot, bool keeps_all) {
  times_ns_.push_back(snapshot.time_ns);
  if (times_ns_.size() > kMost) times_ns_.pop_front();
  std::set<std::string_view> present;
  for (const occupancy::Row& row : snapshot.rows) {
    if (present.insert(row.key).second) rows_[row.key].push_back(packed(row));
  }
  for (auto each = rows_.begin(); each != rows_.end();) {
    bool is_there = present.contains(each->first);
    if (!is_there && !keeps_all) {
      each = rows_.erase(each);
      continue;
    }
    if (!is_there) each->second.push_back(kNothing);
    if (each->second.size() > kMost) each->second.pop_front();
    ++each;
  }
}

void LlcHistory::clear() {
  times_ns_.clear();
  rows_.clear();
}

std::vector<PlotValue> LlcHistory::of(const std::string& key, uint64_t until_ns) const {
  std::vector<PlotValue> values;
  auto row = rows_.find(key);
  if (row == rows_.end()) return values;
  size_t later = std::min(later_than(until_ns), row->second.size());
  values.reserve(row->second.size() - later);
  for (size_t i = 0; i + later < row->second.size(); ++i) values.push_back(unpacked(row->second[i]));
  return values;
}

uint64_t LlcHistory::age_ns(size_t back, uint64_t until_ns) const {
  size_t up_to = times_ns_.size() - later_than(until_ns);
  if (up_to == 0) return 0;
  return until_ns - times_ns_[up_to - 1 - std::min(back, up_to - 1)];
}

size_t LlcHistory::later_than(uint64_t until_ns) const {
  return static_cast<size_t>(times_ns_.end() - std::ranges::upper_bound(times_ns_, until_ns));
}

}  // namespace hm::screen
