// SPDX-License-Identifier: MIT
#include "view/screen/llc_table.h"

#include <algorithm>

#include "view/screen/screen_lines.h"
#include "view/text/format.h"

namespace hm::screen {
namespace {

using occupancy::By;
using occupancy::Snapshot;
using Is = LlcColumnIs;

constexpr size_t kNarrowestName = 10;
constexpr size_t kWidestHistory = 40;
constexpr size_t kUsualName = 30;  // a history column takes the width beyond this

bool has_pids(const Snapshot& snapshot) { return snapshot.by != By::kCpu && snapshot.by != By::kCgroup; }

bool is_in_turn(const Snapshot& snapshot) {
  return std::ranges::any_of(snapshot.rows, [](const auto& row) { return row.measured_share < 0.999; });
}

bool has_intervals(const Snapshot& snapshot) {
  return std::ranges::any_of(snapshot.rows, [](const auto& row) { return row.low_bytes < row.high_bytes; });
}

std::vector<LlcColumn> all_columns(const Snapshot& snapshot, const LlcOrder& order) {
  std::vector<LlcColumn> all;
  const auto add = [&](bool there_is, LlcColumn column) {
    if (there_is) all.push_back(std::move(column));
  };
  add(true, {Is::kMark, "", 1, {}});
  add(has_pids(snapshot), {Is::kPid, snapshot.by == By::kThread ? "TID" : "PID", 7, LlcSort::kPid});
  add(true, {Is::kHeld, "HELD", 9, LlcSort::kHeld});
  add(true, {Is::kShare, "SHARE", 6, {}});
  add(snapshot.has_total_bandwidth, {Is::kMemory, "MEMORY/s", 9, LlcSort::kMemory});
  add(snapshot.has_local_bandwidth, {Is::kLocal, "LOCAL/s", 9, LlcSort::kLocal});
  add(order.tree, {Is::kSum, "TOGETHER", 10, {}});
  add(has_intervals(snapshot), {Is::kInterval, "BETWEEN", 20, {}});
  add(is_in_turn(snapshot), {Is::kMeasured, "MEASURED", 8, {}});
  add(true, {Is::kHistory, "HISTORY", 10, {}});
  add(true, {Is::kName, "NAME", kNarrowestName, LlcSort::kName});
  return all;
}

size_t width_of_all(const std::vector<LlcColumn>& columns) {
  size_t width = columns.size() - 1;
  for (const LlcColumn& each : columns) width += each.width;
  return width;
}

// Drops the least useful columns first.
void drop_until_it_fits(std::vector<LlcColumn>& columns, size_t width) {
  for (Is least : {Is::kInterval, Is::kMeasured, Is::kLocal, Is::kHistory, Is::kMemory, Is::kSum, Is::kShare,
                   Is::kPid, Is::kMark}) {
    if (width_of_all(columns) <= width) return;
    std::erase_if(columns, [least](const LlcColumn& each) { return each.is == least; });
  }
}

std::string sum_cell(const ShownRow& shown, LlcUnit unit) {
  if (shown.below == 0) return "";
  if (!shown.sum_bytes) return text::kNotMeasured;
  return (shown.is_least ? ">" : "") + amount_text(static_cast<double>(*shown.sum_bytes), unit);
}

std::string cell_of(Is which, const Snapshot& snapshot, const ShownRow& shown, LlcUnit unit) {
  const occupancy::Row& row = *shown.row;
  switch (which) {
    case Is::kPid:
      return row.pid ? std::to_string(*row.pid) : "";
    case Is::kHeld:
      return held_text(row, unit);
    case Is::kShare:
      return share_text(row.occupancy_bytes, snapshot.cache_bytes);
    case Is::kMemory:
      return rate_text(row.total_bytes_per_s, unit);
    case Is::kLocal:
      return rate_text(row.local_bytes_per_s, unit);
    case Is::kSum:
      return sum_cell(shown, unit);
    case Is::kInterval:
      return interval_text(row, unit);
    case Is::kMeasured:
      return text::percent(row.measured_share);
    case Is::kName:
      return shown.branch + text::printable(row.name);
    default:
      return "";
  }
}

bool is_left(Is which) { return which == Is::kName || which == Is::kHistory; }

void append(const LlcColumn& column, const std::string& cell, std::string& line) {
  if (!line.empty()) line += ' ';
  std::string shown = marked(cell, column.width);
  line += is_left(column.is) ? to_left(shown, column.width) : to_right(shown, column.width);
}

}  // namespace

std::vector<LlcSort> sorts_of(const Snapshot& snapshot) {
  std::vector<LlcSort> sorts;
  for (const LlcColumn& each : all_columns(snapshot, {})) {
    if (each.sort) sorts.push_back(*each.sort);
  }
  return sorts;
}

std::vector<LlcColumn> llc_columns(const Snapshot& snapshot, const LlcOrder& order, size_t width) {
  std::vector<LlcColumn> columns = all_columns(snapshot, order);
  drop_until_it_fits(columns, width);
  size_t left = width - std::min(width, width_of_all(columns));
  for (LlcColumn& each : columns) {
    if (each.is != Is::kHistory) continue;
    size_t for_name = kUsualName - kNarrowestName;
    size_t more = std::min(kWidestHistory - each.width, left - std::min(left, for_name));
    each.width += more;
    left -= more;
  }
  columns.back().width += left;
  return columns;
}

std::string llc_heading(const std::vector<LlcColumn>& columns, const LlcOrder& order, bool drawing) {
  std::string line;
  for (const LlcColumn& each : columns) {
    std::string title = each.title;
    bool falls = (order.sort == LlcSort::kPid || order.sort == LlcSort::kName) == order.reversed;
    if (each.sort == order.sort) title += drawing ? (falls ? "▼" : "▲") : falls ? "v" : "^";
    append(each, title, line);
  }
  return line;
}

std::string llc_line(const std::vector<LlcColumn>& columns, const Snapshot& snapshot, const ShownRow& shown,
                     LlcUnit unit) {
  std::string line;
  for (const LlcColumn& each : columns) append(each, cell_of(each.is, snapshot, shown, unit), line);
  return line;
}

std::optional<size_t> place_of(LlcColumnIs which, const std::vector<LlcColumn>& columns) {
  size_t place = 0;
  for (const LlcColumn& each : columns) {
    if (each.is == which) return place;
    place += each.width + 1;
  }
  return std::nullopt;
}

}  // namespace hm::screen
