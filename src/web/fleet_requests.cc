// SPDX-License-Identifier: MIT
#include "web/fleet_requests.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "app/query/fleet_query.h"
#include "view/json/fleet_json.h"

namespace hm::web {
namespace {

constexpr int kMaxAsking = 6;  // number of the server's 8 threads that may use or await the store
constexpr uint64_t kMaxFleetRows = 10'000, kMaxBuckets = 1000, kMaxSeconds = UINT32_MAX;

store::Selection selection_of(Parameters& parameters) {
  store::Selection selection;
  if (parameters.text("from_s")) selection.from_s = parameters.number("from_s", 0, kMaxSeconds);
  if (parameters.text("to_s")) selection.to_s = parameters.number("to_s", 0, kMaxSeconds);
  selection.host = parameters.text("host", "");
  selection.service = parameters.text("service", "");
  selection.event = parameters.text("event", "");
  selection.release = parameters.text("release", "");
  return selection;
}

store::Selection place_of(Parameters& parameters) {
  store::Selection selection = selection_of(parameters);
  selection.module = parameters.text("module", "");
  selection.function = parameters.text("function", "");
  selection.file = parameters.text("file", "");
  if (parameters.text("line")) selection.line = parameters.number("line", 0, UINT32_MAX);
  return selection;
}

using Found = Result<std::string>;

Found choices_of(store::Store& store, Parameters& parameters) {
  store::Selection selection = selection_of(parameters);
  if (Status right = parameters.check(); !right) return right.error();
  Result<fleet::Choices> choices = query::fleet_choices(store, selection);
  if (!choices) return choices.error();
  return json::fleet_choices_json(*choices);
}

Found rows_of(store::Store& store, Parameters& parameters) {
  query::FleetOptions options;
  options.selection = place_of(parameters);
  options.sort = parameters.text("sort", options.sort);
  options.limit = parameters.number("limit", 200, kMaxFleetRows);
  if (Status right = parameters.check(); !right) return right.error();
  Result<fleet::Table> table = query::fleet_report(store, options);
  if (!table) return table.error();
  return json::fleet_json(*table);
}

Found over_time_of(store::Store& store, Parameters& parameters) {
  store::Selection selection = place_of(parameters);
  uint64_t most = parameters.number("buckets", 200, kMaxBuckets);
  if (Status right = parameters.check(); !right) return right.error();
  Result<fleet::OverTime> found = query::fleet_over_time(store, selection, most);
  if (!found) return found.error();
  return json::fleet_over_time_json(*found);
}

Found comparison_of(store::Store& store, Parameters& parameters) {
  query::FleetOptions options;
  options.selection = selection_of(parameters);
  options.sort = parameters.text("sort", options.sort);
  options.limit = parameters.number("limit", 200, kMaxFleetRows);
  std::optional<std::string> before = parameters.text("before"), after = parameters.text("after");
  if (Status right = parameters.check(); !right) return right.error();
  if (!before || !after)
    return make_error(ErrorCode::kInvalidArgument, "the parameters before and after are missing");
  Result<fleet::Comparison> comparison = query::fleet_diff(store, options, *before, *after);
  if (!comparison) return comparison.error();
  return json::fleet_comparison_json(*comparison);
}

using FleetQuestion = Found (*)(store::Store& store, Parameters& parameters);
constexpr std::pair<std::string_view, FleetQuestion> kFleetQuestions[] = {{"fleet", choices_of},
                                                                          {"fleet_rows", rows_of},
                                                                          {"fleet_over_time", over_time_of},
                                                                          {"fleet_diff", comparison_of}};

}  // namespace

Result<std::string> Fleet::answer(std::string_view path, Parameters& parameters) {
  const auto* question =
      std::ranges::find(kFleetQuestions, path, [](const auto& each) { return each.first; });
  if (question == std::end(kFleetQuestions))
    return make_error(ErrorCode::kNotFound, "/api/{} does not exist for a store", path);
  struct Asking {
    explicit Asking(std::atomic<int>& all) : count(all), place(++all) {}
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    ~Asking() { --count; }
    std::atomic<int>& count;
    int place;
  } asking(asking_);
  if (asking.place > kMaxAsking)
    return make_error(ErrorCode::kIo, "the store is slow, and {} requests wait for it: try again later",
                      kMaxAsking);
  MutexLock guard(mutex_);
  return question->second(*store_, parameters);
}

}  // namespace hm::web
