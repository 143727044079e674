// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "view/ci/formats.h"
#include "view/text/diff.h"
#include "view/text/format.h"

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

std::string verdict_of(const diff::Diff& result) {
  auto violated =
      static_cast<size_t>(std::ranges::count_if(result.checks, diff::is_violated, &diff::Check::verdict));
  if (violated > 0)
    return fmt::format("{} of {} violated", violated,
                       text::count_of(result.checks.size(), "limit", "limits"));
  return result.checks.empty() ? "no limits" : "no limit is violated";
}

std::string table_line(const std::string& name, const text::ChangeCells& cells) {
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, for_markdown(cells.before),
                     for_markdown(cells.after), for_markdown(cells.change), for_markdown(cells.relative),
                     for_markdown(cells.interval));
}

std::string table_head(std::string_view name) {
  return fmt::format("| {} | before | after | change | | 95 % interval |\n|---|--:|--:|--:|--:|--:|\n", name);
}

// Returns a folded table of the rows that changed significantly, "" if none did.
std::string rows_of(const diff::Diff& result, const diff::EventRows& event) {
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
  return fmt::format("\n<details><summary>{} by {}</summary>\n\n{}{}{}\n</details>\n",
                     for_markdown(event.event), for_markdown(result.columns.front()),
                     table_head(for_markdown(fmt::format("{}", fmt::join(result.columns, ", ")))), table,
                     more);
}

}  // namespace

std::string markdown(const diff::Diff& result) {
  std::string out = fmt::format("### hardmeter: {}\n\n", verdict_of(result));
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
  for (const diff::EventRows& event : result.rows) out += rows_of(result, event);
  for (const std::string& note : result.notes) out += fmt::format("\n> {}\n", for_markdown(note));
  if (result.processors) out += fmt::format("\n> {}\n", for_markdown(*result.processors));
  return out;
}

}  // namespace hm::ci
