// SPDX-License-Identifier: MIT
#include "view/text/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/text/counts.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kCallerIndent = 4;

bool has(const hotspots::Hotspots& result, hotspots::SortKey key) {
  return std::ranges::find(result.keys, key) != result.keys.end();
}

// A function or line needs its object beside it, where that is no key anyway.
bool shows_dso(const hotspots::Hotspots& result) {
  using enum hotspots::SortKey;
  return !has(result, kDso) && (has(result, kFunction) || has(result, kLine) || has(result, kIp));
}

Table make_table(const hotspots::Hotspots& result) {
  std::vector<Table::Heading> headings;
  add_count_headings(result.events, headings);
  if (result.events.size() == 1) headings.push_back({"events", Align::kRight, true});
  for (hotspots::SortKey key : result.keys) headings.push_back({std::string(name_of(key)), Align::kLeft});
  if (shows_dso(result)) headings.push_back({"dso", Align::kLeft});
  return Table(std::move(headings));
}

void append_callers(std::string& out, const std::vector<hotspots::Caller>& callers, size_t indent,
                    const Style& style) {
  for (const hotspots::Caller& caller : callers) {
    std::string line = fmt::format("{}{:>6}  {}", std::string(indent, ' '), percent(caller.share),
                                   printable(caller.function));
    out += (style.width == 0 ? line : elided(line, style.width)) + '\n';
    // The caller of an only caller stands at the same indent: a chain, not a tree.
    append_callers(out, caller.callers, indent + (callers.size() > 1 ? 2 : 0), style);
  }
}

}  // namespace

std::string hotspots_table(const hotspots::Hotspots& result, const Style& style) {
  Table table = make_table(result);
  for (const hotspots::Row& row : result.rows) {
    std::vector<std::string> cells;
    add_count_cells(row.counts, false, cells);
    if (result.events.size() == 1) {
      const std::optional<uint64_t>& estimated = row.counts.front().estimated;
      cells.push_back(estimated ? grouped(*estimated) : "-");
    }
    cells.insert(cells.end(), row.keys.begin(), row.keys.end());
    if (shows_dso(result)) cells.push_back(row.dso.value_or("several"));
    std::string callers;
    append_callers(callers, row.callers, kCallerIndent, style);
    table.add(std::move(cells), std::move(callers));
  }
  std::string out = table.render(style);
  if (result.rows.size() < result.all_rows) {
    out += fmt::format("# {}\n", count_of(result.all_rows - result.rows.size(), "more row", "more rows"));
  }
  return out;
}

}  // namespace hm::text
