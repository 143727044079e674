// SPDX-License-Identifier: MIT
#include "app/query/fleet.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/take_until.h"

namespace hm::query {
namespace {

using store::Key;

// What makes a row, and which of the store's keys that is. What is not named goes by where it is.
struct FleetKey {
  std::string_view name;
  std::vector<Key> keys;
};
const std::array<FleetKey, 7> kFleetKeys{{{"function", {Key::kFunction, Key::kModule}},
                                          {"line", {Key::kFile, Key::kLine, Key::kFunction, Key::kModule}},
                                          {"module", {Key::kModule}},
                                          {"host", {Key::kHost}},
                                          {"release", {Key::kRelease}},
                                          {"class", {Key::kClass}},
                                          {"object", {Key::kObject}}}};

std::string_view title_of(Key key) {
  switch (key) {
    case Key::kFile:
      return "file";
    case Key::kLine:
      return "line";
    case Key::kFunction:
      return "function";
    case Key::kModule:
      return "module";
    case Key::kHost:
      return "host";
    case Key::kRelease:
      return "release";
    case Key::kClass:
      return "class";
    case Key::kObject:
      return "object";
    default:
      return "";
  }
}

Result<std::vector<Key>> keys_of(std::string_view sort) {
  std::vector<Key> keys;
  while (!sort.empty()) {
    std::string_view name = take_until(sort, ',');
    const auto* found = std::ranges::find(kFleetKeys, name, &FleetKey::name);
    if (found == kFleetKeys.end())
      return make_error(
          ErrorCode::kInvalidArgument,
          "rows of a store are by function, line, module, host, release, class or object, not by '{}'", name);
    for (Key key : found->keys) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  return keys;
}

// Which event of the selection, by whom it was measured and in which unit its load is: the one with the most
// samples.
struct Subject {
  std::string event, source, unit;
};
Result<Subject> find_subject(store::Store& store, const store::Selection& selection) {
  Result<std::vector<store::Group>> all =
      sum_totals(store, selection, {Key::kEvent, Key::kSource, Key::kUnit}, 0);
  if (!all) return all.error();
  if (all->empty())
    return make_error(ErrorCode::kNotFound, "the store has no measurement of this {}",
                      selection.service.empty() ? "selection" : "service, host and time");
  const store::Group& most = *std::ranges::max_element(*all, {}, &store::Group::samples);
  return Subject{most.keys[0], most.keys[1], most.keys[2]};
}

Result<store::Group> whole_of(store::Store& store, const store::Selection& selection) {
  Result<std::vector<store::Group>> totals = sum_totals(store, selection, {}, 0);
  if (!totals) return totals.error();
  return totals->empty() ? store::Group() : totals->front();
}

}  // namespace

Result<fleet::Table> fleet_report(store::Store& store, const FleetOptions& options) {
  store::Selection selection = options.selection;
  Result<std::vector<Key>> keys = keys_of(options.sort);
  if (!keys) return keys.error();
  Result<Subject> subject = find_subject(store, selection);
  if (!subject) return subject.error();
  selection.event = subject->event;
  selection.source = subject->source;
  Result<store::Group> whole = whole_of(store, selection);
  if (!whole) return whole.error();
  bool of_services = selection.service.empty();
  Result<std::vector<store::Group>> parts = of_services
                                                ? sum_totals(store, selection, {Key::kService}, options.limit)
                                                : sum_places(store, selection, *keys, options.limit);
  if (!parts) return parts.error();
  fleet::Table table;
  if (of_services) table.keys = {"service"};
  for (Key key : of_services ? std::vector<Key>() : *keys) table.keys.emplace_back(title_of(key));
  table.event = subject->event;
  table.source = subject->source;
  table.unit = subject->unit;
  table.samples = whole->samples;
  table.batches = whole->batches;
  table.count = whole->count;
  table.load = whole->load;
  table.rows = fleet::rank(*parts, *whole, of_services);
  return table;
}

Result<fleet::Comparison> fleet_diff(store::Store& store, const FleetOptions& options,
                                     const std::string& before, const std::string& after) {
  if (options.selection.service.empty())
    return make_error(ErrorCode::kInvalidArgument, "builds are compared of one service: name it (--service)");
  Result<std::vector<Key>> keys = keys_of(options.sort);
  if (!keys) return keys.error();
  store::Selection selection = options.selection;
  selection.release.clear();
  Result<Subject> subject = find_subject(store, selection);
  if (!subject) return subject.error();
  selection.event = subject->event;
  selection.source = subject->source;
  std::vector<store::Group> parts[2];
  store::Group wholes[2];
  for (int side = 0; side < 2; ++side) {
    selection.release = side == 0 ? before : after;
    Result<store::Group> whole = whole_of(store, selection);
    if (!whole) return whole.error();
    Result<std::vector<store::Group>> rows = sum_places(store, selection, *keys, 0);
    if (!rows) return rows.error();
    wholes[side] = *whole;
    parts[side] = *std::move(rows);
  }
  Result<fleet::Comparison> comparison = fleet::compare(parts[0], wholes[0], parts[1], wholes[1]);
  if (!comparison) return comparison.error();
  for (Key key : *keys) comparison->keys.emplace_back(title_of(key));
  comparison->event = subject->event;
  comparison->unit = subject->unit;
  if (options.limit != 0 && comparison->rows.size() > options.limit) comparison->rows.resize(options.limit);
  return comparison;
}

}  // namespace hm::query
