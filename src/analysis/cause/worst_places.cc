// SPDX-License-Identifier: MIT
#include "analysis/cause/worst_places.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace hm::cause {
namespace {

// A source line, or an instruction if it has no line information.
using Where = std::tuple<std::string, std::string, uint64_t>;

Where where_of(const Place& place) {
  return place.line != 0 ? Where(place.dso, place.file, place.line) : Where(place.dso, "", place.address);
}

double cycles_of(const Place& place) {
  return place.wait_cycles.value_or(0) * static_cast<double>(place.estimated.value_or(place.samples));
}

}  // namespace

std::vector<WorstPlace> worst_places(const Causes& causes, size_t limit) {
  std::map<Where, WorstPlace> by_place;
  for (const EventCauses& event : causes.events) {
    for (const Place& place : event.places) {
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
