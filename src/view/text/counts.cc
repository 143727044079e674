// SPDX-License-Identifier: MIT
#include "view/text/counts.h"

#include <fmt/format.h>

namespace hm::text {

std::string share_text(const std::optional<profile::Share>& share) {
  if (!share) return "-";
  if (share->few_samples) return fmt::format("{} (too few samples)", percent(share->value));
  return fmt::format("{} ±{:.1f}", percent(share->value), (share->high - share->low) / 2 * 100);
}

void add_latency_headings(std::vector<Table::Heading>& headings) {
  for (const char* title : {"median", "90%", "99%", "max"}) headings.push_back({title});
}

void add_latency_cells(const std::optional<profile::Latency>& latency, std::vector<std::string>& cells) {
  if (!latency) {
    cells.insert(cells.end(), 4, "");
    return;
  }
  for (uint64_t cycles : {latency->median, latency->p90, latency->p99, latency->most})
    cells.push_back(grouped(cycles));
}

}  // namespace hm::text
