// SPDX-License-Identifier: MIT
#include "view/prometheus/sums.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "view/prometheus/label_value.h"

namespace hm::prometheus {
namespace {

template <typename Number>
void add(std::optional<Number>& sum, const std::optional<Number>& more) {
  if (more) sum = sum.value_or(Number()) + *more;
}

void add(NameSum& sum, const NameSum& more) {
  sum.rows += more.rows;
  sum.rows_not_measured += more.rows_not_measured;
  add(sum.occupancy_bytes, more.occupancy_bytes);
  sum.low_bytes += more.low_bytes;
  sum.high_bytes += more.high_bytes;
  for (const auto& [domain, bytes] : more.domains) sum.domains[domain] += bytes;
  add(sum.total_bytes_per_s, more.total_bytes_per_s);
  add(sum.local_bytes_per_s, more.local_bytes_per_s);
  sum.measured_share = std::min(sum.measured_share, more.measured_share);
  sum.age_ns = std::max(sum.age_ns, more.age_ns);
}

NameSum sum_of(const occupancy::Row& row) {
  NameSum sum;
  sum.name = label_value(row.name);
  sum.rows = 1;
  sum.total_bytes_per_s = row.total_bytes_per_s;
  sum.local_bytes_per_s = row.local_bytes_per_s;
  sum.measured_share = row.measured_share;
  for (const occupancy::InDomain& each : row.domains)
    if (each.occupancy_bytes) sum.domains[each.domain] += *each.occupancy_bytes;
  sum.occupancy_bytes = row.occupancy_bytes;
  if (row.occupancy_bytes) {
    sum.low_bytes = row.low_bytes;
    sum.high_bytes = row.high_bytes;
    sum.age_ns = row.age_ns;
  } else {
    sum.rows_not_measured = 1;
  }
  return sum;
}

// Sorts names that were not measured last.
bool holds_more(const NameSum& a, const NameSum& b) {
  return std::tie(b.occupancy_bytes, a.name) < std::tie(a.occupancy_bytes, b.name);
}

// Merges the names from index `most` on into kOther.
void fold(Sums& sums, size_t most) {
  NameSum other;
  other.name = kOther;
  for (size_t i = most; i < sums.names.size(); ++i) add(other, sums.names[i]);
  sums.rows_in_other = other.rows;
  sums.names.resize(most);
  auto of_that_name = std::ranges::find(sums.names, kOther, &NameSum::name);
  if (of_that_name == sums.names.end()) {
    sums.names.push_back(std::move(other));
  } else {
    add(*of_that_name, other);
  }
}

}  // namespace

Sums sums_of(const std::vector<occupancy::Row>& rows, size_t max_names) {
  std::map<std::string, NameSum> by_name;
  for (const occupancy::Row& row : rows) {
    NameSum sum = sum_of(row);
    auto [found, is_new] = by_name.try_emplace(sum.name, sum);
    if (!is_new) add(found->second, sum);
  }
  Sums sums;
  for (auto& [name, sum] : by_name) sums.names.push_back(std::move(sum));
  std::ranges::sort(sums.names, holds_more);
  if (sums.names.size() > max_names) fold(sums, max_names);
  return sums;
}

}  // namespace hm::prometheus
