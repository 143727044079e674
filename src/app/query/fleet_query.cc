// SPDX-License-Identifier: MIT
#include "app/query/fleet_query.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "app/query/fleet_names.h"
#include "base/take_until.h"

namespace hm::query {
namespace {

using store::Key;

// A sort key and the store's keys for it, which include the location for unnamed code.
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
    case Key::kService:
      return "service";
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
          "cannot sort rows of a store by '{}': use function, line, module, host, release, class or object",
          name);
    for (Key key : found->keys) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  return keys;
}

// Returns the events by event, source and unit; the first one is the default. Retired instructions come last,
// because they only serve as a load. For a service, events relative to instructions come before events
// relative to CPU time.
Result<std::vector<store::Group>> events_by_interest(store::Store& store, const store::Selection& selection) {
  Result<std::vector<store::Group>> all =
      sum_totals(store, selection, {Key::kEvent, Key::kSource, Key::kUnit}, 0);
  if (!all) return all;
  const auto rank = [&](const store::Group& group) {
    bool is_vague = !selection.service.empty() && group.keys[2] != "instructions";
    return std::tuple(group.keys[0] != "instr_retired", !is_vague, group.samples);
  };
  std::ranges::stable_sort(*all, std::greater(), rank);
  return all;
}

// The event of the selection, its source, and the unit of its load.
struct Subject {
  std::string event, source, unit;
};
Result<Subject> find_subject(store::Store& store, const store::Selection& selection) {
  Result<std::vector<store::Group>> all = events_by_interest(store, selection);
  if (!all) return all.error();
  if (all->empty())
    return make_error(ErrorCode::kNotFound, "the store has no measurement of this {}",
                      selection.service.empty() ? "selection" : "service, host and time");
  const std::vector<std::string>& first = all->front().keys;
  return Subject{first[0], first[1], first[2]};
}

Result<store::Group> whole_of(store::Store& store, const store::Selection& selection) {
  Result<std::vector<store::Group>> totals = sum_totals(store, selection, {}, 0);
  if (!totals) return totals.error();
  if (totals->empty()) return store::Group();
  store::Group whole = totals->front();
  if (Status found = find_times(store, selection, whole); !found) return found.error();
  return whole;
}

// Restricts the selection to the default or selected event and its source.
Result<Subject> choose_subject(store::Store& store, store::Selection& selection) {
  Result<Subject> subject = find_subject(store, selection);
  if (!subject) return subject;
  selection.event = subject->event;
  selection.source = subject->source;
  return subject;
}

bool has_place(const store::Selection& selection) {
  return selection.line || !(selection.build_id.empty() && selection.module.empty() &&
                             selection.function.empty() && selection.file.empty());
}

// Returns rows, each with a rate relative to the load of its own group.
Result<std::vector<fleet::Row>> ranked_rows(store::Store& store, const store::Selection& selection,
                                            const std::vector<Key>& keys, const store::Group& whole,
                                            size_t limit) {
  std::vector<Key> series;
  std::vector<size_t> places_of_series;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (store::is_of_place(keys[i])) continue;
    series.push_back(keys[i]);
    places_of_series.push_back(i);
  }
  bool are_totals = series.size() == keys.size() && !has_place(selection);
  Result<std::vector<store::Group>> parts =
      are_totals ? sum_totals(store, selection, keys, limit) : sum_places(store, selection, keys, limit);
  if (!parts) return parts.error();
  if (parts->empty() && whole.batches != 0 && !has_place(selection))
    return make_error(
        ErrorCode::kNotFound,
        "{} is stored for services, not for locations in them: use --sort host, or omit --service",
        selection.event);
  if (are_totals) return fleet::rank(*parts, whole, places_of_series, *parts);
  Result<std::vector<store::Group>> loads = std::vector<store::Group>();
  if (!series.empty()) loads = sum_totals(store, selection, series, 0);
  if (!loads) return loads.error();
  return fleet::rank(*parts, whole, places_of_series, *loads);
}

}  // namespace

Result<fleet::Table> fleet_report(store::Store& store, const FleetOptions& options) {
  store::Selection selection = options.selection;
  Result<std::vector<Key>> keys =
      selection.service.empty() ? std::vector<Key>{Key::kService} : keys_of(options.sort);
  if (!keys) return keys.error();
  Result<Subject> subject = choose_subject(store, selection);
  if (!subject) return subject.error();
  Result<store::Group> whole = whole_of(store, selection);
  if (!whole) return whole.error();
  Result<std::optional<fleet::Naming>> naming =
      find_names(store, selection.service.empty() ? nullptr : options.names, *keys, {&selection, 1});
  if (!naming) return naming.error();
  Result<std::vector<fleet::Row>> rows = ranked_rows(store, selection, *keys, *whole, options.limit);
  if (!rows) return rows.error();
  fleet::Table table;
  for (Key key : *keys) table.keys.emplace_back(title_of(key));
  table.event = subject->event;
  table.source = subject->source;
  table.unit = subject->unit;
  table.samples = whole->samples;
  table.batches = whole->batches;
  table.count = whole->count;
  table.load = whole->load;
  table.first_s = whole->first_s;
  table.last_s = whole->last_s;
  table.rows = *std::move(rows);
  table.naming = *std::move(naming);
  return table;
}

Result<fleet::Comparison> fleet_diff(store::Store& store, const FleetOptions& options,
                                     const std::string& before, const std::string& after) {
  if (options.selection.service.empty())
    return make_error(ErrorCode::kInvalidArgument,
                      "only builds of one service can be compared: name it with --service");
  Result<std::vector<Key>> keys = keys_of(options.sort);
  if (!keys) return keys.error();
  store::Selection selection = options.selection;
  selection.release.clear();
  Result<Subject> subject = choose_subject(store, selection);
  if (!subject) return subject.error();
  store::Selection sides[2] = {selection, selection};
  sides[0].release = before;
  sides[1].release = after;
  Result<std::optional<fleet::Naming>> naming = find_names(store, options.names, *keys, sides);
  if (!naming) return naming.error();
  std::vector<store::Group> parts[2];
  store::Group wholes[2];
  for (int side = 0; side < 2; ++side) {
    Result<store::Group> whole = whole_of(store, sides[side]);
    if (!whole) return whole.error();
    Result<std::vector<store::Group>> rows = sum_places(store, sides[side], *keys, 0);
    if (!rows) return rows.error();
    wholes[side] = *whole;
    parts[side] = *std::move(rows);
  }
  Result<fleet::Comparison> comparison = fleet::compare(parts[0], wholes[0], parts[1], wholes[1]);
  if (!comparison) return comparison.error();
  for (Key key : *keys) comparison->keys.emplace_back(title_of(key));
  comparison->event = subject->event;
  comparison->unit = subject->unit;
  comparison->naming = *std::move(naming);
  if (options.limit != 0 && comparison->rows.size() > options.limit) comparison->rows.resize(options.limit);
  return comparison;
}

Result<fleet::OverTime> fleet_over_time(store::Store& store, const store::Selection& asked, uint64_t most) {
  store::Selection selection = asked;
  Result<Subject> subject = choose_subject(store, selection);
  if (!subject) return subject.error();
  Result<store::Group> whole = whole_of(store, selection);
  if (!whole) return whole.error();
  fleet::OverTime found;
  found.event = subject->event;
  found.source = subject->source;
  found.unit = subject->unit;
  // Clip to the measured time, in place of an open range from 1970.
  found.begin_s = std::max(selection.from_s.value_or(0), whole->first_s);
  found.end_s = std::min(selection.to_s.value_or(UINT64_MAX), whole->last_s + 1);
  found.bucket_s = fleet::bucket_length(found.begin_s, found.end_s, whole->batches, most);
  Result<std::vector<store::Bucket>> wholes = sum_totals_over_time(store, selection, found.bucket_s);
  if (!wholes) return wholes.error();
  Result<std::vector<store::Bucket>> parts =
      has_place(selection) ? sum_places_over_time(store, selection, found.bucket_s) : wholes;
  if (!parts) return parts.error();
  store::Group part = *whole;
  if (has_place(selection)) {
    Result<std::vector<store::Group>> sums = sum_places(store, selection, {}, 0);
    if (!sums) return sums.error();
    part = sums->empty() ? store::Group() : sums->front();
  }
  found.samples = part.samples;
  found.batches = whole->batches;
  found.moments = fleet::moments_of(*parts, *wholes);
  if (part.count == whole->load && !has_place(selection)) {  // the clock event
    for (fleet::Moment& each : found.moments) each.rate.reset();
    return found;
  }
  found.rate = fleet::rate_of(part, *whole);
  found.step = fleet::find_step(*parts, *wholes);
  found.can_detect_steps = whole->batches >= 2 * fleet::kMinBatches;
  return found;
}

Result<fleet::Choices> fleet_choices(store::Store& store, const store::Selection& asked) {
  fleet::Choices choices;
  store::Selection selection = asked;
  selection.event.clear();
  const auto sums = [&](const std::vector<Key>& keys, std::vector<store::Group>& into) -> Status {
    Result<std::vector<store::Group>> found = sum_totals(store, selection, keys, 0);
    if (!found) return found.error();
    into = *std::move(found);
    std::ranges::stable_sort(into, std::greater(), &store::Group::samples);
    return {};
  };
  Result<std::vector<store::Group>> events = events_by_interest(store, selection);
  if (!events) return events.error();
  choices.events = *std::move(events);
  if (choices.events.empty()) return choices;
  choices.event = asked.event.empty() ? choices.events.front().keys.front() : asked.event;
  selection.event = choices.event;
  // A selected service or host must not narrow the list of selectable services or hosts.
  selection.service.clear();
  if (Status done = sums({Key::kService}, choices.services); !done) return done.error();
  selection.service = asked.service;
  selection.host.clear();
  if (Status done = sums({Key::kHost}, choices.hosts); !done) return done.error();
  selection.host = asked.host;
  selection.release.clear();
  if (!asked.service.empty()) {
    if (Status done = sums({Key::kRelease}, choices.releases); !done) return done.error();
  }
  Result<store::Group> whole = whole_of(store, asked);
  if (!whole) return whole.error();
  choices.batches = whole->batches;
  choices.first_s = whole->first_s;
  choices.last_s = whole->last_s;
  return choices;
}

}  // namespace hm::query
