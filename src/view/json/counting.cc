// SPDX-License-Identifier: MIT
#include "view/json/counting.h"

namespace hm::json {

std::string counting_json(const totals::Counting& counting) {
  Json json{{"schema", kSchema},
            {"pmu", counting.pmu},
            {"machine", counting.machine},
            {"command", counting.command},
            {"exit_status", counting.exit_status},
            {"elapsed_ns", or_null(counting.totals.elapsed_ns)},
            {"processes", counting.processes},
            {"threads", counting.threads},
            {"unrecorded_processes", counting.unrecorded_processes},
            {"totals", Json::object()},
            {"per_thousand_instructions", Json::object()},
            {"per_second", Json::object()},
            {"cycles", counting.cycles},
            {"instructions_per_cycle", or_null(counting.instructions_per_cycle())},
            {"cost_model", counting.cost_model}};
  for (const totals::EventTotal& event : counting.totals.events) {
    if (event.count.exact) json["totals"][event.name] = event.count.exact->value;
    if (event.per_thousand_instructions)
      json["per_thousand_instructions"][event.name] = *event.per_thousand_instructions;
    if (event.per_second) json["per_second"][event.name] = *event.per_second;
  }
  return dump(json);
}

}  // namespace hm::json
