// SPDX-License-Identifier: MIT
#include "view/text/diff_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "view/text/format.h"
#include "view/text/function_names.h"
#include "view/text/recording_text.h"

namespace hm::text {
namespace {

constexpr const char* kNotKnown = "-";

// Returns for example "12,345"; small numbers that are not whole are rates: "3.52".
std::string number(double value) {
  double size = std::abs(value);
  if (size < 100 && size != std::floor(size)) return fmt::format("{:.2f}", size);
  return grouped(static_cast<uint64_t>(std::llround(size)));
}

// Returns for example "+12,345", "-3.52" or "0".
std::string signed_number(double value) {
  std::string digits = number(value);
  if (digits.find_first_not_of("0.,") == std::string::npos) return "0";
  return (value < 0 ? "-" : "+") + digits;
}

std::string interval_text(const diff::Interval& interval) {
  return fmt::format("[{} .. {}]", signed_number(interval.low), signed_number(interval.high));
}

std::string relative_text(const std::optional<double>& relative) {
  return relative ? fmt::format("{:+.1f}%", *relative * 100) : kNotKnown;
}

// Rounds estimates to whole numbers.
diff::Estimate rounded(diff::Estimate estimate) {
  if (estimate.value) estimate.value = std::round(*estimate.value);
  estimate.limits = {std::round(estimate.limits.low), std::round(estimate.limits.high)};
  return estimate;
}

diff::Change rounded(diff::Change change) {
  if (change.absolute) change.absolute = std::round(*change.absolute);
  if (change.limits) change.limits = {std::round(change.limits->low), std::round(change.limits->high)};
  return change;
}

// Returns "<1,234" if only the upper limit is known.
std::string estimate_text(const diff::Estimate& estimate) {
  return estimate.value ? number(*estimate.value) : "<" + number(estimate.limits.high);
}

std::string absolute_text(const diff::Change& change) {
  return change.absolute ? signed_number(*change.absolute) : kNotKnown;
}

std::string pmu_text(const diff::RecordingSide& side) {
  std::string text = side.pmu + " PMU";
  if (!side.engine.empty()) text += fmt::format(" ({})", side.engine);
  return printable(text);
}

std::string side_line(const char* which, const diff::RecordingSide& side) {
  std::string out =
      fmt::format("# {}: {}{}\n", which, printable(fmt::format("{}", fmt::join(side.files, ", "))),
                  side.baseline ? " (baseline)" : "");
  for (const std::string& remark : side.remarks) out += fmt::format("#   {}\n", printable(remark));
  return out;
}

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : printable(text); }

std::string head(const diff::Diff& result) {
  const diff::RecordingSide& before = result.before;
  std::string out = side_line("before", before) + side_line("after", result.after);
  auto common = [&](const char* what, const std::string& of_before, const std::string& of_after) {
    if (of_before == of_after && !of_before.empty())
      out += fmt::format("# {}: {}\n", what, printable(of_before));
  };
  common("measured by", pmu_text(before), pmu_text(result.after));
  common("machine", before.machine, result.after.machine);
  common("command", before.command, result.after.command);
  for (const diff::Difference& each : result.differences) {
    out += fmt::format("# different {}:\n#   before: {}\n#   after:  {}\n", each.what,
                       or_unknown(each.before), or_unknown(each.after));
  }
  for (const std::string& note : result.notes) out += fmt::format("# note: {}\n", printable(note));
  return out + "#\n";
}

std::string certainty(const diff::Change& change) {
  if (!change.limits) return "unknown";
  return change.exact ? "exact" : interval_text(*change.limits);
}

// Remarks to print below the row.
std::string remark_on(const diff::Total& total) {
  std::string out;
  if (total.estimated) out += "  estimated on at least one side, from samples or from bursts\n";
  if (total.running < 1) {
    out +=
        fmt::format("  its counter was shared and ran {} of the time: scaled up\n", percent(total.running));
  }
  return out;
}

std::string only_on(const char* side, const std::vector<std::string>& events) {
  if (events.empty()) return {};
  return fmt::format("# only {}: {}\n", side, printable(fmt::format("{}", fmt::join(events, ", "))));
}

std::string totals_table(const diff::Diff& result, const Style& style) {
  Table table({{"total", Align::kLeft}, {"before"}, {"after"}, {"change"}, {""}, {"95 % interval"}});
  for (const diff::Total& total : result.totals) {
    ChangeCells cells = cells_of(total);
    table.add({total.event, cells.before, cells.after, cells.change, cells.relative, cells.interval},
              remark_on(total));
  }
  std::string out = result.totals.empty() ? "# no event is on both sides\n" : table.render(style);
  return out + only_on("before", result.only_before) + only_on("after", result.only_after);
}

Table rows_table(const diff::Diff& result, const DiffView& view) {
  std::vector<Table::Heading> headings{{"before"}, {"after"}, {"change"}, {""}, {"95 % interval"}};
  if (view.all) headings.push_back({"significant"});
  headings.push_back({"samples", Align::kRight, Presence::kOptional});
  for (const std::string& column : result.columns) headings.push_back({column, Align::kLeft});
  return Table(std::move(headings));
}

KeyNames names_of(const diff::Diff& result, const diff::EventRows& event, const Style& style) {
  std::vector<std::vector<std::string>> keys;
  for (const diff::Row& row : event.rows) keys.push_back(row.names);
  return {result.columns, keys, style};
}

std::vector<std::string> row_cells(const diff::Row& row, const DiffView& view, const KeyNames& names) {
  ChangeCells change = cells_of(row);
  std::vector<std::string> cells{change.before, change.after, change.change, change.relative,
                                 change.interval};
  if (view.all) cells.emplace_back(row.change.significant() ? "yes" : "no");
  cells.push_back(fmt::format("{}, {}", grouped(row.samples_before), grouped(row.samples_after)));
  for (std::string& name : names.of(row.names)) cells.push_back(std::move(name));
  return cells;
}

std::string rows_report(const diff::Diff& result, const diff::EventRows& event, const DiffView& view,
                        const Style& style) {
  Table table = rows_table(result, view);
  KeyNames names = names_of(result, event, style);
  size_t shown = 0, beyond_limit = 0, hidden = 0;
  for (const diff::Row& row : event.rows) {
    if (!view.all && !row.change.significant()) {
      ++hidden;
    } else if (view.limit != 0 && shown == view.limit) {
      ++beyond_limit;
    } else {
      table.add(row_cells(row, view, names));
      ++shown;
    }
  }
  std::string out =
      fmt::format("\n# {} by {}: {}, {} before and {} after\n", printable(event.event),
                  result.columns.front(), event.exact ? "each event is a sample" : "estimates from samples",
                  grouped(event.samples_before), grouped(event.samples_after));
  if (shown > 0) out += table.render(style);
  if (beyond_limit > 0)
    out += fmt::format("# {} (--limit 0 shows all)\n", count_of(beyond_limit, "more row", "more rows"));
  if (hidden > 0) {
    out += fmt::format("# {} {} (--all shows them)\n", count_of(hidden, "row", "rows"),
                       event.exact ? "did not change" : "changed within noise");
  }
  return out;
}

std::string check_text(const diff::Check& check) {
  bool estimated = check.from_samples && !check.change.exact;
  diff::Change change = estimated ? rounded(check.change) : check.change;
  auto side = [&](const diff::Estimate& estimate) {
    diff::Estimate shown = estimated ? rounded(estimate) : estimate;
    return shown.value ? (estimated ? "about " : "") + number(*shown.value)
                       : "at most " + number(shown.limits.high);
  };
  std::string out = fmt::format("{} before, {} after", side(check.before), side(check.after));
  if (change.absolute) out += ", " + signed_number(*change.absolute);
  if (change.relative) out += fmt::format(" ({:+.2f}%)", *change.relative * 100);
  if (!check.change.exact) out += ", 95 % interval " + interval_text(*change.limits);
  return out;
}

std::string limit_line(const diff::Check& check) {
  return fmt::format("limit {} {}\n", printable(check.limit.spec), check_sentence(check));
}

}  // namespace

ChangeCells cells_of(const diff::Total& total) {
  return {number(total.before), number(total.after), absolute_text(total.change),
          relative_text(total.change.relative), certainty(total.change)};
}

ChangeCells cells_of(const diff::Row& row) {
  diff::Change change = rounded(row.change);
  return {estimate_text(rounded(row.before)), estimate_text(rounded(row.after)), absolute_text(change),
          relative_text(change.relative), row.change.exact ? "exact" : certainty(change)};
}

ChangeCells cells_of(const diff::Check& check) {
  bool estimated = check.from_samples && !check.change.exact;
  diff::Change change = estimated ? rounded(check.change) : check.change;
  auto side = [&](const diff::Estimate& estimate) {
    return estimate_text(estimated ? rounded(estimate) : estimate);
  };
  return {side(check.before), side(check.after), absolute_text(change), relative_text(change.relative),
          certainty(change)};
}

std::string_view reason_of(const diff::Check& check) {
  if (check.partial) return "with samples of only a part of a run";
  return check.from_samples && check.runs == 1 ? "with so few samples" : "with so few runs";
}

std::string check_sentence(const diff::Check& check) {
  if (check.verdict == diff::Verdict::kGone) {
    return fmt::format(
        "failed: the program has no function {} any more, nor one with similar code; name the function that replaces it, or save the baseline again without this limit",
        printable(*check.limit.function));
  }
  if (check.no_samples) return "cannot be checked: it has no sample on either side";
  switch (check.verdict) {
    case diff::Verdict::kWithin:
      return "kept: " + check_text(check);
    case diff::Verdict::kExceeded:
      return "exceeded: " + check_text(check);
    case diff::Verdict::kUndetermined:
      return fmt::format("cannot be checked {}: {}", reason_of(check), check_text(check));
    case diff::Verdict::kGone:
      break;
  }
  return {};
}

std::string diff_report(const diff::Diff& result, const DiffView& view, const Style& style) {
  std::string out = wrapped_comments(head(result), style.width) + totals_table(result, style);
  for (const diff::EventRows& event : result.rows) out += rows_report(result, event, view, style);
  if (!result.checks.empty()) out += '\n';
  for (const diff::Check& check : result.checks) out += "# " + limit_line(check);
  return out;
}

std::string limit_messages(const diff::Diff& result, std::string_view name) {
  std::string out, prefix = "hardmeter: ";
  if (!name.empty()) prefix += printable(name) + ": ";
  for (const diff::Check& check : result.checks) {
    if (check.verdict != diff::Verdict::kWithin) out += prefix + limit_line(check);
  }
  if (out.empty() || !result.processors) return out;
  return fmt::format("{}{}\n", prefix, printable(*result.processors)) + out;
}

}  // namespace hm::text
