// SPDX-License-Identifier: MIT
#include "view/json/totals_json.h"

#include <utility>

#include "view/json/recording_json.h"

namespace hm::json {
namespace {

Json exact_json(const std::optional<totals::Exact>& exact) {
  if (!exact) return {};
  return {{"value", exact->value},
          {"time_enabled_ns", exact->time_enabled_ns},
          {"time_running_ns", exact->time_running_ns},
          {"relative_error", or_null(exact->relative_error)}};
}

Json count_json(const totals::Count& count) {
  return {{"samples", count.samples},
          {"estimated", or_null(count.estimated)},
          {"exact", exact_json(count.exact)},
          {"fewer_than", or_null(count.fewer_than)},
          {"best", or_null(count.best())}};
}

}  // namespace

std::string totals_json(const profile::Profile& profile, const totals::Totals& totals) {
  Json json{{"schema", kSchema},
            {"recording", recording_json(profile)},
            {"elapsed_ns", or_null(totals.elapsed_ns)},
            {"events", Json::object()},
            {"threads", Json::array()}};
  for (const totals::EventTotal& event : totals.events) {
    Json row = count_json(event.count);
    row["per_thousand_instructions"] = or_null(event.per_thousand_instructions);
    row["per_second"] = or_null(event.per_second);
    json["events"][event.name] = std::move(row);
  }
  for (const totals::ThreadTotal& thread : totals.threads) {
    Json row{{"pid", thread.pid}, {"tid", thread.tid}, {"comm", thread.comm}, {"events", Json::object()}};
    for (size_t i = 0; i < thread.counts.size(); ++i) {
      row["events"][totals.events[i].name] = count_json(thread.counts[i]);
    }
    json["threads"].push_back(std::move(row));
  }
  return indented_json(json);
}

}  // namespace hm::json
