// SPDX-License-Identifier: MIT
#include "analysis/cause/worst_places.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/cause/event_subject.h"

namespace hm::cause {
namespace {

// A source line, or an instruction if it has no line information.
using Where = std::tuple<std::string, std::string, uint64_t>;

Where where_of(const HotLocation& place) {
  return place.line != 0 ? Where(place.dso, place.file, place.line) : Where(place.dso, "", place.address);
}

constexpr std::string_view kMemoryWait = "memory_wait";

// True for events whose cycles memory_wait counts itself: from their samples, the cycles can only be
// estimated.
bool is_part_of_waits(std::string_view event) {
  return event != kMemoryWait && (is_about_data_caches(event) || is_about_data_tlb(event));
}

double cycles_of(const HotLocation& place) {
  return place.wait_cycles.value_or(0) * static_cast<double>(place.estimated.value_or(place.samples));
}

}  // namespace

std::vector<WorstPlace> worst_places(const Causes& causes, size_t limit) {
  std::map<Where, WorstPlace> by_place;
  bool has_waits = std::ranges::find(causes.events, kMemoryWait, &EventCauses::name) != causes.events.end();
  for (const EventCauses& event : causes.events) {
    if (has_waits && is_part_of_waits(event.name)) continue;
    for (const HotLocation& place : event.places) {
      double cycles = cycles_of(place);
      if (cycles == 0) continue;
      WorstPlace& worst = by_place[where_of(place)];
      if (cycles > worst.cycles) worst = {event.name, cycles, place};
    }
  }
  std::vector<WorstPlace> places;
  for (auto& [where, place] : by_place) places.push_back(std::move(place));
  std::ranges::stable_sort(places, std::greater(), &WorstPlace::cycles);
  places.resize(std::min(places.size(), limit));
  return places;
}

}  // namespace hm::cause
