// SPDX-License-Identifier: MIT
#include "view/json/counting_json.h"

#include <cmath>

#include "view/json/verdict_json.h"

namespace hm::json {
namespace {

// Returns a whole number, as counters are; nullopt if the counter never ran.
std::optional<uint64_t> scaled_value(const totals::Exact& exact) {
  if (!exact.shared() && !exact.unseen()) return exact.value;
  std::optional<double> scaled = exact.scaled();
  if (!scaled) return std::nullopt;
  return static_cast<uint64_t>(std::llround(*scaled));
}

Json range_json(const totals::CountRange& range) {
  return {{"lowest", range.lowest}, {"highest", range.highest}};
}

Json layouts_json(const totals::Counting& counting) {
  Json json{{"count", counting.layouts}, {"totals", Json::object()}};
  for (const totals::EventTotal& event : counting.totals.events) {
    if (event.range) json["totals"][event.name] = range_json(*event.range);
  }
  if (counting.cycles_range) json["cycles"] = range_json(*counting.cycles_range);
  return json;
}

}  // namespace

std::string counting_json(const totals::Counting& counting) {
  Json json{{"schema", kSchema},
            {"pmu", counting.pmu},
            {"command", counting.command},
            {"target", counting.target},
            {"exit_status", counting.exit_status},
            {"elapsed_ns", or_null(counting.totals.elapsed_ns)},
            {"cpu_time", counting.cpu ? Json(record::cpu_use_json(*counting.cpu)) : Json()},
            {"totals", Json::object()},
            {"per_thousand_instructions", Json::object()},
            {"per_second", Json::object()},
            {"notes", counting.notes}};
  if (counting.modelled) {
    json["machine"] = counting.modelled->machine;
    json["processes"] = counting.modelled->processes;
    json["threads"] = counting.modelled->threads;
    json["unrecorded_processes"] = counting.modelled->unrecorded_processes;
    json["cycles"] = or_null(counting.modelled->cycles);
    json["instructions_per_cycle"] = or_null(counting.instructions_per_cycle());
    json["cost_model"] = counting.modelled->cost_model;
    json["verdict"] = verdict_json(totals::find_verdict(counting));
  }
  if (counting.layouts > 1) json["layouts"] = layouts_json(counting);
  for (const totals::EventTotal& event : counting.totals.events) {
    if (event.count.exact) json["totals"][event.name] = or_null(scaled_value(*event.count.exact));
    if (event.count.exact && event.count.exact->relative_error)
      json["relative_error"][event.name] = *event.count.exact->relative_error;
    if (event.per_thousand_instructions)
      json["per_thousand_instructions"][event.name] = *event.per_thousand_instructions;
    if (event.per_second) json["per_second"][event.name] = *event.per_second;
  }
  return indented_json(json);
}

}  // namespace hm::json
