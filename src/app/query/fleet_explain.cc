// SPDX-License-Identifier: MIT
#include "app/query/fleet_explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "app/query/fleet_names.h"

namespace hm::query {
namespace {

using CellRows = std::vector<std::vector<std::string>>;
using PartsByRow = std::map<std::vector<std::string>, store::PartSums>;

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

// Returns the wanted events of the service, each with event, source and unit as keys.
Result<std::vector<store::Group>> wanted_events(store::Store& store, const FleetExplainOptions& options) {
  Result<std::vector<store::Group>> all =
      sum_totals(store, options.selection, {store::Key::kEvent, store::Key::kSource, store::Key::kUnit}, 0);
  if (!all) return all;
  if (all->empty())
    return make_error(ErrorCode::kNotFound, "the store has no measurement of this service, host and time");
  std::vector<std::string> measured;
  for (const store::Group& each : *all) {
    if (!contains(measured, each.keys[0])) measured.push_back(each.keys[0]);
  }
  for (const std::string& each : options.events) {
    if (!contains(measured, each))
      return make_error(ErrorCode::kNotFound, "'{}' was not measured for this service, but {}", each,
                        fmt::join(measured, ", "));
  }
  std::vector<std::string> wanted = options.events;
  const auto is_load = [](const std::string& event) { return event == "instr_retired" || event == "clock"; };
  if (wanted.empty()) std::ranges::remove_copy_if(measured, std::back_inserter(wanted), is_load);
  if (wanted.empty()) wanted = {contains(measured, "clock") ? "clock" : measured.front()};
  std::erase_if(*all, [&](const store::Group& each) { return !contains(wanted, each.keys[0]); });
  std::ranges::stable_sort(*all, std::greater(), &store::Group::samples);
  return all;
}

// Queries all rows if there are too many to list individually.
Result<PartsByRow> parts_of(store::Store& store, const store::Selection& selection, store::Key part,
                            const std::vector<std::string>& values, const CellRows& rows) {
  constexpr size_t kMaxTold = 100;
  PartsByRow parts;
  if (values.empty() || rows.empty()) return parts;
  Result<std::vector<store::PartSums>> sums = sum_parts(store, selection, fleet::kPlaceKeys, part, values,
                                                        rows.size() > kMaxTold ? CellRows() : rows);
  if (!sums) return sums.error();
  for (store::PartSums& each : *sums) {
    std::vector<std::string> keys = each.keys;
    parts.emplace(std::move(keys), std::move(each));
  }
  return parts;
}

// Returns the names of the objects that these rows access most.
Result<std::vector<std::string>> objects_of(store::Store& store, const store::Selection& selection,
                                            const CellRows& rows) {
  constexpr size_t kLookedAt = 1000, kMost = 30;
  std::vector<store::Key> keys = fleet::kPlaceKeys;
  keys.push_back(store::Key::kObject);
  Result<std::vector<store::Group>> groups = sum_places(store, selection, keys, kLookedAt);
  if (!groups) return groups.error();
  std::vector<std::string> objects;
  for (store::Group& each : *groups) {
    std::string object = std::move(each.keys.back());
    each.keys.pop_back();
    bool is_asked_for = std::ranges::find(rows, each.keys) != rows.end();
    if (is_asked_for && !object.empty() && !contains(objects, object)) objects.push_back(object);
    if (objects.size() == kMost) break;
  }
  return objects;
}

struct Parts {
  PartsByRow classes, objects;
  std::vector<std::string> object_names;
};

Result<Parts> find_parts(store::Store& store, const store::Selection& selection, bool has_classes,
                         const CellRows& rows) {
  Parts parts;
  if (has_classes) {
    Result<PartsByRow> classes = parts_of(store, selection, store::Key::kClass, fleet::class_names(), rows);
    if (!classes) return classes.error();
    parts.classes = *std::move(classes);
  }
  Result<std::vector<std::string>> names = objects_of(store, selection, rows);
  if (!names) return names.error();
  Result<PartsByRow> objects = parts_of(store, selection, store::Key::kObject, *names, rows);
  if (!objects) return objects.error();
  parts.objects = *std::move(objects);
  parts.object_names = *std::move(names);
  return parts;
}

void describe(fleet::CausePlace& place, const std::vector<std::string>& keys, const Parts& parts,
              const std::string& event) {
  constexpr size_t kObjects = 3;
  if (auto found = parts.classes.find(keys); found != parts.classes.end()) {
    place.classes = fleet::shares_of(found->second, fleet::class_names(), fleet::class_names().size());
    place.unclassified = place.samples - std::min(place.samples, found->second.known.samples);
  }
  if (auto found = parts.objects.find(keys); found != parts.objects.end())
    place.objects = fleet::shares_of(found->second, parts.object_names, kObjects);
  place.advice = fleet::advice_on(event, place);
}

Result<fleet::ServiceCauses> explain_event(store::Store& store, store::Selection selection,
                                           const store::Group& whole, const FleetExplainOptions& options) {
  fleet::ServiceCauses causes;
  causes.event = whole.keys[0];
  causes.source = whole.keys[1];
  causes.unit = whole.keys[2];
  causes.has_classes = fleet::has_classes(causes.event);
  causes.samples = whole.samples;
  causes.batches = whole.batches;
  causes.count = whole.count;
  causes.rate = fleet::rate_of(whole, whole);
  selection.event = causes.event;
  selection.source = causes.source;
  Result<std::vector<store::Group>> groups = sum_places(store, selection, fleet::kPlaceKeys, options.limit);
  if (!groups) return groups.error();
  std::erase_if(*groups,
                [&](const store::Group& each) { return each.count < options.min_share * whole.count; });
  CellRows rows;
  for (const store::Group& each : *groups) rows.push_back(each.keys);
  Result<Parts> parts = find_parts(store, selection, causes.has_classes, rows);
  if (!parts) return parts.error();
  for (const store::Group& each : *groups) {
    causes.places.push_back(fleet::place_of(each, whole));
    describe(causes.places.back(), each.keys, *parts, causes.event);
  }
  return causes;
}

}  // namespace

Result<fleet::FleetCauses> fleet_explain(store::Store& store, const FleetExplainOptions& options) {
  if (options.selection.service.empty())
    return make_error(
        ErrorCode::kInvalidArgument,
        "causes are shown for one service: name it with --service; report --store lists the services");
  store::Selection selection = options.selection;
  Result<std::vector<store::Group>> events = wanted_events(store, options);
  if (!events) return events.error();
  fleet::FleetCauses causes{.service = selection.service, .events = {}, .naming = {}};
  Result<std::optional<fleet::Naming>> naming =
      find_names(store, options.names, fleet::kPlaceKeys, {&selection, 1});
  if (!naming) return naming.error();
  causes.naming = *std::move(naming);
  for (const store::Group& each : *events) {
    Result<fleet::ServiceCauses> of_event = explain_event(store, selection, each, options);
    if (!of_event) return of_event.error();
    causes.events.push_back(*std::move(of_event));
  }
  return causes;
}

}  // namespace hm::query
