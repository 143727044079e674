// SPDX-License-Identifier: MIT
#include "view/json/causes_json.h"

#include "view/json/advice_json.h"
#include "view/json/occupancy_over_time_json.h"

#include "view/json/callers_json.h"
#include "view/json/recording_json.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

Json classes_json(const cause::HotLocation& place) {
  Json classes = Json::object();
  for (const cause::ClassShare& each : place.classes) {
    classes[std::string(cause::name_of(each.miss_class))] = {{"samples", each.samples},
                                                             {"share", to_json(std::optional(each.share))}};
  }
  return classes;
}

Json levels_json(const cause::HotLocation& place) {
  Json levels = Json::object();
  for (const cause::LevelShare& each : place.levels)
    levels[each.level] = {{"samples", each.samples}, {"share", to_json(std::optional(each.share))}};
  return levels;
}

Json objects_json(const cause::HotLocation& place) {
  Json objects = Json::array();
  for (const cause::ObjectShare& each : place.objects) {
    objects.push_back({{"object", each.object},
                       {"field", each.field.empty() ? Json() : Json(each.field)},
                       {"samples", each.samples},
                       {"share", to_json(std::optional(each.share))}});
  }
  return objects;
}

Json shared_line_json(const std::optional<cause::SharedLine>& line) {
  if (!line) return {};
  Json users = Json::array();
  for (const cause::LineUser& each : line->users) {
    users.push_back({{"thread", each.thread},
                     {"offset", each.offset},
                     {"bytes", each.bytes == 0 ? Json() : Json(each.bytes)},
                     {"object", each.object.empty() ? Json() : Json(each.object)},
                     {"field", each.field.empty() ? Json() : Json(each.field)},
                     {"writes", each.writes},
                     {"samples", each.samples},
                     {"events", each.events}});
  }
  return {{"address", line->address},
          {"samples", line->samples},
          {"events", line->events},
          {"users", std::move(users)}};
}

Json contested_json(const cause::ContestedLines& found) {
  Json lines = Json::array();
  for (const cause::ContestedLine& each : found.lines) {
    lines.push_back({{"line", shared_line_json(each.line)},
                     {"class", cause::name_of(each.sharing)},
                     {"accesses", each.accesses},
                     {"written", each.written},
                     {"most_handovers", each.max_handovers},
                     {"functions", each.functions}});
  }
  return {{"accesses_sampled", found.accesses_sampled}, {"all", found.all}, {"lines", std::move(lines)}};
}

Json estimate_json(const std::optional<cause::ClassEstimate>& estimate) {
  return estimate ? Json{{"class", cause::name_of(estimate->miss_class)}, {"why", estimate->why}} : Json();
}

Json order_json(const std::optional<cause::FieldOrder>& order) {
  if (!order) return {};
  Json members = Json::array();
  for (const cause::LaidOut& each : order->members)
    members.push_back({{"name", each.name}, {"offset", each.offset}, {"bytes", each.bytes}});
  return {{"together", order->together}, {"others", order->others}, {"not_met", order->not_met},
          {"type", order->type},         {"bytes", order->bytes},   {"members", std::move(members)}};
}

Json reuse_json(const std::optional<cause::Reuse>& reuse) {
  return reuse ? Json{{"lines", reuse->lines}, {"at_least", reuse->at_least}} : Json();
}

Json count_or_null(uint64_t count) { return count == 0 ? Json() : Json(count); }

Json place_json(const cause::HotLocation& place) {
  return {{"function", place.function},
          {"physical_function", place.physical_function},
          {"dso", place.dso},
          {"file", place.file.empty() ? Json() : Json(place.file)},
          {"line", place.line == 0 ? Json() : Json(place.line)},
          {"address", place.address},
          {"instruction", place.instruction.empty() ? Json() : Json(place.instruction)},
          {"samples", place.samples},
          {"estimated", or_null(place.estimated)},
          {"share", to_json(place.share)},
          {"classes", classes_json(place)},
          {"estimated_class", estimate_json(place.estimate)},
          {"unclassified", place.unclassified},
          {"aliases", to_json(place.aliases)},
          {"objects", objects_json(place)},
          {"shape", cause::name_of(place.walk.shape)},
          {"step_bytes", or_null(place.walk.step_bytes)},
          {"code_step_bytes", place.coverage ? Json(place.coverage->step_bytes) : Json()},
          {"line_bytes_used", place.coverage ? Json(place.coverage->used_bytes) : Json()},
          {"step_share", place.walk.step_share != 0 ? Json(place.walk.step_share) : Json()},
          {"access_bytes", or_null(place.access_bytes)},
          {"latency_cycles", to_json(place.latency)},
          {"wait_cycles", or_null(place.wait_cycles)},
          {"cycles_share", or_null(place.cycles_share)},
          {"waits_share", or_null(place.waits_share)},
          {"too_little", place.too_little ? Json(cause::name_of(*place.too_little)) : Json()},
          {"levels", levels_json(place)},
          {"lines", count_or_null(place.lines)},
          {"pages", count_or_null(place.pages)},
          {"reuse", reuse_json(place.reuse)},
          {"would_hit", {{"next_line", to_json(place.next_line)}, {"huge_pages", to_json(place.huge_pages)}}},
          {"by_kernel", to_json(place.by_kernel)},
          {"callers", callers_json(place.callers)},
          {"shared_line", shared_line_json(place.shared_line)},
          {"field_order", order_json(place.order)},
          {"advice", advice_json(place.advice)}};
}

}  // namespace

std::string causes_json(const profile::Profile& profile, const cause::Causes& result,
                        const std::optional<occupancy::OverTime>& over_time) {
  Json json{{"schema", kSchema}, {"recording", recording_json(profile)}, {"events", Json::array()}};
  for (const cause::EventCauses& event : result.events) {
    Json places = Json::array();
    for (const cause::HotLocation& place : event.places) places.push_back(place_json(place));
    json["events"].push_back({{"name", event.name},
                              {"samples", event.samples},
                              {"estimated", or_null(event.estimated)},
                              {"all_places", event.all_places},
                              {"places", std::move(places)}});
  }
  json["contested_lines"] = contested_json(result.contested);
  if (over_time) json["last_level_cache"] = occupancy_over_time_value(*over_time);
  return indented_json(json);
}

}  // namespace hm::json
