// SPDX-License-Identifier: MIT
#include "view/json/corun_json.h"

#include <string_view>

#include "view/json/values.h"

namespace hm::json {
namespace {

Json estimate_json(const corun::Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

constexpr std::string_view fit_text(corun::Fit fit) {
  return fit == corun::Fit::kFits ? "fits" : fit == corun::Fit::kCollides ? "collides" : "unclear";
}

}  // namespace

std::string corun_json(const corun::Corun& corun, const std::vector<std::string>& names) {
  Json json{{"schema", kSchema},        {"sets", corun.cache.sets},
            {"ways", corun.cache.ways}, {"rates_known", corun.rates_known},
            {"pairs", Json::array()},   {"placement", nullptr}};
  for (const corun::Pair& pair : corun.pairs) {
    Json members = Json::array();
    for (const corun::Member& member : pair.members) {
      members.push_back({{"program", names[member.program]},
                         {"alone", member.alone},
                         {"extra", estimate_json(member.extra)}});
    }
    json["pairs"].push_back(
        {{"members", std::move(members)}, {"extra", estimate_json(pair.extra)}, {"fit", fit_text(pair.fit)}});
  }
  if (!corun.placement) return indented_json(json);
  Json caches = Json::array();
  for (const std::vector<size_t>& cache : corun.placement->caches) {
    Json programs = Json::array();
    for (size_t program : cache) programs.push_back(names[program]);
    caches.push_back(std::move(programs));
  }
  json["placement"] = {{"caches", std::move(caches)},
                       {"extra", corun.placement->extra},
                       {"extra_of_worst", corun.placement->extra_of_worst}};
  return indented_json(json);
}

}  // namespace hm::json
