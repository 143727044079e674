// SPDX-License-Identifier: MIT
#include "app/query/top_query.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/query/load.h"

namespace hm::query {
namespace {

Seen seen_in(const profile::Profile& profile) {
  Seen seen{0, profile.origin().measured_ns};
  for (size_t i = 0; i < profile.samples.size(); ++i)
    seen.time_ns = std::max(seen.time_ns, profile.samples.time_ns.at(i).value_or(0));
  return seen;
}

Seen begin_of(const profile::Profile& profile) {
  uint64_t first = profile.samples.size() == 0 ? 0 : profile.samples.time_ns.at(0).value_or(0);
  return {first, 0};
}

hotspots::Recent recent_between(const Seen& since, const Seen& now) {
  uint64_t from = now.measured_ns ? since.measured_ns.value_or(0) : since.time_ns;
  uint64_t to = now.measured_ns.value_or(now.time_ns);
  uint64_t lasts_ns = to - std::min(from, to);
  return {since.time_ns, static_cast<double>(lasts_ns) * 1e-9};
}

// Adds the lines, and the hottest function of each.
Status add_lines(TopEvent& event, const profile::Profile& profile, const symbol::Resolver& resolver,
                 hotspots::Options options) {
  options.keys = {hotspots::SortKey::kLine};
  Result<hotspots::Hotspots> lines = hotspots::find_hotspots(profile, resolver, options);
  if (!lines) return lines.error();
  options.keys.push_back(hotspots::SortKey::kFunction);
  options.limit = 0;
  Result<hotspots::Hotspots> functions = hotspots::find_hotspots(profile, resolver, options);
  if (!functions) return functions.error();
  using PathAndLine = std::pair<std::string, std::string>;  // files in two folders may have one name
  std::map<PathAndLine, std::string> hottest;
  for (const hotspots::Row& row : functions->rows)
    hottest.try_emplace({row.line_path, row.keys[0]}, row.keys[1]);
  event.lines = *std::move(lines);
  for (const hotspots::Row& row : event.lines.rows)
    event.line_functions.push_back(hottest[{row.line_path, row.keys[0]}]);
  return {};
}

Result<TopEvent> event_of(const TopOptions& options, const Seen& now, cause::EventCauses causes,
                          const profile::Profile& profile, const symbol::Resolver& resolver) {
  hotspots::Options rows;
  rows.filter.events = {causes.name};
  rows.limit = options.rows;
  if (options.rates) rows.recent = recent_between(options.since.value_or(begin_of(profile)), now);
  Result<hotspots::Hotspots> functions = hotspots::find_hotspots(profile, resolver, rows);
  if (!functions) return functions.error();
  TopEvent event{*std::move(functions), {}, {}, {{std::move(causes)}, {}}};
  if (Status added = add_lines(event, profile, resolver, rows); !added) return added.error();
  return event;
}

}  // namespace

Result<TopView> top(const TopOptions& options, const symbol::Resolver& resolver) {
  Result<profile::Profile> loaded = load_profile(options.input, resolver, kCauses, {});
  if (!loaded) return loaded.error();
  auto profile = std::make_shared<const profile::Profile>(*std::move(loaded));
  cause::Options wanted;
  wanted.limit = options.places;
  Result<cause::Causes> causes = cause::find_causes(*profile, resolver, wanted);
  if (!causes) return causes.error();
  TopView view{totals::find_verdict(*profile), {}, seen_in(*profile), profile};
  for (cause::EventCauses& each : causes->events) {
    Result<TopEvent> event = event_of(options, view.seen, std::move(each), *profile, resolver);
    if (!event) return event.error();
    view.events.push_back(*std::move(event));
  }
  if (view.events.empty() && !view.verdict) return make_error(ErrorCode::kNotFound, "no samples yet");
  return view;
}

Result<annotate::Annotation> annotate_in(const TopView& view, const std::string& event,
                                         const std::string& function, const std::optional<std::string>& dso,
                                         const symbol::Resolver& resolver) {
  annotate::Options options;
  options.filter.events = {event};
  options.filter.function = function;
  options.filter.dso = dso;
  return annotate::annotate(*view.profile, resolver, options);
}

}  // namespace hm::query
