// SPDX-License-Identifier: MIT
// A snapshot's rows by name: processes come and go, and a label for each would fill Prometheus' memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/occupancy/snapshot.h"

namespace hm::prometheus {

inline constexpr size_t kMostNames = 200;
inline constexpr std::string_view kOther = "other";

// Rows of one name. nullopt: measured for none of them; else the sum of those that it was measured for.
struct NameSum {
  std::string name;  // a label's value
  size_t rows = 0;
  size_t rows_not_measured = 0;  // have no occupancy
  std::optional<uint64_t> occupancy_bytes;
  uint64_t low_bytes = 0, high_bytes = 0;  // with occupancy_bytes only
  std::map<uint32_t, uint64_t> domains;    // those that were measured
  std::optional<double> total_bytes_per_s, local_bytes_per_s;
  double measured_share = 1;  // the least of the rows
  uint64_t age_ns = 0;        // the greatest; with occupancy_bytes only
};

struct Sums {
  std::vector<NameSum> names;  // by bytes held, most first; kOther, where there is such, at its end
  size_t rows_in_other = 0;    // that had to be summed there
};

// At most `most_names`, of those that hold the most, and kOther for the rest.
[[nodiscard]] Sums sums_of(const std::vector<occupancy::Row>& rows, size_t most_names = kMostNames);

}  // namespace hm::prometheus
