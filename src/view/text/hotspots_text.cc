// SPDX-License-Identifier: MIT
#include "view/text/hotspots_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "event/event_template.h"
#include "view/text/callers_text.h"
#include "view/text/counts.h"
#include "view/text/format.h"
#include "view/text/function_names.h"

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

// The headings of add_self_cells(): as those of add_count_cells(), and the inclusive share of each event.
void add_self_headings(const std::vector<hotspots::EventSummary>& events,
                       std::vector<Table::Heading>& headings) {
  std::vector<size_t> shown = events_shown(events);
  bool several = shown.size() > 1;
  for (size_t event : shown) {
    bool is_first = event == shown.front();
    headings.push_back(share_heading(is_first, several ? printable(events[event].name) : "self"));
    Presence inclusive = !several ? Presence::kAlways : is_first ? Presence::kIfNeeded : Presence::kOptional;
    headings.push_back({"inclusive", Align::kRight, inclusive});
    headings.push_back({"samples", Align::kRight, Presence::kOptional});
  }
}

void add_self_cells(const std::vector<hotspots::EventSummary>& events, const hotspots::Row& row,
                    std::vector<std::string>& cells) {
  for (size_t event : events_shown(events)) {
    cells.push_back(share_text(row.counts[event].share));
    cells.push_back(share_text(row.inclusive[event].share));
    cells.push_back(grouped(row.counts[event].samples));
  }
}

Table make_table(const hotspots::Hotspots& result) {
  std::vector<Table::Heading> headings;
  result.inclusive ? add_self_headings(result.events, headings) : add_count_headings(result.events, headings);
  if (events_shown(result.events).size() == 1) {
    headings.push_back({"events", Align::kRight, Presence::kOptional});
    if (result.rates) headings.push_back({"per second", Align::kRight, Presence::kIfNeeded});
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

// Returns the text of a row's key; a function of a name that several rows have is shown with its file.
std::string key_text(const hotspots::Hotspots& result, const hotspots::Row& row, size_t key,
                     const FunctionNames& names) {
  if (result.keys[key] != hotspots::SortKey::kFunction) return row.keys[key];
  std::string text = names.of(row.keys[key]);
  return row.short_file.empty() ? text : fmt::format("{} ({})", text, row.short_file);
}

FunctionNames names_of(const hotspots::Hotspots& result, const Style& style) {
  auto key = std::ranges::find(result.keys, hotspots::SortKey::kFunction);
  std::vector<std::string> functions;
  for (const hotspots::Row& row : result.rows) {
    if (key != result.keys.end())
      functions.push_back(row.keys[static_cast<size_t>(key - result.keys.begin())]);
  }
  return {functions, style};
}

}  // namespace

std::string hotspots_title(const hotspots::Hotspots& result) {
  std::vector<size_t> shown = events_shown(result.events);
  if (shown.empty()) return {};
  std::string names;
  for (size_t event : shown) names += (names.empty() ? "" : ", ") + printable(result.events[event].name);
  if (shown.size() != 1) return fmt::format("{}: samples of each event\n", names);
  const event::EventTemplate* known = event::find_event(result.events[shown.front()].name);
  return known == nullptr ? fmt::format("{}: samples, and the events that they stand for\n", names)
                          : fmt::format("{}: {}\n", names, known->description);
}

std::string scripts_title(const hotspots::Hotspots& result) {
  return fmt::format("{}: functions of the language runtime's program, with what they call\n",
                     printable(result.events.front().name));
}

std::string hotspots_table(const hotspots::Hotspots& result, const Style& style) {
  Table table = make_table(result);
  FunctionNames names = names_of(result, style);
  for (const hotspots::Row& row : result.rows) {
    std::vector<std::string> cells;
    result.inclusive ? add_self_cells(result.events, row, cells)
                     : add_count_cells(result.events, row.counts, false, cells);
    if (std::vector<size_t> shown = events_shown(result.events); shown.size() == 1) {
      const hotspots::Count& count = row.counts[shown.front()];
      cells.push_back(count.estimated ? grouped(*count.estimated) : kNotMeasured);
      if (result.rates) cells.push_back(per_second_text(count.per_second));
    }
    if (result.latencies) {
      cells.push_back(row.latency ? percent(row.latency_share) : kNotMeasured);
      add_latency_cells(row.latency, cells);
    }
    for (size_t key = 0; key < row.keys.size(); ++key) cells.push_back(key_text(result, row, key, names));
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
    out += "# no sample has a latency: record with -W, or with the software PMU\n";
  if (result.lacks_callers)
    out += "# no sample has callers: record with -g (perf: with --call-graph dwarf)\n";
  return out;
}

}  // namespace hm::text
