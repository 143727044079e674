// SPDX-License-Identifier: MIT
#include "view/json/fleet.h"

#include "base/json.h"

namespace hm::json {
namespace {

using Json = nlohmann::ordered_json;

Json with_limits(double value, const std::optional<fleet::Interval>& limits) {
  return {{"value", value},
          {"low", limits ? Json(limits->low) : Json()},
          {"high", limits ? Json(limits->high) : Json()}};
}

Json rate_json(const std::optional<fleet::Rate>& rate) {
  return rate ? with_limits(rate->value, rate->limits) : Json();
}

Json side_json(const store::Group& whole, const std::optional<fleet::Rate>& rate) {
  return {{"samples", whole.samples}, {"measurements", whole.batches}, {"rate", rate_json(rate)}};
}

}  // namespace

std::string fleet_json(const fleet::Table& table) {
  Json rows = Json::array();
  for (const fleet::Row& row : table.rows)
    rows.push_back({{"keys", row.keys},
                    {"samples", row.samples},
                    {"events", row.count},
                    {"share", row.share},
                    {"rate", rate_json(row.rate)}});
  return indented_json({{"schema", 1},
                        {"event", table.event},
                        {"source", table.source},
                        {"unit", table.unit},
                        {"samples", table.samples},
                        {"measurements", table.batches},
                        {"events", table.count},
                        {"load", table.load},
                        {"keys", table.keys},
                        {"rows", rows}});
}

std::string fleet_comparison_json(const fleet::Comparison& comparison) {
  Json rows = Json::array();
  for (const fleet::ChangedRow& row : comparison.rows)
    rows.push_back({{"keys", row.keys},
                    {"samples_before", row.samples_before},
                    {"samples_after", row.samples_after},
                    {"before", rate_json(row.before)},
                    {"after", rate_json(row.after)},
                    {"difference", with_limits(row.after.value - row.before.value, row.difference)},
                    {"significant", row.is_significant()}});
  return indented_json({{"schema", 1},
                        {"event", comparison.event},
                        {"unit", comparison.unit},
                        {"before", side_json(comparison.before, comparison.rate_before)},
                        {"after", side_json(comparison.after, comparison.rate_after)},
                        {"keys", comparison.keys},
                        {"rows", rows}});
}

}  // namespace hm::json
