// SPDX-License-Identifier: MIT
#include "analysis/map/crowd.h"

#include <algorithm>
#include <map>

namespace hm::map {

void Crowds::add(uint32_t region, size_t sample, uint64_t page) {
  Region& crowd = regions_[region];
  auto events = static_cast<double>(profile_.samples.events_of(sample));
  ++crowd.samples;
  crowd.events += events;
  const auto add_to = [&](Tallies& tallies, uint32_t row) {
    Tally& tally = tallies[row];
    ++tally.samples;
    tally.events += events;
    tally.pages.insert(page);
  };
  const profile::Samples& samples = profile_.samples;
  add_to(crowd.functions, profile_.locations[samples.location[sample]].function);
  if (!samples.object.empty()) add_to(crowd.objects, samples.object[sample]);
  if (!samples.field.empty()) add_to(crowd.types, profile_.fields[samples.field[sample]].type);
}

template <typename NameOf>
std::vector<Named> Crowds::named(const Tallies& tallies, double all_events, size_t limit, NameOf&& name_of) {
  // Merges rows with equal names, such as a function in two programs or objects of one allocation site.
  std::map<std::string, Tally> by_name;
  for (const auto& [row, tally] : tallies) {
    std::string name = name_of(row);
    if (name.empty()) continue;
    Tally& sum = by_name[name];
    sum.samples += tally.samples;
    sum.events += tally.events;
    sum.pages.insert(tally.pages.begin(), tally.pages.end());
  }
  std::vector<Named> rows;
  rows.reserve(by_name.size());
  for (const auto& [name, tally] : by_name)
    rows.push_back({name, tally.samples, tally.pages.size(), tally.events / all_events});
  std::ranges::stable_sort(rows, std::greater(), &Named::share);
  if (limit != 0 && rows.size() > limit) rows.resize(limit);
  return rows;
}

void Crowds::describe(size_t limit, CrowdedRegion& region) const {
  const Region& crowd = regions_[region.region];
  region.samples = crowd.samples;
  region.objects =
      named(crowd.objects, crowd.events, limit, [&](uint32_t row) { return profile_.object_text(row); });
  region.types = named(crowd.types, crowd.events, limit, [&](uint32_t row) {
    return row == 0 ? std::string() : profile_.types[row].layout.name;
  });
  region.functions =
      named(crowd.functions, crowd.events, limit, [&](uint32_t row) { return profile_.functions[row].name; });
}

}  // namespace hm::map
