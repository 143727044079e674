// SPDX-License-Identifier: MIT
#include "view/json/hotspots_json.h"

#include <algorithm>

#include "symbol/display_name.h"
#include "view/json/callers_json.h"
#include "view/json/recording_json.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

// Returns the display names of the rows' functions; empty if rows are not functions.
std::vector<std::string> short_names(const hotspots::Hotspots& result) {
  auto key = std::ranges::find(result.keys, hotspots::SortKey::kFunction);
  if (key == result.keys.end()) return {};
  std::vector<std::string> functions;
  for (const hotspots::Row& row : result.rows)
    functions.push_back(row.keys[static_cast<size_t>(key - result.keys.begin())]);
  return symbol::display_names(functions);
}

Json row_json(const hotspots::Hotspots& result, const hotspots::Row& row, const std::string& short_name) {
  Json json;
  json["dso"] = or_null(row.dso);
  if (!row.file.empty()) json["file"] = row.file;
  for (size_t i = 0; i < result.keys.size(); ++i) json[std::string(name_of(result.keys[i]))] = row.keys[i];
  if (!short_name.empty()) json["short"] = short_name;
  add_counts(result.events, row.counts, json);
  if (result.inclusive) {
    add_counts(result.events, row.inclusive, json, {"inclusive", "inclusive_estimated", "inclusive_share"});
  }
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
  std::vector<std::string> names = short_names(result);
  for (size_t i = 0; i < result.rows.size(); ++i)
    json["rows"].push_back(row_json(result, result.rows[i], names.empty() ? std::string() : names[i]));
  return indented_json(json);
}

}  // namespace hm::json
