// SPDX-License-Identifier: MIT
#include "profile/heap_sites.h"

#include <linux/perf_event.h>

#include <utility>

#include "record/extension.h"

namespace hm::profile {

bool is_heap_site_event(const record::EventDescription& event) {
  return event.attr.type == PERF_TYPE_RAW && event.attr.config == record::kHeapSiteConfig &&
         event.name == record::kHeapSiteEvent && (event.attr.sample_type & PERF_SAMPLE_RAW) != 0;
}

void HeapSiteJoin::add(std::vector<HeapSite> sites, const std::vector<uint32_t>& locations) {
  for (HeapSite& site : sites) {
    auto [found, is_new] = rows_.try_emplace(site.number, static_cast<uint32_t>(sites_.size()));
    if (!is_new) continue;
    for (uint32_t& place : site.chain) place = locations[place];
    sites_.push_back(std::move(site));
  }
}

void HeapSiteJoin::renumber(Samples& samples) {
  if (samples.heap_site.empty()) return;
  for (size_t row = 0; row < samples.size(); ++row) {
    if (auto number = samples.heap_site.at(row))
      samples.heap_site.set(row, row_of(static_cast<uint32_t>(*number)));
  }
}

// Creates a row also for a site that the recording does not describe.
uint32_t HeapSiteJoin::row_of(uint32_t number) {
  auto [found, is_new] = rows_.try_emplace(number, static_cast<uint32_t>(sites_.size()));
  if (is_new) sites_.push_back({number, false, {}});
  return found->second;
}

}  // namespace hm::profile
