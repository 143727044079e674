// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "view/ci/formats.h"
#include "view/text/diff_text.h"
#include "view/text/format.h"
#include "view/text/gate_text.h"

namespace hm::ci {
namespace {

constexpr size_t kMaxRows = 10;  // of each event

// Returns the text so that Markdown shows it as it is, also in a table.
std::string for_markdown(std::string_view text) {
  std::string out;
  for (char letter : text::printable(text)) {
    if (letter == '<') {
      out += "&lt;";
    } else if (letter == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_{}[]#|~").find(letter) != std::string_view::npos) out += '\\';
      out += letter;
    }
  }
  return out;
}

std::string verdict_of(Results results) {
  size_t limits = 0, violated = 0, failed = 0;
  for (const diff::NamedDiff& each : results) {
    limits += each.diff.checks.size();
    violated += static_cast<size_t>(
        std::ranges::count_if(each.diff.checks, diff::is_violated, &diff::Check::verdict));
    failed += each.failure.empty() ? 0 : 1;
  }
  std::string out = limits == 0 ? "no limits" : "no limit is violated";
  if (violated > 0)
    out = fmt::format("{} of {} violated", violated, text::count_of(limits, "limit", "limits"));
  if (failed > 0) out += fmt::format(", {} failed", text::count_of(failed, "command", "commands"));
  return out;
}

std::string table_line(const std::string& name, const text::ChangeCells& cells) {
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, for_markdown(cells.before),
                     for_markdown(cells.after), for_markdown(cells.change), for_markdown(cells.relative),
                     for_markdown(cells.interval));
}

std::string table_head(std::string_view name) {
  return fmt::format("| {} | before | after | change | | 95 % interval |\n|---|--:|--:|--:|--:|--:|\n", name);
}

// Returns a folded table of the rows that changed significantly, "" if none did. `name` is the command's.
std::string rows_of(const std::string& name, const diff::Diff& result, const diff::EventRows& event) {
  std::string table;
  size_t changed = 0;
  for (const diff::Row& row : event.rows) {
    if (!row.change.significant() || ++changed > kMaxRows) continue;
    table += table_line(for_markdown(fmt::format("{}", fmt::join(row.names, ", "))), text::cells_of(row));
  }
  if (changed == 0) return {};
  std::string more =
      changed > kMaxRows
          ? fmt::format("\n{} changed.\n", text::count_of(changed - kMaxRows, "more row", "more rows"))
          : "";
  const std::string command = name.empty() ? "" : for_markdown(name) + ": ";
  return fmt::format("\n<details><summary>{}{} by {}</summary>\n\n{}{}{}\n</details>\n", command,
                     for_markdown(event.event), for_markdown(result.columns.front()),
                     table_head(for_markdown(fmt::format("{}", fmt::join(result.columns, ", ")))), table,
                     more);
}

std::string only_command(const diff::Diff& result) {
  std::string out;
  for (const diff::Check& check : result.checks)
    out += fmt::format("- `{}` {}\n", text::printable(check.limit.spec),
                       for_markdown(text::check_sentence(check)));
  if (!result.checks.empty()) out += '\n';
  if (result.totals.empty()) {
    out += "No event is on both sides.\n";
  } else {
    out += table_head("total");
    for (const diff::Total& total : result.totals)
      out += table_line(for_markdown(total.event), text::cells_of(total));
  }
  for (const diff::EventRows& event : result.rows) out += rows_of("", result, event);
  for (const std::string& note : result.notes) out += fmt::format("\n> {}\n", for_markdown(note));
  return out;
}

std::string gate_line(const text::GateRow& row) {
  const bool bad =
      row.verdict.starts_with("exceeded") || row.verdict == "failed" || row.verdict == "function gone";
  const std::string verdict = for_markdown(row.verdict);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", for_markdown(row.name),
                     for_markdown(row.event), for_markdown(row.before), for_markdown(row.after),
                     for_markdown(row.change), for_markdown(row.relative),
                     bad ? "**" + verdict + "**" : verdict);
}

std::string several_commands(Results results) {
  std::string out =
      "| command | event | before | after | change | | verdict |\n|---|---|--:|--:|--:|--:|---|\n";
  for (const text::GateRow& row : text::gate_rows(results)) out += gate_line(row);
  for (const diff::NamedDiff& each : results) {
    if (!each.failure.empty())
      out += fmt::format("\n> {}: {}\n", for_markdown(each.name), for_markdown(each.failure));
    for (const std::string& note : text::gate_notes(each))
      out += fmt::format("\n> {}: {}\n", for_markdown(each.name), for_markdown(note));
    for (const diff::EventRows& event : each.diff.rows) out += rows_of(each.name, each.diff, event);
  }
  return out;
}

}  // namespace

std::string markdown(Results results) {
  const bool only_one = results.size() == 1 && results.front().name.empty();
  std::string out = fmt::format("### hardmeter: {}\n\n", verdict_of(results));
  out += only_one ? only_command(results.front().diff) : several_commands(results);
  for (const diff::NamedDiff& each : results) {
    if (each.diff.processors) out += fmt::format("\n> {}\n", for_markdown(*each.diff.processors));
  }
  return out;
}

}  // namespace hm::ci
