// SPDX-License-Identifier: MIT
#include "view/csv/sizes.h"

#include <fmt/format.h>

#include <iterator>

namespace hm::csv {

std::string sizes_lines(const profile::Sizes& sizes) {
  std::string lines = "sets,ways,line_bytes,accesses,misses\n";
  for (uint32_t i = 0; i < sizes.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= sizes.ways; ++ways) {
      fmt::format_to(std::back_inserter(lines), "{},{},{},{},{}\n", sizes.sets(i), ways, sizes.line_bytes,
                     sizes.accesses, sizes.misses[i][ways - 1]);
    }
  }
  return lines;
}

}  // namespace hm::csv
