// SPDX-License-Identifier: MIT
#include "view/json/branches_json.h"

#include "view/json/recording_json.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

Json endpoint_json(const branches::BranchEndpoint& place) {
  return {{"function", place.function}, {"dso", place.dso}, {"address", or_null(place.address)}};
}

Json row_json(const branches::Row& row) {
  bool says = row.misprediction_rate.has_value();
  return {{"from", endpoint_json(row.from)},
          {"to", endpoint_json(row.to)},
          {"entries", row.entries},
          {"share", row.share},
          {"mispredicted", says ? Json(row.mispredicted) : Json()},
          {"predicted", says ? Json(row.predicted) : Json()},
          {"misprediction_rate", or_null(row.misprediction_rate)},
          {"mean_cycles", or_null(row.mean_cycles)}};
}

}  // namespace

std::string branches_json(const profile::Profile& profile, const branches::Branches& result) {
  Json json{{"schema", kSchema},
            {"recording", recording_json(profile)},
            {"sort", result.group == branches::GroupBy::kFunction ? "function" : "ip"},
            {"samples", result.samples},
            {"entries", result.entries},
            {"empty_entries", result.empty_entries},
            {"all_rows", result.all_rows},
            {"rows", Json::array()}};
  for (const branches::Row& row : result.rows) json["rows"].push_back(row_json(row));
  return indented_json(json);
}

}  // namespace hm::json
