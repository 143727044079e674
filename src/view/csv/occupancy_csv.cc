// SPDX-License-Identifier: MIT
#include "view/csv/occupancy_csv.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "view/csv/text_field.h"

namespace hm::csv {
namespace {

template <typename Number>
std::string field_of(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : std::string();
}

std::string rate_field(const std::optional<double>& rate) {
  return rate ? fmt::format("{:.0f}", *rate) : std::string();
}

}  // namespace

std::string occupancy_lines(const occupancy::Snapshot& snapshot) {
  std::string lines;
  for (const occupancy::Row& row : snapshot.rows) {
    std::optional<uint64_t> low, high;
    if (row.occupancy_bytes) {
      low = row.low_bytes;
      high = row.high_bytes;
    }
    std::string cache = snapshot.cache_bytes == 0 ? std::string() : std::to_string(snapshot.cache_bytes);
    fmt::format_to(std::back_inserter(lines), "{:.3f},{},{},{},{},{},{},{},{},{},{:.3f},{:.3f}\n",
                   snapshot.elapsed_s, text_field(row.key), field_of(row.pid), text_field(row.name),
                   field_of(row.occupancy_bytes), field_of(low), field_of(high), cache,
                   rate_field(row.total_bytes_per_s), rate_field(row.local_bytes_per_s), row.measured_share,
                   static_cast<double>(row.age_ns) * 1e-9);
  }
  return lines;
}

}  // namespace hm::csv
