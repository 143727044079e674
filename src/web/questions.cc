// SPDX-License-Identifier: MIT
#include "web/questions.h"

#include <algorithm>
#include <array>

#include "analysis/annotate/annotation.h"
#include "analysis/cause/cause.h"
#include "analysis/flame/flame.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/occupancy/occupancy_over_time.h"
#include "analysis/sizes/size_curves.h"
#include "analysis/totals/totals.h"
#include "app/query/map_query.h"
#include "app/query/timeline_query.h"
#include "view/json/annotation_json.h"
#include "view/json/causes_json.h"
#include "view/json/flame_json.h"
#include "view/json/hotspots_json.h"
#include "view/json/map_json.h"
#include "view/json/occupancy_over_time_json.h"
#include "view/json/sizes_json.h"
#include "view/json/timeline_json.h"
#include "view/json/totals_json.h"

namespace hm::web {
namespace {

using Found = Result<std::string>;

constexpr uint64_t kMaxRows = 1'000'000;
// Limits for drawings: more than any screen has. Each cell is a number in the answer.
constexpr uint64_t kMaxColumns = 10'000;
constexpr size_t kMaxCells = size_t{1} << 20;

profile::FilterOptions filter_of(Parameters& parameters) {
  profile::FilterOptions filter;
  filter.events = parameters.list("event");
  filter.comm = parameters.text("comm");
  filter.pid = parameters.id("pid");
  filter.tid = parameters.id("tid");
  filter.cgroup = parameters.text("cgroup");
  filter.dso = parameters.text("dso");
  filter.function = parameters.text("function");
  return filter;
}

bool needs_data(const std::vector<hotspots::SortKey>& keys) {
  return std::ranges::any_of(keys, [](hotspots::SortKey key) {
    return hotspots::is_of_data(key) || hotspots::is_of_data_source(key) || key == hotspots::SortKey::kSite;
  });
}

Found totals_of(Recording& recording, Parameters& parameters) {
  if (Status right = parameters.check(); !right) return right.error();
  Result<Part::Use> use = recording.code().use();
  if (!use) return use.error();
  return json::totals_json(use->profile, totals::find_totals(use->profile));
}

Found hotspots_of(Recording& recording, Parameters& parameters) {
  hotspots::Options options;
  options.filter = filter_of(parameters);
  options.limit = parameters.number("limit", 200, kMaxRows);
  options.callers = parameters.flag("callers");
  options.inclusive = true;
  Result<std::vector<hotspots::SortKey>> keys =
      hotspots::parse_sort_keys(parameters.text("sort", "function"));
  if (Status right = parameters.check(); !right) return right.error();
  if (!keys) return keys.error();
  options.keys = *std::move(keys);
  Part& part = needs_data(options.keys) ? recording.data() : recording.code();
  Result<Part::Use> use = part.use();
  if (!use) return use.error();
  Result<hotspots::Hotspots> found = hotspots::find_hotspots(use->profile, part.resolver(), options);
  if (!found) return found.error();
  return json::hotspots_json(use->profile, *found);
}

Found causes_of(Recording& recording, Parameters& parameters) {
  constexpr uint64_t kUsualPlaces = 20;
  cause::Options options;
  options.filter = filter_of(parameters);
  options.limit = parameters.number("limit", kUsualPlaces, kMaxRows);
  options.min_share = parameters.percent("min_share", 1) / 100;
  if (Status right = parameters.check(); !right) return right.error();
  Part& part = recording.data();
  Result<Part::Use> use = part.use();
  if (!use) return use.error();
  Result<cause::Causes> found = cause::find_causes(use->profile, part.resolver(), options);
  if (!found) return found.error();
  return json::causes_json(use->profile, *found, occupancy::held_over_time(use->profile, 0));
}

constexpr uint32_t kContextLines = 6;  // lines of source around a line

Found annotation_of(Recording& recording, Parameters& parameters) {
  annotate::Options options;
  options.filter = filter_of(parameters);
  options.context = kContextLines;
  if (Status right = parameters.check(); !right) return right.error();
  if (!options.filter.function) return make_error(ErrorCode::kInvalidArgument, "annotate needs a function");
  Part& part = recording.code();
  Result<Part::Use> use = part.use();
  if (!use) return use.error();
  Result<annotate::Annotation> found = annotate::annotate(use->profile, part.resolver(), options);
  if (!found) return found.error();
  return json::annotation_json(use->profile, *found);
}

Found flame_of(Recording& recording, Parameters& parameters) {
  flame::Options options;
  options.filter = filter_of(parameters);
  options.inverted = parameters.flag("inverted");
  options.processes = parameters.flag("processes");
  options.limit = parameters.number("limit", options.limit, kMaxRows);
  if (Status right = parameters.check(); !right) return right.error();
  Part& part = recording.code();
  Result<Part::Use> use = part.use();
  if (!use) return use.error();
  Result<flame::Flame> found = flame::find_flame(use->profile, part.resolver(), options);
  if (!found) return found.error();
  return json::flame_json(*found);
}

Found timeline_of(Recording& recording, Parameters& parameters) {
  constexpr uint64_t kUsualColumns = 400, kUsualLanes = 64;
  timeline::Window window;
  std::optional<timeline::By> by = timeline::by_named(parameters.text("by", "thread"));
  std::optional<timeline::Way> way = timeline::way_named(parameters.text("way", "mix"));
  window.from_ns = parameters.number("from_ns", 0);
  window.to_ns = parameters.number("to_ns", UINT64_MAX);
  window.columns = parameters.number("columns", kUsualColumns, kMaxColumns);
  window.functions = parameters.number("functions", 24, kMaxRows);
  window.lanes = parameters.number("lanes", kUsualLanes, kMaxRows);
  window.samples = parameters.number("samples", 0, kMaxRows);
  window.max_cells = kMaxCells;
  std::string event = parameters.text("event", "");
  if (Status right = parameters.check(); !right) return right.error();
  if (!by || !way)
    return make_error(
        ErrorCode::kInvalidArgument,
        "unknown value for `by` or `way`: `by` is thread, process or cpu; `way` is none, even, share, ratio, dwell, mix or cycles");
  window.by = *by;
  Part& part = recording.code();
  Result<Part::Use> use = part.use();
  if (!use) return use.error();
  Result<const timeline::History*> history = part.history(event, *way);
  if (!history) return history.error();
  Result<query::ShownWindow> shown = query::show_window(**history, use->profile, window);
  if (!shown) return shown.error();
  return json::timeline_json(use->profile, shown->timeline, shown->episodes, shown->over_time);
}

Found occupancy_of(Recording& recording, Parameters& parameters) {
  uint64_t cells = parameters.number("cells", 200, kMaxColumns);
  if (Status right = parameters.check(); !right) return right.error();
  Result<Part::Use> use = recording.code().use();
  if (!use) return use.error();
  std::optional<occupancy::OverTime> over_time = occupancy::held_over_time(use->profile, cells);
  if (!over_time)
    return make_error(ErrorCode::kNotFound,
                      "the recording has no occupancy of the last-level cache: record with --llc");
  return json::occupancy_over_time_json(*over_time);
}

Found map_of(Recording& recording, Parameters& parameters) {
  query::MapOptions options;
  options.cache.level = parameters.text("level", options.cache.level);
  options.cache.cache = parameters.text("cache", options.cache.cache);
  options.page = parameters.text("page", options.page);
  options.sets = parameters.flag("sets");
  options.map.max_cells = kMaxCells;
  options.map.columns = parameters.number("columns", options.map.columns, kMaxColumns);
  options.map.limit = parameters.number("limit", options.map.limit, kMaxRows);
  options.map.filter = filter_of(parameters);
  if (Status right = parameters.check(); !right) return right.error();
  Result<Part::Use> use = recording.data().use();
  if (!use) return use.error();
  Result<map::Map> map = query::map_of(use->profile, options, &recording.data().resolver());
  if (!map) return map.error();
  return json::map_json(use->profile, *map);
}

Found sizes_of(Recording& recording, Parameters& parameters) {
  sizes::Options options;
  std::string by = parameters.text("by", "function");
  options.limit = parameters.number("limit", options.limit, kMaxRows);
  if (Status right = parameters.check(); !right) return right.error();
  std::optional<sizes::By> rows = sizes::by_named(by);
  if (!rows) return make_error(ErrorCode::kInvalidArgument, "unknown value for `by`: {}", by);
  options.by = *rows;
  Part& part = recording.data();
  Result<Part::Use> use = part.use();
  if (!use) return use.error();
  Result<sizes::Sizes> found = sizes::find_sizes(use->profile, part.resolver(), options);
  if (!found) return found.error();
  return json::sizes_json(use->profile, *found);
}

struct Named {
  std::string_view name;
  Question question;
};
constexpr std::array kQuestions{
    Named{"totals", totals_of},       Named{"hotspots", hotspots_of}, Named{"explain", causes_of},
    Named{"annotate", annotation_of}, Named{"flame", flame_of},       Named{"timeline", timeline_of},
    Named{"occupancy", occupancy_of}, Named{"map", map_of},           Named{"sizes", sizes_of},
};

}  // namespace

Question find_question(std::string_view name) {
  const auto* found = std::ranges::find(kQuestions, name, &Named::name);
  return found == kQuestions.end() ? nullptr : found->question;
}

}  // namespace hm::web
