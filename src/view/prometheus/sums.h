// SPDX-License-Identifier: MIT
// Sums a snapshot's rows by name: processes come and go, and a label for each would fill Prometheus' memory.
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

inline constexpr size_t kMaxNames = 200;
inline constexpr std::string_view kOther = "other";

// Sum of the rows with one name. An optional is nullopt if no row was measured, else the sum of the measured
// rows.
struct NameSum {
  std::string name;  // a label's value
  size_t rows = 0;
  size_t rows_not_measured = 0;  // rows without an occupancy
  std::optional<uint64_t> occupancy_bytes;
  uint64_t low_bytes = 0, high_bytes = 0;  // only valid with occupancy_bytes
  std::map<uint32_t, uint64_t> domains;    // by cache domain, if measured
  std::optional<double> total_bytes_per_s, local_bytes_per_s;
  double measured_share = 1;  // minimum of the rows
  uint64_t age_ns = 0;        // maximum of the rows; only valid with occupancy_bytes
};

struct Sums {
  std::vector<NameSum> names;  // by bytes held, largest first; kOther, if present, is last
  size_t rows_in_other = 0;    // rows summed in kOther because of the limit
};

// Returns the `max_names` names that hold the most bytes, and kOther for the rest.
[[nodiscard]] Sums sums_of(const std::vector<occupancy::Row>& rows, size_t max_names = kMaxNames);

}  // namespace hm::prometheus
