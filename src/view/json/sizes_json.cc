// SPDX-License-Identifier: MIT
#include "view/json/sizes_json.h"

#include "view/json/recording_json.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

Json point_json(const sizes::Point& point) {
  return {{"bytes", point.bytes},
          {"sets", point.sets},
          {"ways", point.ways},
          {"missed", to_json(std::optional(point.missed))}};
}

Json curve_json(const sizes::Curve& curve) {
  Json json = Json::array();
  for (const sizes::Point& point : curve) json.push_back(point_json(point));
  return json;
}

Json need_json(const std::optional<sizes::Need>& need) {
  if (!need) return {};
  return {{"enough", point_json(need->enough)},
          {"smaller", point_json(need->smaller)},
          {"times", or_null(need->times)}};
}

// Adds the counts of `found` to `json`.
void put_counted(const sizes::Counted& found, Json& json) {
  const profile::Sizes& counted = found.counted;
  json["least_sets"] = counted.min_sets;
  json["set_counts"] = counted.set_counts;
  json["ways"] = counted.ways;
  json[counted.of_pages() ? "page_bytes" : "line_bytes"] = counted.line_bytes;
  json["accesses"] = counted.accesses;
  json["unplaced_accesses"] = counted.unplaced_accesses;
  json["misses"] = counted.misses;
  json["one_set_in"] = counted.one_set_in;
  if (!counted.errors.empty()) json["misses_error"] = counted.errors;
  json["curve"] = curve_json(found.curve);
  json["need"] = need_json(found.need);
}

}  // namespace

std::string sizes_json(const profile::Profile& profile, const sizes::Sizes& found) {
  std::string one(sizes::name_of(found.by)), plural = one + 's';
  Json json{{"schema", kSchema},        {"recording", recording_json(profile)},
            {"further", Json::array()}, {"event", text_or_null(found.event)},
            {"samples", found.samples}, {"all_" + plural, found.all_rows},
            {plural, Json::array()}};
  put_counted(found, json);
  for (const sizes::Counted& further : found.further) put_counted(further, json["further"].emplace_back());
  for (const sizes::Row& row : found.rows) {
    json[plural].push_back({{one, row.name},
                            {"dso", text_or_null(row.dso)},
                            {"samples", row.samples},
                            {"share", to_json(std::optional(row.share))},
                            {"curve", curve_json(row.curve)},
                            {"need", need_json(row.need)}});
  }
  return indented_json(json);
}

}  // namespace hm::json
