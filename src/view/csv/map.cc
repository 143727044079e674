// SPDX-License-Identifier: MIT
#include "view/csv/map.h"

#include <fmt/format.h>

#include <iterator>

namespace hm::csv {

std::string map_lines(const map::Map& map) {
  std::string lines = "time_ns,region,ways\n";
  for (const map::Column& column : map.columns) {
    for (size_t region = 0; region < column.ways.size(); ++region)
      fmt::format_to(std::back_inserter(lines), "{},{},{}\n", column.begin_ns, region, column.ways[region]);
  }
  return lines;
}

}  // namespace hm::csv
