// SPDX-License-Identifier: MIT
#include "view/text/overhead_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/text/format.h"

namespace hm::text {
namespace {

std::string seconds_text(const std::optional<host::Estimate>& seconds) {
  return seconds ? fmt::format("{:.3f}", seconds->value) : kNotMeasured;
}

std::string more_text(const std::optional<host::Estimate>& more) {
  if (!more) return kNotMeasured;
  return fmt::format("{:+.1f} % [{:+.1f} .. {:+.1f}]", more->value * 100, more->low * 100, more->high * 100);
}

}  // namespace

std::string overhead_report(const std::vector<overhead::Cost>& costs, const Style& style) {
  Table table({{"measuring", Align::kLeft},
               {"wall s"},
               {"more wall time"},
               {"CPU s"},
               {"more CPU time"},
               {"samples/s"},
               {"lost", Align::kRight, Presence::kOptional}});
  for (const overhead::Cost& cost : costs) {
    std::string rate =
        cost.samples_per_second ? grouped(static_cast<uint64_t>(*cost.samples_per_second)) : kNotMeasured;
    table.add({cost.name, seconds_text(cost.wall_seconds), more_text(cost.more_wall),
               seconds_text(cost.cpu_seconds), more_text(cost.more_cpu), std::move(rate), grouped(cost.lost)},
              cost.obstacle.empty() ? "" : fmt::format("  not measured: {}\n", printable(cost.obstacle)));
  }
  return table.render(style) +
         "# medians; in brackets the 95 % interval of the median, over rounds in which every way was run once\n";
}

}  // namespace hm::text
