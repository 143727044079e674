// SPDX-License-Identifier: MIT
#include "view/text/gate_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "view/text/diff_text.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

// Returns the part of the limit before or after its last colon: function names may contain colons.
std::string event_of(const diff::Limit& limit) { return limit.spec.substr(0, limit.spec.rfind(':')); }
std::string growth_of(const diff::Limit& limit) { return limit.spec.substr(limit.spec.rfind(':') + 1); }

std::string verdict_of(const diff::Check& check) {
  const auto with_limit = [&](std::string_view word) {
    return fmt::format("{} ({})", word, growth_of(check.limit));
  };
  if (check.no_samples) return "no samples";
  switch (check.verdict) {
    case diff::Verdict::kWithin:
      return with_limit("kept");
    case diff::Verdict::kExceeded:
      return with_limit("exceeded");
    case diff::Verdict::kUndetermined:
      return with_limit("undecided");
    case diff::Verdict::kGone:
      break;
  }
  return "function gone";
}

GateRow row_of(const std::string& name, std::string event, ChangeCells cells, std::string verdict) {
  return {name,
          std::move(event),
          std::move(cells.before),
          std::move(cells.after),
          std::move(cells.change),
          std::move(cells.relative),
          std::move(verdict)};
}

bool has_limit(const diff::Diff& result, const std::string& event) {
  return std::ranges::any_of(result.checks, [&](const diff::Check& check) {
    return !check.limit.function && !check.limit.per_thousand_instructions && check.limit.event == event;
  });
}

void add_rows(const diff::NamedDiff& result, std::vector<GateRow>& rows) {
  if (!result.failure.empty()) {
    rows.push_back({result.name, "", "", "", "", "", "failed"});
    return;
  }
  for (const diff::Check& check : result.diff.checks) {
    const bool compared = !check.no_samples && check.verdict != diff::Verdict::kGone;
    rows.push_back(row_of(result.name, event_of(check.limit), compared ? cells_of(check) : ChangeCells{},
                          verdict_of(check)));
  }
  for (const diff::Total& total : result.diff.totals) {
    if (!has_limit(result.diff, total.event))
      rows.push_back(row_of(result.name, total.event, cells_of(total), "no limit"));
  }
}

// Returns the row whose events grew most and significantly; nullptr if there is none.
const diff::Row* most_grown(const diff::EventRows& event) {
  const diff::Row* most = nullptr;
  for (const diff::Row& row : event.rows) {
    if (!row.change.significant() || row.change.absolute.value_or(0) <= 0) continue;
    if (most == nullptr || *row.change.absolute > *most->change.absolute) most = &row;
  }
  return most;
}

std::string growth_note(const diff::EventRows& event) {
  const diff::Row* row = most_grown(event);
  if (row == nullptr) return {};
  const ChangeCells cells = cells_of(*row);
  return fmt::format("{} grew most in {}: {}{}, from {} to {}", event.event, fmt::join(row->names, ", "),
                     event.exact ? "" : "about ", cells.change, cells.before, cells.after);
}

bool is_violated(const diff::Diff& result, const std::string& event) {
  return std::ranges::any_of(result.checks, [&](const diff::Check& check) {
    return check.limit.event == event && diff::is_violated(check.verdict);
  });
}

}  // namespace

std::vector<GateRow> gate_rows(std::span<const diff::NamedDiff> results) {
  std::vector<GateRow> rows;
  for (const diff::NamedDiff& each : results) add_rows(each, rows);
  return rows;
}

std::vector<std::string> gate_notes(const diff::NamedDiff& result) {
  std::vector<std::string> notes;
  for (const diff::Difference& each : result.diff.differences) {
    notes.push_back(fmt::format("different {}: {} before, {} after", each.what,
                                each.before.empty() ? "unknown" : each.before,
                                each.after.empty() ? "unknown" : each.after));
  }
  for (const std::string& note : result.diff.notes) {
    if (note != diff::kUpperBoundNote) notes.push_back(note);  // no rows are shown
  }
  for (const diff::EventRows& event : result.diff.rows) {
    if (!is_violated(result.diff, event.event)) continue;
    if (std::string note = growth_note(event); !note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

std::string gate_report(std::span<const diff::NamedDiff> results, const Style& style) {
  Table table({{"command", Align::kLeft},
               {"event", Align::kLeft},
               {"before"},
               {"after"},
               {"change"},
               {""},
               {"verdict", Align::kLeft}});
  for (GateRow& row : gate_rows(results)) {
    table.add({printable(row.name), printable(row.event), row.before, row.after, row.change, row.relative,
               row.verdict});
  }
  std::string out = table.render(style);
  for (const diff::NamedDiff& each : results) {
    for (const std::string& note : gate_notes(each))
      out += fmt::format("# {}: {}\n", printable(each.name), printable(note));
  }
  return out;
}

}  // namespace hm::text
