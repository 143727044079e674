// SPDX-License-Identifier: MIT
#include "view/json/timeline_json.h"

#include "view/json/occupancy_over_time_json.h"

#include <cmath>

#include "view/json/recording_json.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

uint64_t whole(double ns) { return static_cast<uint64_t>(std::llround(ns)); }

Json lane_json(const timeline::Lane& lane) {
  Json bins = Json::array();
  for (const timeline::Bin& bin : lane.bins) {
    Json times = Json::array();
    for (float ns : bin.ns) times.push_back(whole(ns));
    bins.push_back(bin.ns.empty() ? Json() : std::move(times));
  }
  Json counts = Json::array();
  for (const std::vector<double>& each : lane.counts) counts.push_back(each);
  return {{"name", lane.name},
          {"pid", or_null(lane.pid)},
          {"program", lane.pid ? Json(lane.program) : Json()},
          {"samples", lane.samples},
          {"ran", whole(lane.ns)},
          {"idle", lane.idle_ns ? Json(whole(*lane.idle_ns)) : Json()},
          {"bins", std::move(bins)},
          {"counts", std::move(counts)}};
}

Json rate_json(const timeline::Rate& rate) {
  const auto value = [](const std::optional<double>& per_billion) {
    return per_billion ? Json(std::round(*per_billion * 1000) / 1000) : Json();
  };
  Json per_billion = Json::array(), gaps = Json::array();
  for (const std::optional<double>& each : rate.per_billion) per_billion.push_back(value(each));
  for (const timeline::TimeSpan& each : rate.gaps)
    gaps.push_back({{"begin_at", each.begin_ns}, {"end_at", each.end_ns}});
  return {{"event", rate.event},
          {"samples", rate.samples},
          {"events", rate.events},
          {"most_per_billion", value(rate.max_per_billion)},
          {"per_billion", std::move(per_billion)},
          {"gaps", std::move(gaps)}};
}

// Returns a share of the lane's time, or a rate of an event.
Json unusual_json(const timeline::Unusual& unusual) {
  if (unusual.is_event)
    return {{"event", unusual.name}, {"per_billion", unusual.during}, {"usual_per_billion", unusual.usual}};
  return {{"function", unusual.name},
          {"dso", unusual.dso},
          {"share", unusual.during},
          {"usual_share", unusual.usual}};
}

Json episode_json(const timeline::Episode& episode) {
  Json unusual = Json::array(), before = Json::array();
  for (const timeline::Unusual& each : episode.unusual) unusual.push_back(unusual_json(each));
  for (const timeline::RanBefore& each : episode.before)
    before.push_back({{"function", each.function}, {"share", each.share}});
  return {{"begin_at", episode.begin_ns}, {"end_at", episode.end_ns},    {"unusual", std::move(unusual)},
          {"lanes", episode.lanes},       {"before", std::move(before)}, {"chance", episode.chance}};
}

// Returns the kind of branches that was not recorded and was inferred; null if there is none.
Json inferred_branches(profile::RecordedHalf recorded) {
  switch (recorded) {
    case profile::RecordedHalf::kCalls:
      return "returns";
    case profile::RecordedHalf::kReturns:
      return "calls";
    default:
      return nullptr;
  }
}

Json moment_json(const timeline::Moment& moment) {
  Json branches = Json::array();
  for (const timeline::Moment::Left& left : moment.branches)
    branches.push_back({{"function", left.function}, {"new", left.is_new}});
  return {{"at", moment.time_ns},
          {"lane", moment.lane},
          {"function", moment.function},
          {"branches", std::move(branches)},
          {"ambiguous", moment.ambiguous}};
}

}  // namespace

std::string timeline_json(const profile::Profile& profile, const timeline::Timeline& timeline,
                          const std::vector<timeline::Episode>& episodes,
                          const std::optional<occupancy::OverTime>& over_time) {
  Json json{{"schema", kSchema},
            {"recording", recording_json(profile)},
            {"event", timeline.event},
            {"way", timeline::name_of(timeline.way)},
            {"by", timeline::name_of(timeline.by)},
            {"unit", unit_name(timeline.unit)},
            {"begin_at", timeline.begin_ns},
            {"end_at", timeline.end_ns},
            {"bin", timeline.bin_ns},
            {"counts_time", timeline.counts_time},
            {"interval", timeline.interval_ns},
            {"inferred", inferred_branches(timeline.recorded)},
            {"samples", timeline.points.points},
            {"branches", timeline.points.branches},
            {"new_branches", timeline.points.new_branches},
            {"ambiguous_samples", timeline.points.ambiguous},
            {"episodes", Json::array()},
            {"functions", Json::array()},
            {"others", whole(timeline.other_ns)},
            {"counts", Json::array()},
            {"rates", Json::array()},
            {"all_lanes", timeline.all_lanes},
            {"lanes", Json::array()},
            {"moments", Json::array()}};
  for (const timeline::Episode& each : episodes) json["episodes"].push_back(episode_json(each));
  for (const timeline::Function& each : timeline.functions)
    json["functions"].push_back({{"function", each.name}, {"dso", each.dso}, {"ran", whole(each.ns)}});
  for (const timeline::EventCount& each : timeline.counts)
    json["counts"].push_back({{"event", each.event}, {"all", each.all}, {"most_in_a_bin", each.most}});
  for (const timeline::Rate& rate : timeline.rates) json["rates"].push_back(rate_json(rate));
  for (const timeline::Lane& lane : timeline.lanes) json["lanes"].push_back(lane_json(lane));
  for (const timeline::Moment& moment : timeline.moments) json["moments"].push_back(moment_json(moment));
  if (over_time) json["last_level_cache"] = occupancy_over_time_value(*over_time);
  return indented_json(json);
}

}  // namespace hm::json
