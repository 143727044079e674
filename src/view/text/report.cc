// SPDX-License-Identifier: MIT
#include "view/text/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kCallerIndent = 4;

std::string share_text(const std::optional<profile::Share>& share) {
  if (!share) return "-";
  return fmt::format("{} ±{:.1f}", percent(share->value), (share->high - share->low) / 2 * 100);
}

std::string event_lines(const hotspots::Hotspots& result) {
  std::string out;
  for (const hotspots::EventSummary& event : result.events) {
    std::string estimate = event.estimated ? fmt::format(", about {} events", grouped(*event.estimated)) : "";
    out += fmt::format("# event {}: {} samples{}\n", printable(event.name), grouped(event.samples), estimate);
  }
  return out;
}

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
  bool several = result.events.size() > 1;
  for (const hotspots::EventSummary& event : result.events) {
    headings.push_back({several ? printable(event.name) : "share"});
    headings.push_back({"samples", Align::kRight, several});
    if (!several) headings.push_back({"events", Align::kRight, true});
  }
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
    // An only caller stands at the same indent: a chain, not a tree.
    append_callers(out, caller.callers, indent + (callers.size() > 1 ? 2 : 0), style);
  }
}

}  // namespace

std::string hotspots_table(const hotspots::Hotspots& result, const Style& style) {
  Table table = make_table(result);
  for (const hotspots::Row& row : result.rows) {
    std::vector<std::string> cells;
    for (const hotspots::Count& count : row.counts) {
      cells.push_back(share_text(count.share));
      cells.push_back(grouped(count.samples));
      if (result.events.size() == 1) cells.push_back(count.estimated ? grouped(*count.estimated) : "-");
    }
    cells.insert(cells.end(), row.keys.begin(), row.keys.end());
    if (shows_dso(result)) cells.push_back(row.dso.value_or("several"));
    std::string callers;
    append_callers(callers, row.callers, kCallerIndent, style);
    table.add(std::move(cells), std::move(callers));
  }
  std::string out = event_lines(result) + "#\n" + table.render(style);
  if (result.rows.size() < result.all_rows) {
    out += fmt::format("# {} more rows\n", grouped(result.all_rows - result.rows.size()));
  }
  return out;
}

}  // namespace hm::text
