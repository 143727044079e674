// SPDX-License-Identifier: MIT
#include "view/json/latency_json.h"

#include "view/json/values.h"

namespace hm::json {
namespace {

Json level_json(const host::LevelCost& cost) {
  Json json{{"name", cost.name},
            {"reported_bytes", or_null(cost.reported_bytes)},
            {"found", cost.found.has_value()},
            {"found_bytes", cost.found ? or_null(cost.found->capacity_bytes) : Json()},
            {"ns", cost.found ? to_json(cost.found->ns) : Json()},
            {"cycles", cost.found ? to_json(cost.found->cycles) : Json()},
            {"small_pages_ns", to_json(cost.small_ns)},
            {"huge_pages_ns", to_json(cost.huge_ns)}};
  json["measured_from_bytes"] = cost.found ? Json(cost.found->first_bytes) : Json();
  json["measured_to_bytes"] = cost.found ? Json(cost.found->last_bytes) : Json();
  return json;
}

Json curve_json(const host::Curve& curve) {
  Json json = Json::array();
  for (const host::Point& point : curve) {
    json.push_back({{"size_bytes", point.size_bytes},
                    {"ns", to_json(point.ns)},
                    {"core_ghz", point.core_ghz},
                    {"steady", is_steady(point)}});
  }
  return json;
}

}  // namespace

std::string latency_json(const host::MemoryCosts& costs) {
  const host::Sweep& sweep = costs.sweep;
  Json levels = Json::array();
  for (const host::LevelCost& cost : costs.levels) levels.push_back(level_json(cost));
  return indented_json({{"schema", kSchema},
                        {"cpu", sweep.cpu},
                        {"virtual_machine", costs.virtual_machine},
                        {"core_ghz", to_json(costs.core_ghz)},
                        {"huge_share", or_null(sweep.huge_share)},
                        {"levels_from", costs.huge_pages ? "huge_pages" : "small_pages"},
                        {"levels", std::move(levels)},
                        {"rises_at_end", costs.rises_at_end},
                        {"small_pages_suffice_to_bytes", or_null(costs.small_pages_suffice_to_bytes)},
                        {"small_pages", curve_json(sweep.small_pages)},
                        {"huge_pages", curve_json(sweep.huge_pages)},
                        {"unsteady_points", costs.unsteady_points},
                        {"preemptions", sweep.disturbance.preemptions},
                        {"stolen_share", or_null(sweep.disturbance.stolen_share)},
                        {"elapsed_ns", sweep.elapsed_ns},
                        {"interrupted", sweep.interrupted}});
}

}  // namespace hm::json
