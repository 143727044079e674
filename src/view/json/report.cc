// SPDX-License-Identifier: MIT
#include "view/json/report.h"

#include "view/json/callers.h"
#include "view/json/recording.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

Json row_json(const hotspots::Hotspots& result, const hotspots::Row& row) {
  Json json;
  json["dso"] = or_null(row.dso);
  for (size_t i = 0; i < result.keys.size(); ++i) json[std::string(name_of(result.keys[i]))] = row.keys[i];
  add_counts(result.events, row.counts, json);
  if (result.latencies) {
    json["latency_cycles"] = to_json(row.latency);
    json["latency_share"] = row.latency ? Json(row.latency_share) : Json();
  }
  if (!row.callers.empty()) json["callers"] = callers_json(row.callers);
  return json;
}

}  // namespace

std::string hotspots_json(const profile::Profile& profile, const hotspots::Hotspots& result) {
  Json json{{"schema", kSchema},
            {"recording", recording_json(profile)},
            {"sort", Json::array()},
            {"events", Json::object()},
            {"all_rows", result.all_rows}};
  for (hotspots::SortKey key : result.keys) json["sort"].push_back(name_of(key));
  for (const hotspots::EventSummary& event : result.events) {
    json["events"][event.name] = {{"samples", event.samples}, {"estimated", or_null(event.estimated)}};
  }
  json["rows"] = Json::array();
  for (const hotspots::Row& row : result.rows) json["rows"].push_back(row_json(result, row));
  return indented_json(json);
}

}  // namespace hm::json
