// SPDX-License-Identifier: MIT
#include "view/csv/sizes_csv.h"

#include <fmt/format.h>

#include <iterator>

namespace hm::csv {
namespace {

void add_lines(const profile::Sizes& sizes, std::string& lines) {
  std::string block = std::to_string(sizes.line_bytes);
  block = sizes.of_pages() ? "," + block : block + ",";
  for (uint32_t i = 0; i < sizes.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= sizes.ways; ++ways) {
      fmt::format_to(std::back_inserter(lines), "{},{},{},{},{}", sizes.sets(i), ways, block, sizes.accesses,
                     sizes.misses[i][ways - 1]);
      if (!sizes.errors.empty()) lines += fmt::format(",{}", sizes.errors[i][ways - 1]);
      lines += '\n';
    }
  }
}

}  // namespace

std::string sizes_lines(const profile::Sizes& sizes) {
  std::string lines = "sets,ways,line_bytes,page_bytes,accesses,misses";
  lines += sizes.errors.empty() ? "\n" : ",misses_error\n";
  add_lines(sizes, lines);
  for (const profile::Sizes& further : sizes.further) add_lines(further, lines);
  return lines;
}

}  // namespace hm::csv
