// SPDX-License-Identifier: MIT
#include "view/json/recording_json.h"

#include "record/cpu_use.h"
#include "record/run_description.h"
#include "record/run_part.h"
#include "view/json/verdict_json.h"

namespace hm::json {

namespace {

Json clock_json(const profile::ClockAttribution& clock) {
  Json stayed = Json::object();
  for (size_t reason = 0; reason < clock.stayed.size(); ++reason) {
    stayed[std::string(symbol::name_of(static_cast<symbol::Undetermined>(reason)))] = clock.stayed[reason];
  }
  return {{"samples", clock.samples},
          {"attributed", clock.attributed},
          {"accesses", clock.accesses},
          {"addresses", clock.addresses},
          {"stayed", std::move(stayed)}};
}

Json caches_json(const profile::Profile& profile) {
  Json caches = Json::array();
  for (const record::CacheInfo& each : profile.features.caches) {
    uint64_t bytes = uint64_t{each.sets} * each.ways * each.line_bytes;
    caches.push_back({{"level", each.level},
                      {"type", each.type},
                      {"bytes", bytes},
                      {"sets", each.sets},
                      {"ways", each.ways},
                      {"line_bytes", each.line_bytes},
                      {"cpus", each.cpus}});
  }
  return caches;
}

}  // namespace

Json recording_json(const profile::Profile& profile) {
  nlohmann::json run = record::run_description(profile.features);
  std::optional<record::CpuUse> cpu = record::cpu_use_in(run);
  Json clock = Json::object();
  for (const profile::Event& event : profile.events) {
    if (event.clock) clock[event.name] = clock_json(*event.clock);
  }
  return {{"pmu", or_null(profile.pmu())},
          {"command", profile.features.cmdline},
          {"verdict", verdict_json(totals::find_verdict(profile))},
          {"cpu_time", cpu ? Json(record::cpu_use_json(*cpu)) : Json()},
          {"stopped", record::size_limit_json(run)},
          {"part", record::part_json(run)},
          {"caches", caches_json(profile)},
          {"lost",
           {{"records", profile.lost.records},
            {"samples", profile.lost.samples},
            {"throttlings", profile.lost.throttlings}}},
          {"clock", std::move(clock)},
          {"problems", profile.problems},
          {"notes", profile.notes},
          {"delivery", profile.delivery()}};
}

}  // namespace hm::json
