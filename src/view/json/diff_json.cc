// SPDX-License-Identifier: MIT
#include "view/json/diff_json.h"

#include "view/json/values.h"

namespace hm::json {
namespace {

Json interval_json(const std::optional<diff::Interval>& interval) {
  if (!interval) return {};
  return {{"low", interval->low}, {"high", interval->high}};
}

Json estimate_json(const diff::Estimate& estimate) {
  return {{"value", or_null(estimate.value)}, {"low", estimate.limits.low}, {"high", estimate.limits.high}};
}

Json side_json(const diff::RecordingSide& side) {
  return {{"files", side.files},    {"baseline", side.baseline}, {"pmu", side.pmu},
          {"engine", side.engine},  {"machine", side.machine},   {"command", side.command},
          {"remarks", side.remarks}};
}

void add_change(const diff::Change& change, Json& json) {
  json["change"] = or_null(change.absolute);
  json["relative"] = or_null(change.relative);
  json["interval"] = interval_json(change.limits);
  json["exact"] = change.exact;
  json["significant"] = change.significant();
}

Json total_json(const diff::Total& total) {
  Json json{{"before", total.before},
            {"after", total.after},
            {"estimated", total.estimated},
            {"running", total.running}};
  add_change(total.change, json);
  return json;
}

Json row_json(const diff::Diff& result, const diff::Row& row) {
  Json json;
  for (size_t i = 0; i < result.columns.size(); ++i) json[result.columns[i]] = row.names[i];
  json["samples_before"] = row.samples_before;
  json["samples_after"] = row.samples_after;
  json["before"] = estimate_json(row.before);
  json["after"] = estimate_json(row.after);
  add_change(row.change, json);
  return json;
}

Json rows_json(const diff::Diff& result, const diff::EventRows& event) {
  Json list = Json::array();
  for (const diff::Row& row : event.rows) list.push_back(row_json(result, row));
  return {{"samples_before", event.samples_before},
          {"samples_after", event.samples_after},
          {"exact", event.exact},
          {"rows", std::move(list)}};
}

Json check_json(const diff::Check& check) {
  Json json{{"limit", check.limit.spec},
            {"verdict", name_of(check.verdict)},
            {"from_samples", check.from_samples},
            {"before", estimate_json(check.before)},
            {"after", estimate_json(check.after)}};
  add_change(check.change, json);
  return json;
}

Json comparison_json(const diff::Diff& result) {
  Json json{{"before", side_json(result.before)},
            {"after", side_json(result.after)},
            {"differences", Json::array()},
            {"processors", or_null(result.processors)},
            {"notes", result.notes},
            {"totals", Json::object()},
            {"only_before", result.only_before},
            {"only_after", result.only_after},
            {"columns", result.columns},
            {"renamed", Json::object()},
            {"rows", Json::object()},
            {"limits", Json::array()}};
  for (const auto& [before, after] : result.renamed) json["renamed"][before] = after;
  for (const diff::Difference& each : result.differences)
    json["differences"].push_back({{"what", each.what}, {"before", each.before}, {"after", each.after}});
  for (const diff::Total& total : result.totals) json["totals"][total.event] = total_json(total);
  for (const diff::EventRows& event : result.rows) json["rows"][event.event] = rows_json(result, event);
  for (const diff::Check& check : result.checks) json["limits"].push_back(check_json(check));
  return json;
}

}  // namespace

std::string diff_json(const diff::Diff& result) {
  Json json{{"schema", kSchema}};
  json.update(comparison_json(result));
  return indented_json(json);
}

std::string diffs_json(std::span<const diff::NamedDiff> results) {
  Json json{{"schema", kSchema}, {"commands", Json::array()}};
  for (const diff::NamedDiff& each : results) {
    const bool failed = !each.failure.empty();
    json["commands"].push_back({{"name", each.name},
                                {"failure", failed ? Json(each.failure) : Json()},
                                {"comparison", failed ? Json() : comparison_json(each.diff)}});
  }
  return indented_json(json);
}

}  // namespace hm::json
