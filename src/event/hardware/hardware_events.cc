// SPDX-License-Identifier: MIT
#include "event/hardware/hardware_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "event/hardware/encode.h"
#include "event/hardware/known_cpus.h"

namespace hm::event {

HardwareEvents hardware_events(std::span<const EventTemplate* const> events, const CpuModel& cpu) {
  const KnownCpu* known = identify(cpu);
  HardwareEvents result{.cpu = std::string(known == nullptr ? "" : known->title), .events = {}};
  for (const EventTemplate* event : events) {
    result.events.push_back(
        {event, encode(event->id, cpu, Use::kCount), encode(event->id, cpu, Use::kSample)});
  }
  return result;
}

bool same_encodings(const HardwareEvent& event) {
  if (!event.counted || !event.sampled) return false;
  return std::ranges::equal(*event.counted, *event.sampled, [](const Encoding& one, const Encoding& other) {
    return one.pmu == other.pmu && one.config == other.config && one.config1 == other.config1;
  });
}

std::vector<std::string_view> sample_contents(const Encoding& encoding) {
  std::vector<std::string_view> contents;
  if (encoding.precise) contents.emplace_back("instruction");
  if (encoding.data_address) contents.emplace_back("address");
  if (encoding.weight) contents.emplace_back("latency");
  if (encoding.data_source) contents.emplace_back("data source");
  if (encoding.branch_stack) contents.emplace_back("branches");
  return contents;
}

std::string kept_samples(const SampleFilter& filter) {
  if (filter.keeps_all()) return {};
  std::string kept = "samples";
  if (!filter.others)
    kept = filter.loads && filter.stores ? "loads and stores" : filter.loads ? "loads" : "stores";
  if (filter.missed_cache_level > 0)
    kept += fmt::format(" that no cache up to level {} had", filter.missed_cache_level);
  if (filter.missed_tlb) kept += " that the first-level data TLB missed";
  if (filter.modified_elsewhere) kept += " of lines that another core had modified";
  return kept;
}

}  // namespace hm::event
