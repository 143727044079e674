// SPDX-License-Identifier: MIT
#include "analysis/diff/recording.h"

#include <algorithm>
#include <utility>

namespace hm::diff {
namespace {

constexpr std::string_view kObject = "dso";

// The index of that column; nullopt where rows are not by object.
std::optional<size_t> object_column(const std::vector<std::string>& columns) {
  auto found = std::ranges::find(columns, kObject);
  if (found == columns.end()) return std::nullopt;
  return static_cast<size_t>(found - columns.begin());
}

}  // namespace

const Event* Recording::event(std::string_view event_name) const {
  auto found = std::ranges::find(events, event_name, &Event::name);
  return found == events.end() ? nullptr : &*found;
}

std::string Recording::program() const {
  std::optional<size_t> column = object_column(columns);
  if (!column || command.empty()) return {};
  std::string file = command.front().substr(command.front().rfind('/') + 1);
  bool has_rows = std::ranges::any_of(events, [&](const Event& each) {
    return std::ranges::any_of(each.rows, [&](const auto& row) { return row.first[*column] == file; });
  });
  return has_rows ? file : std::string();
}

void Recording::rename_object(const std::string& from, const std::string& to) {
  std::optional<size_t> column = object_column(columns);
  if (!column) return;
  for (Event& each : events) {
    std::map<Names, RowCount> renamed;
    for (const auto& [names, count] : each.rows) {
      Names new_names = names;
      if (new_names[*column] == from) new_names[*column] = to;
      RowCount& sum = renamed[std::move(new_names)];
      sum.samples += count.samples;
      sum.weight += count.weight;
    }
    each.rows = std::move(renamed);
  }
}

}  // namespace hm::diff
