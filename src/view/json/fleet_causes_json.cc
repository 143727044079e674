// SPDX-License-Identifier: MIT
#include "view/json/fleet_causes_json.h"

#include "base/json.h"
#include "view/json/advice_json.h"
#include "view/json/fleet_rate_json.h"
#include "view/json/naming_json.h"

namespace hm::json {
namespace {

nlohmann::ordered_json parts_json(const std::vector<fleet::PartShare>& parts) {
  if (parts.empty()) return {};
  auto all = nlohmann::ordered_json::array();
  for (const fleet::PartShare& each : parts)
    all.push_back({{"name", each.name}, {"samples", each.samples}, {"share", rate_json(each.share)}});
  return all;
}

nlohmann::ordered_json cause_place_json(const fleet::CausePlace& place) {
  bool has_line = place.line != 0;
  return {{"function", place.function},
          {"module", place.module},
          {"file", has_line ? nlohmann::ordered_json(place.file) : nlohmann::ordered_json()},
          {"line", has_line ? nlohmann::ordered_json(place.line) : nlohmann::ordered_json()},
          {"samples", place.samples},
          {"events", place.count},
          {"share", place.share},
          {"rate", rate_json(place.rate)},
          {"classes", parts_json(place.classes)},
          {"unclassified", place.unclassified},
          {"objects", parts_json(place.objects)},
          {"advice", advice_json(place.advice)}};
}

}  // namespace

std::string fleet_causes_json(const fleet::FleetCauses& causes) {
  auto events = nlohmann::ordered_json::array();
  for (const fleet::ServiceCauses& event : causes.events) {
    auto places = nlohmann::ordered_json::array();
    for (const fleet::CausePlace& place : event.places) places.push_back(cause_place_json(place));
    events.push_back({{"event", event.event},
                      {"source", event.source},
                      {"unit", event.unit},
                      {"samples", event.samples},
                      {"measurements", event.batches},
                      {"events", event.count},
                      {"rate", rate_json(event.rate)},
                      {"places", places}});
  }
  return indented_json({{"schema", 1},
                        {"service", causes.service},
                        {"naming", naming_json(causes.naming)},
                        {"events", events}});
}

}  // namespace hm::json
