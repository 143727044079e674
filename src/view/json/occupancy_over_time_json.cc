// SPDX-License-Identifier: MIT
#include "view/json/occupancy_over_time_json.h"

#include <fmt/format.h>

#include "view/json/values.h"

namespace hm::json {
namespace {

Json held_json(const occupancy::Held& held) {
  Json cells = Json::array();
  for (const std::optional<double>& each : held.cells) cells.push_back(or_null(each));
  return {{"name", held.name},
          {"readings", held.readings},
          {"measured", held.measured},
          {"mean_bytes", or_null(held.mean_bytes)},
          {"most_bytes", or_null(held.max_bytes)},
          {"most_at_ns", held.max_bytes ? Json(held.max_at_ns) : Json()},
          {"mean_bytes_per_s", or_null(held.mean_bytes_per_s)},
          {"cells", std::move(cells)}};
}

Json predicted_json(const std::optional<occupancy::PredictedMisses>& misses) {
  if (!misses) return {};
  return {{"divided", misses->divided},
          {"crowded_low", misses->crowded_low},
          {"crowded_high", misses->crowded_high}};
}

Json split_json(const std::optional<occupancy::Split>& split) {
  if (!split) return {};
  return {{"victim_ways", fmt::format("{:x}", split->victim_ways)},
          {"neighbour_ways", fmt::format("{:x}", split->neighbour_ways)},
          {"victim_misses_per_1000_accesses", predicted_json(split->victim)},
          {"neighbour_misses_per_1000_accesses", predicted_json(split->neighbour)}};
}

Json contention_json(const occupancy::OverTime& over, const occupancy::Contention& found) {
  return {{"victim", over.held[found.victim].name},
          {"neighbour", over.held[found.neighbour].name},
          {"event", found.event},
          {"ratio", {{"value", found.ratio.value}, {"low", found.ratio.low}, {"high", found.ratio.high}}},
          {"much_share", found.much_share},
          {"neighbour_share", found.neighbour_share},
          {"victim_share_then", found.victim_share_then},
          {"victim_share_else", found.victim_share_else},
          {"longest_begin_ns", found.longest_begin_ns},
          {"longest_end_ns", found.longest_end_ns},
          {"split", split_json(found.split)},
          {"function", found.function},
          {"dso", found.dso},
          {"function_ratio", or_null(found.function_ratio)}};
}

}  // namespace

Json occupancy_over_time_value(const occupancy::OverTime& over) {
  Json held = Json::array(), contentions = Json::array();
  for (const occupancy::Held& each : over.held) held.push_back(held_json(each));
  for (const occupancy::Contention& each : over.contentions)
    contentions.push_back(contention_json(over, each));
  return {{"schema", kSchema},
          {"is_modelled", over.is_modelled},
          {"cache_bytes", over.cache_bytes == 0 ? Json() : Json(over.cache_bytes)},
          {"begin_ns", over.begin_ns},
          {"end_ns", over.end_ns},
          {"held", std::move(held)},
          {"contentions", std::move(contentions)}};
}

std::string occupancy_over_time_json(const occupancy::OverTime& over) {
  return indented_json(occupancy_over_time_value(over));
}

}  // namespace hm::json
