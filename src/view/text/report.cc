// SPDX-License-Identifier: MIT
#include "view/text/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "event/event_template.h"
#include "view/text/callers.h"
#include "view/text/counts.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kCallerIndent = 4;

bool has(const hotspots::Hotspots& result, hotspots::SortKey key) {
  return std::ranges::find(result.keys, key) != result.keys.end();
}

// A function or line needs its object beside it, unless the object is a sort key itself.
bool shows_dso(const hotspots::Hotspots& result) {
  using enum hotspots::SortKey;
  return !has(result, kDso) && (has(result, kFunction) || has(result, kLine) || has(result, kIp));
}

Table make_table(const hotspots::Hotspots& result) {
  std::vector<Table::Heading> headings;
  add_count_headings(result.events, headings);
  if (events_shown(result.events).size() == 1) {
    headings.push_back({"events", Align::kRight, true});
    if (result.rates) headings.push_back({"per second", Align::kRight, true});
  }
  if (result.latencies) {
    headings.push_back({"latency"});
    add_latency_headings(headings);
  }
  for (hotspots::SortKey key : result.keys) headings.push_back({std::string(name_of(key)), Align::kLeft});
  if (shows_dso(result)) headings.push_back({"dso", Align::kLeft});
  return Table(std::move(headings));
}

std::string per_second_text(const std::optional<double>& per_second) {
  return per_second ? grouped(static_cast<uint64_t>(std::llround(*per_second))) : kNotMeasured;
}

void append_callers(std::string& out, const std::vector<callers::Caller>& callers, size_t indent,
                    const Style& style) {
  for (const callers::Caller& caller : callers) {
    std::string line =
        fmt::format("{}{:>6}  {}", std::string(indent, ' '), percent(caller.share), caller_text(caller));
    constexpr size_t kShareColumns = 8;
    out += wrapped(line, style.width, indent + kShareColumns) + '\n';
    // A single caller's own callers keep its indentation: a chain, not a tree.
    append_callers(out, caller.callers, indent + (callers.size() > 1 ? 2 : 0), style);
  }
}

}  // namespace

std::string hotspots_title(const hotspots::Hotspots& result) {
  std::vector<size_t> shown = events_shown(result.events);
  if (shown.size() != 1) return {};
  const std::string& name = result.events[shown.front()].name;
  const event::EventTemplate* known = event::find_event(name);
  return known == nullptr ? printable(name) + '\n' : fmt::format("{}: {}\n", name, known->description);
}

std::string hotspots_table(const hotspots::Hotspots& result, const Style& style) {
  Table table = make_table(result);
  for (const hotspots::Row& row : result.rows) {
    std::vector<std::string> cells;
    add_count_cells(result.events, row.counts, false, cells);
    if (std::vector<size_t> shown = events_shown(result.events); shown.size() == 1) {
      const hotspots::Count& count = row.counts[shown.front()];
      cells.push_back(count.estimated ? grouped(*count.estimated) : kNotMeasured);
      if (result.rates) cells.push_back(per_second_text(count.per_second));
    }
    if (result.latencies) {
      cells.push_back(row.latency ? percent(row.latency_share) : kNotMeasured);
      add_latency_cells(row.latency, cells);
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
  bool any_latency =
      std::ranges::any_of(result.rows, [](const auto& row) { return row.latency.has_value(); });
  if (result.latencies && !any_latency)
    out += "# no sample has a latency: record them with -W, or by the software PMU\n";
  if (result.lacks_callers)
    out += "# no sample has callers: record them with -g (of perf's, with --call-graph dwarf)\n";
  return out;
}

}  // namespace hm::text
