// SPDX-License-Identifier: MIT
#include "view/csv/map_csv.h"

#include <fmt/format.h>

#include <iterator>

namespace hm::csv {

std::string map_lines(const map::Map& map) {
  bool is_time = map.unit == profile::TimeUnit::kNanoseconds;
  std::string lines = fmt::format("time_{},region,ways\n", is_time ? "ns" : "cycles");
  for (const map::Column& column : map.columns) {
    for (size_t region = 0; region < column.ways.size(); ++region)
      fmt::format_to(std::back_inserter(lines), "{},{},{}\n", column.begin, region, column.ways[region]);
  }
  return lines;
}

}  // namespace hm::csv
