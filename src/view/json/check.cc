// SPDX-License-Identifier: MIT
#include "view/json/check.h"

#include "view/json/values.h"

namespace hm::json {

std::string check_json(const analysis::CheckResult& result,
                       const std::vector<record::EventDescription>& events) {
  Json list = Json::array();
  for (size_t i = 0; i < events.size() && i < result.samples_per_event.size(); ++i) {
    list.push_back({{"name", events[i].name}, {"samples", result.samples_per_event[i]}});
  }
  return indented_json({{"schema", kSchema},
                        {"sane", result.problems.empty()},
                        {"records", result.records},
                        {"samples", result.samples},
                        {"events", std::move(list)},
                        {"period_sum", or_null(result.period_sum)},
                        {"branch_entries", or_null(result.branch_entries)},
                        {"callchain_ips", or_null(result.callchain_ips)},
                        {"lost", result.lost},
                        {"problems", result.problems},
                        {"notes", result.notes}});
}

}  // namespace hm::json
