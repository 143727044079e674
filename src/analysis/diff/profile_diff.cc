// SPDX-License-Identifier: MIT
#include "analysis/diff/profile_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "analysis/diff/change.h"
#include "analysis/diff/differences.h"
#include "analysis/diff/functions.h"
#include "analysis/diff/side.h"

namespace hm::diff {
namespace {

bool wanted(const Options& options, std::string_view event) {
  return options.events.empty() || std::ranges::find(options.events, event) != options.events.end();
}

// Returns the names in the order of the recordings.
std::vector<std::string> event_names(const Side& side, const Options& options) {
  std::vector<std::string> names;
  for (const Recording& run : side.runs()) {
    for (const Event& event : run.events) {
      if (wanted(options, event.name) && std::ranges::find(names, event.name) == names.end())
        names.push_back(event.name);
    }
  }
  return names;
}

Total total_of(const std::string& event, const Side& before, const Side& after) {
  std::vector<double> b = before.totals(event), a = after.totals(event);
  Total total;
  total.event = event;
  total.before = mean_of(b);
  total.after = mean_of(a);
  bool exact = is_exact(before, after, event, b, a);
  Runs runs = runs_of(exact, before, after);
  total.change = change_of(total.before, total.after, total_difference(b, a, runs, 1), exact);
  total.estimated = !before.counted(event) || !after.counted(event);
  total.running = std::min(before.running(event), after.running(event));
  return total;
}

std::set<Names> row_names(const std::string& event, const Side& before, const Side& after) {
  std::set<Names> names;
  for (const Side* side : {&before, &after}) {
    for (const Recording& run : side->runs()) {
      const Event* found = run.event(event);
      if (found == nullptr) continue;
      for (const auto& [row, count] : found->rows) names.insert(row);
    }
  }
  return names;
}

Row row_of(const std::string& event, const Names& names, const Side& before, const Side& after) {
  Part b = before.row(event, names), a = after.row(event, names);
  Row row{names, b.samples, a.samples, b.events, a.events, {}};
  Interval difference = part_difference(b, a, runs_of(false, before, after), 1);
  row.change = change_of(b.events.value, a.events.value, difference, b.exact && a.exact);
  return row;
}

// Returns the sort key: the absolute change or, if one side is unknown, the other side's value.
double size_of(const Row& row) {
  if (row.change.absolute) return std::abs(*row.change.absolute);
  return row.before.value.value_or(row.after.value.value_or(0));
}

EventRows rows_of(const std::string& event, const Side& before, const Side& after) {
  EventRows result{event,
                   before.samples(event),
                   after.samples(event),
                   before.is_complete(event) && after.is_complete(event),
                   {}};
  for (const Names& names : row_names(event, before, after))
    result.rows.push_back(row_of(event, names, before, after));
  std::ranges::stable_sort(result.rows, std::greater<>(), size_of);
  return result;
}

bool has_unknown_row(const EventRows& event) {
  return std::ranges::any_of(event.rows,
                             [](const Row& row) { return !row.before.value || !row.after.value; });
}

bool sampled(const std::string& event, const Side& side) {
  return std::ranges::all_of(side.runs(), [&](const Recording& run) { return run.event(event)->sampled; });
}

void compare_events(const Options& options, const Side& before, const Side& after, Diff& diff) {
  for (const std::string& event : event_names(before, options)) {
    if (!before.has(event)) continue;
    if (!after.has(event)) {
      diff.only_before.push_back(event);
      continue;
    }
    diff.totals.push_back(total_of(event, before, after));
    if (sampled(event, before) && sampled(event, after)) diff.rows.push_back(rows_of(event, before, after));
  }
  for (const std::string& event : event_names(after, options)) {
    if (after.has(event) && !before.has(event)) diff.only_after.push_back(event);
  }
  // growth from 0 sorts first
  std::ranges::stable_sort(diff.totals, std::greater<>(), [](const Total& total) {
    if (total.change.relative) return std::abs(*total.change.relative);
    return *total.change.absolute == 0 ? 0 : std::numeric_limits<double>::infinity();
  });
}

Status require_comparable(const Options& options, const Side& before, const Side& after) {
  for (const std::string& event : options.events) {
    if (before.has_in_some(event) || after.has_in_some(event)) continue;
    return make_error(ErrorCode::kInvalidArgument, "no recording has the event '{}'", event);
  }
  const std::vector<std::string>& columns = before.runs().front().columns;
  for (const Side* side : {&before, &after}) {
    for (const Recording& run : side->runs()) {
      if (run.columns != columns) {
        return make_error(
            ErrorCode::kInvalidArgument,
            "cannot compare rows by {} with rows of {} by {}; compare with the --sort of the baseline",
            fmt::join(columns, ","), run.name, fmt::join(run.columns, ","));
      }
      bool software = run.pmu == kSoftwarePmu;
      if (!options.force && software != (before.runs().front().pmu == kSoftwarePmu)) {
        return make_error(
            ErrorCode::kInvalidArgument,
            "{} was measured by the {} PMU and {} by the {} PMU: a model and a processor count different things; --force compares them anyway",
            before.runs().front().name, before.runs().front().pmu, run.name, run.pmu);
      }
    }
  }
  return {};
}

}  // namespace

Result<Diff> find_diff(std::span<const Recording> before_runs, std::span<const Recording> after_runs,
                       const Options& options) {
  if (Status comparable = require_comparable(options, Side(before_runs), Side(after_runs)); !comparable)
    return comparable.error();
  const MatchedSides matched = match_functions(before_runs, after_runs);
  Side before(matched.before), after(matched.after);
  Diff diff;
  diff.before = describe(before);
  diff.after = describe(after);
  diff.differences = find_differences(before, after);
  diff.processors = processor_difference(before, after);
  diff.notes = find_notes(before, after);
  diff.notes.insert(diff.notes.end(), matched.notes.begin(), matched.notes.end());
  diff.columns = before.runs().front().columns;
  for (const Recording& run : matched.after)
    diff.renamed.insert(run.other_names.begin(), run.other_names.end());
  compare_events(options, before, after, diff);
  if (std::ranges::any_of(diff.rows, has_unknown_row)) {
    diff.notes.emplace_back(kUpperBoundNote);
  }
  for (const Limit& limit : options.limits) {
    Result<Check> check = check_limit(limit, before, after);
    if (!check) return check.error();
    diff.checks.push_back(*std::move(check));
  }
  return diff;
}

}  // namespace hm::diff
