// SPDX-License-Identifier: MIT
#include "view/csv/timeline.h"

#include <fmt/format.h>

#include <iterator>

namespace hm::csv {
namespace {

// RFC 4180: in quotation marks where a comma, one of these or a line's end is in it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char each : text) {
    if (each == '"') quoted += '"';
    quoted += each;
  }
  return quoted + '"';
}

}  // namespace

std::string timeline_lines(const timeline::Timeline& timeline) {
  std::string lines = "begin_ns,lane,function,ns\n";
  for (const timeline::Lane& lane : timeline.lanes) {
    for (size_t i = 0; i < lane.bins.size(); ++i) {
      const std::vector<float>& ns = lane.bins[i].ns;
      for (size_t column = 0; column < ns.size(); ++column) {
        if (ns[column] <= 0) continue;
        bool named = column < timeline.functions.size();
        fmt::format_to(std::back_inserter(lines), "{},{},{},{:.0f}\n",
                       timeline.begin_ns + i * timeline.bin_ns, field(lane.name),
                       named ? field(timeline.functions[column].name) : "others", ns[column]);
      }
    }
  }
  return lines;
}

}  // namespace hm::csv
