// SPDX-License-Identifier: MIT
#include "view/text/occupancy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "view/text/format.h"

namespace hm::text {
namespace {

using occupancy::By;
using occupancy::Row;
using occupancy::Snapshot;

std::string held_text(const Row& row) {
  return row.occupancy_bytes ? bytes_text(static_cast<double>(*row.occupancy_bytes)) : kNotMeasured;
}

std::string share_text(const Row& row, uint64_t cache_bytes) {
  if (!row.occupancy_bytes || cache_bytes == 0) return kNotMeasured;
  return percent(static_cast<double>(*row.occupancy_bytes) / static_cast<double>(cache_bytes));
}

std::string rate_text(const std::optional<double>& bytes_per_s) {
  return bytes_per_s ? bytes_text(*bytes_per_s) : kNotMeasured;
}

bool takes_turns(const Snapshot& snapshot) {
  for (const Row& row : snapshot.rows) {
    if (row.measured_share < 0.999) return true;
  }
  return false;
}

std::string heading(const Snapshot& snapshot) {
  uint64_t held = 0;
  bool all = true;
  for (const Row& row : snapshot.rows) {
    if (row.is_foreign) continue;
    held += row.occupancy_bytes.value_or(0);
    all = all && row.occupancy_bytes.has_value();
  }
  std::string cache =
      snapshot.cache_bytes == 0
          ? "a last-level cache of unknown size"
          : fmt::format("{} of last-level cache", bytes_text(static_cast<double>(snapshot.cache_bytes)));
  return fmt::format("# {:.1f} s: {}{} held of {}; by {}\n", snapshot.elapsed_s, all ? "" : "at least ",
                     bytes_text(static_cast<double>(held)), cache, snapshot.measured_by);
}

// CPUs and programs keep their order. Other rows are sorted by occupancy, largest first.
std::vector<const Row*> in_order(const Snapshot& snapshot) {
  std::vector<const Row*> rows;
  for (const Row& each : snapshot.rows) rows.push_back(&each);
  if (snapshot.by == By::kCpu || snapshot.by == By::kProgram) return rows;
  std::ranges::stable_sort(rows, std::greater(), [](const Row* each) { return each->occupancy_bytes; });
  return rows;
}

// Xen's domains are virtual machines without processes.
bool has_processes(const Snapshot& snapshot) {
  if (snapshot.by == By::kCpu || snapshot.by == By::kCgroup) return false;
  return snapshot.by != By::kVm || snapshot.rows.empty() ||
         std::ranges::any_of(snapshot.rows, [](const Row& row) { return row.pid.has_value(); });
}

}  // namespace

std::string occupancy_table(const Snapshot& snapshot, const Style& style) {
  bool turns = takes_turns(snapshot);
  bool has_pids = has_processes(snapshot);
  std::vector<Table::Heading> headings;
  if (has_pids) headings.push_back({snapshot.by == By::kThread ? "TID" : "PID"});
  headings.insert(headings.end(), {{"HELD"}, {"SHARE"}});
  if (snapshot.has_total_bandwidth) headings.push_back({"MEMORY/s", Align::kRight, Presence::kOptional});
  if (snapshot.has_local_bandwidth) headings.push_back({"LOCAL/s", Align::kRight, Presence::kOptional});
  if (turns) headings.push_back({"MEASURED", Align::kRight, Presence::kOptional});
  bool bounded = std::ranges::any_of(snapshot.rows, [](const Row& each) { return each.ways != 0; });
  if (bounded) headings.push_back({"WAYS", Align::kRight, Presence::kOptional});
  headings.push_back({"NAME", Align::kLeft});
  Table table(std::move(headings));
  for (const Row* each : in_order(snapshot)) {
    const Row& row = *each;
    std::vector<std::string> cells;
    if (has_pids) cells.push_back(row.pid ? std::to_string(*row.pid) : "");
    cells.push_back(held_text(row));
    cells.push_back(share_text(row, snapshot.cache_bytes));
    if (snapshot.has_total_bandwidth) cells.push_back(rate_text(row.total_bytes_per_s));
    if (snapshot.has_local_bandwidth) cells.push_back(rate_text(row.local_bytes_per_s));
    if (turns) cells.push_back(percent(row.measured_share));
    if (bounded) cells.push_back(row.ways == 0 ? "all" : fmt::format("{:x}", row.ways));
    cells.push_back(printable(row.name));
    table.add(std::move(cells));
  }
  std::string text = heading(snapshot) + table.render(style);
  for (const std::string& remark : snapshot.remarks) text += fmt::format("# {}\n", remark);
  return text;
}

}  // namespace hm::text
