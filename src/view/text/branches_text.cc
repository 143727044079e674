// SPDX-License-Identifier: MIT
#include "view/text/branches_text.h"

#include <fmt/format.h>

#include "view/text/format.h"
#include "view/text/function_names.h"

namespace hm::text {
namespace {

std::string endpoint_text(const branches::BranchEndpoint& place, const FunctionNames& names) {
  if (!place.address) return names.of(place.function);
  return fmt::format("{:#x} {}", *place.address, names.of(place.function));
}

FunctionNames names_of(const branches::Branches& result, const Style& style) {
  std::vector<std::string> functions;
  for (const branches::Row& row : result.rows) {
    functions.push_back(row.from.function);
    functions.push_back(row.to.function);
  }
  return {functions, style};
}

std::string head(const branches::Branches& result) {
  std::string out = fmt::format("# branch stacks: {}, {}", count_of(result.samples, "sample", "samples"),
                                count_of(result.entries, "entry", "entries"));
  if (result.empty_entries > 0) out += fmt::format(", {} empty ones left out", grouped(result.empty_entries));
  return out + "\n#\n";
}

}  // namespace

std::string branches_table(const branches::Branches& result, const Style& style) {
  Table table({{"share"},
               {"entries"},
               {"mispredicted"},
               {"cycles"},
               {"from", Align::kLeft},
               {"dso", Align::kLeft, Presence::kOptional},
               {"to", Align::kLeft},
               {"dso", Align::kLeft, Presence::kOptional}});
  FunctionNames names = names_of(result, style);
  for (const branches::Row& row : result.rows) {
    std::optional<double> rate = row.misprediction_rate;
    table.add({percent(row.share), grouped(row.entries), rate ? percent(*rate) : "-",
               row.mean_cycles ? fmt::format("{:.1f}", *row.mean_cycles) : "-",
               endpoint_text(row.from, names), row.from.dso, endpoint_text(row.to, names), row.to.dso});
  }
  std::string out = head(result) + table.render(style);
  if (result.rows.size() < result.all_rows) {
    out += fmt::format("# {}\n", count_of(result.all_rows - result.rows.size(), "more row", "more rows"));
  }
  return out;
}

}  // namespace hm::text
