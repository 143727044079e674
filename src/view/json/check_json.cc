// SPDX-License-Identifier: MIT
#include "view/json/check_json.h"

#include <string>
#include <utility>

#include "view/json/values.h"

namespace hm::json {

std::string check_json(const analysis::CheckResult& result,
                       const std::vector<record::EventDescription>& events) {
  Json list = Json::array();
  for (size_t i = 0; i < events.size() && i < result.samples_per_event.size(); ++i) {
    list.push_back({{"name", events[i].name}, {"samples", result.samples_per_event[i]}});
  }
  Json json{{"schema", kSchema},
            {"sane", result.problems.empty()},
            {"records", result.records},
            {"samples", result.samples},
            {"events", std::move(list)}};
  for (const analysis::SumName& name : analysis::sum_names())
    json[std::string(name.key)] = or_null(result.sum(name.sum));
  json["lost"] = result.lost;
  json["problems"] = result.problems;
  json["notes"] = result.notes;
  return indented_json(json);
}

}  // namespace hm::json
