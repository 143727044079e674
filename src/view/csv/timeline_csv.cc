// SPDX-License-Identifier: MIT
#include "view/csv/timeline_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "view/csv/text_field.h"

namespace hm::csv {
std::string timeline_lines(const timeline::Timeline& timeline) {
  bool is_time = timeline.unit == profile::TimeUnit::kNanoseconds;
  std::string lines = is_time ? "begin_ns,lane,function,ns\n" : "begin_cycles,lane,function,cycles\n";
  for (const timeline::Lane& lane : timeline.lanes) {
    for (size_t i = 0; i < lane.bins.size(); ++i) {
      const std::vector<float>& ns = lane.bins[i].ns;
      for (size_t column = 0; column < ns.size(); ++column) {
        if (ns[column] <= 0) continue;
        bool named = column < timeline.functions.size();
        fmt::format_to(std::back_inserter(lines), "{},{},{},{:.0f}\n",
                       timeline.begin_ns + i * timeline.bin_ns, text_field(lane.name),
                       named ? text_field(timeline.functions[column].name) : "others", ns[column]);
      }
    }
  }
  return lines;
}

}  // namespace hm::csv
