// SPDX-License-Identifier: MIT
#include "view/json/map_json.h"

#include "view/json/recording_json.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

Json named_json(const std::vector<map::Named>& rows) {
  Json json = Json::array();
  for (const map::Named& row : rows)
    json.push_back(
        {{"name", row.name}, {"samples", row.samples}, {"share", row.share}, {"pages", row.pages}});
  return json;
}

Json crowded_json(const map::CrowdedRegion& region) {
  return {{"region", region.region},           {"mean_ways", region.ways},
          {"most_ways", region.max_ways},      {"crowded", region.crowded},
          {"samples", region.samples},         {"objects", named_json(region.objects)},
          {"types", named_json(region.types)}, {"functions", named_json(region.functions)}};
}

Json column_json(const map::Column& column) {
  return {{"begin_at", column.begin},
          {"samples", column.samples},
          {"ways", column.ways.empty() ? Json() : Json(column.ways)}};
}

const char* pressure_name(map::Pressure pressure) {
  switch (pressure) {
    case map::Pressure::kFits:
      return "fits";
    case map::Pressure::kConflict:
      return "conflict";
    case map::Pressure::kCapacity:
      return "capacity";
  }
  return "";
}

Json moved_json(const map::Moved& moved) {
  return {{"crowded_out", moved.crowded_out},
          {"crowded_out_after", moved.crowded_out_after},
          {"removed", to_json(moved.removed)}};
}

Json map_members(Json recording, const map::Map& map) {
  Json json{{"schema", kSchema},
            {"recording", std::move(recording)},
            {"cache",
             {{"name", map.cache.name},
              {"sets", map.cache.sets.sets},
              {"ways", map.cache.sets.ways},
              {"line_bytes", map.cache.line_bytes}}},
            {"page_bytes", map.page_bytes},
            {"pages", map.pages},
            {"processes", map.processes},
            {"tlb_states", map.tlb_states},
            {"tlb_complete", map.tlb_states != 0 ? Json(map.tlb_complete) : Json()},
            {"addresses", map.physical ? "physical" : "virtual"},
            {"samples", map.samples},
            {"samples_without_address", map.others},
            {"threads", map.threads},
            {"unit", unit_name(map.unit)},
            {"end_at", map.end},
            {"pressure", pressure_name(map.pressure)},
            {"crowded_regions", map.crowded_regions},
            {"excess_pages", map.excess},
            {"excess_pages_if_even", map.excess_if_even},
            {"spread", moved_json(map.spread)},
            {"huge_pages", map.huge_pages ? moved_json(*map.huge_pages) : Json()},
            {"mean_ways", map.mean_ways},
            {"all_crowded", map.all_crowded},
            {"crowded", Json::array()},
            {"columns", Json::array()}};
  for (const map::CrowdedRegion& region : map.crowded) json["crowded"].push_back(crowded_json(region));
  for (const map::Column& column : map.columns) json["columns"].push_back(column_json(column));
  return json;
}

}  // namespace

std::string map_json(const profile::Profile& profile, const map::Map& map) {
  return indented_json(map_members(recording_json(profile), map));
}

std::string map_json(const map::Map& map) { return indented_json(map_members(Json(), map)); }

}  // namespace hm::json
