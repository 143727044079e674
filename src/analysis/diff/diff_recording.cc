// SPDX-License-Identifier: MIT
#include "analysis/diff/diff_recording.h"

#include <algorithm>
#include <utility>

namespace hm::diff {
namespace {

constexpr std::string_view kObject = "dso";
constexpr std::string_view kFunction = "function";

// Returns the index of a column; nullopt if there is no column with this name.
std::optional<size_t> column_named(const std::vector<std::string>& columns, std::string_view name) {
  auto found = std::ranges::find(columns, name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<size_t>(found - columns.begin());
}

}  // namespace

Names with_function(Names names, size_t column, const std::string& function) {
  names[column] = function;
  return names;
}

const Event* Recording::event(std::string_view event_name) const {
  auto found = std::ranges::find(events, event_name, &Event::name);
  return found == events.end() ? nullptr : &*found;
}

std::string Recording::program() const {
  std::optional<size_t> column = column_named(columns, kObject);
  if (!column || command.empty()) return {};
  std::string file = command.front().substr(command.front().rfind('/') + 1);
  bool has_rows = std::ranges::any_of(events, [&](const Event& each) {
    return std::ranges::any_of(each.rows, [&](const auto& row) { return row.first[*column] == file; });
  });
  return has_rows ? file : std::string();
}

std::optional<size_t> Recording::function_column() const { return column_named(columns, kFunction); }

const std::string& Recording::plain_name(const std::string& function) const {
  auto origin = origins.find(function);
  return origin == origins.end() || origin->second.name.empty() ? function : origin->second.name;
}

void Recording::rename_rows(const std::function<Names(const Names&)>& new_name) {
  auto add = [](RowCount& sum, const RowCount& count) {
    sum.samples += count.samples;
    sum.weight += count.weight;
  };
  for (Event& each : events) {
    std::map<Names, RowCount> rows;
    for (const auto& [names, count] : each.rows) add(rows[new_name(names)], count);
    each.rows = std::move(rows);
    std::map<InlinedPart, RowCount> inlined;
    for (const auto& [part, count] : each.inlined) add(inlined[{new_name(part.row), part.functions}], count);
    each.inlined = std::move(inlined);
  }
}

void Recording::rename_object(const std::string& from, const std::string& to) {
  std::optional<size_t> column = column_named(columns, kObject);
  if (!column) return;
  rename_rows([&](const Names& names) {
    Names renamed = names;
    if (renamed[*column] == from) renamed[*column] = to;
    return renamed;
  });
}

}  // namespace hm::diff
