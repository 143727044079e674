// SPDX-License-Identifier: MIT
#include "view/json/fleet_json.h"

#include "base/json.h"
#include "view/json/fleet_rate_json.h"
#include "view/json/naming_json.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

Json side_json(const store::Group& whole, const std::optional<fleet::Rate>& rate) {
  return {{"samples", whole.samples}, {"measurements", whole.batches}, {"rate", rate_json(rate)}};
}

Json step_json(const std::optional<fleet::Step>& step) {
  if (!step) return {};
  return {{"at_s", step->at_s},
          {"before", rate_json(step->before)},
          {"after", rate_json(step->after)},
          {"difference", with_limits(step->after.value - step->before.value, step->difference)}};
}

Json choices_json(const std::vector<store::Group>& groups) {
  Json list = Json::array();
  for (const store::Group& group : groups) {
    Json& choice = list.emplace_back(Json{{"name", group.keys[0]},
                                          {"samples", group.samples},
                                          {"first_s", group.first_s},
                                          {"last_s", group.last_s}});
    if (group.keys.size() < 3) continue;
    choice["source"] = group.keys[1];
    choice["unit"] = group.keys[2];
  }
  return list;
}

}  // namespace

std::string fleet_json(const fleet::Table& table) {
  Json rows = Json::array();
  for (const fleet::Row& row : table.rows)
    rows.push_back({{"keys", row.keys},
                    {"samples", row.samples},
                    {"events", row.count},
                    {"share", row.share},
                    {"rate", rate_json(row.rate)},
                    {"first_s", row.first_s},
                    {"last_s", row.last_s}});
  return indented_json({{"schema", kSchema},
                        {"event", table.event},
                        {"source", table.source},
                        {"unit", table.unit},
                        {"samples", table.samples},
                        {"measurements", table.batches},
                        {"events", table.count},
                        {"load", table.load},
                        {"first_s", table.first_s},
                        {"last_s", table.last_s},
                        {"naming", naming_json(table.naming)},
                        {"keys", table.keys},
                        {"rows", rows}});
}

std::string fleet_over_time_json(const fleet::OverTime& over_time) {
  Json moments = Json::array();
  for (const fleet::Moment& moment : over_time.moments)
    moments.push_back({{"begin_s", moment.begin_s},
                       {"samples", moment.samples},
                       {"measurements", moment.batches},
                       {"events", moment.count},
                       {"rate", rate_json(moment.rate)}});
  return indented_json({{"schema", kSchema},
                        {"event", over_time.event},
                        {"source", over_time.source},
                        {"unit", over_time.unit},
                        {"samples", over_time.samples},
                        {"measurements", over_time.batches},
                        {"begin_s", over_time.begin_s},
                        {"end_s", over_time.end_s},
                        {"bucket_s", over_time.bucket_s},
                        {"rate", rate_json(over_time.rate)},
                        {"moments", moments},
                        {"step", step_json(over_time.step)},
                        {"can_detect_steps", over_time.can_detect_steps}});
}

std::string fleet_choices_json(const fleet::Choices& choices) {
  return indented_json({{"schema", kSchema},
                        {"measurements", choices.batches},
                        {"first_s", or_null(choices.first_s)},
                        {"last_s", or_null(choices.last_s)},
                        {"event", choices.event},
                        {"events", choices_json(choices.events)},
                        {"services", choices_json(choices.services)},
                        {"hosts", choices_json(choices.hosts)},
                        {"releases", choices_json(choices.releases)}});
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
  return indented_json({{"schema", kSchema},
                        {"event", comparison.event},
                        {"unit", comparison.unit},
                        {"before", side_json(comparison.before, comparison.rate_before)},
                        {"after", side_json(comparison.after, comparison.rate_after)},
                        {"naming", naming_json(comparison.naming)},
                        {"keys", comparison.keys},
                        {"rows", rows}});
}

}  // namespace hm::json
