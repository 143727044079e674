// SPDX-License-Identifier: MIT
// The allocation sites of the samples' heap blocks: record/extension.h, HeapSiteExtension.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profile/samples.h"
#include "record/event.h"

namespace hm::profile {

struct HeapSite {
  uint32_t number = 0;      // number in the recording
  bool any_caller = false;  // true if several call paths lead to the allocation; the chain is one of them
  // Indices of locations: the allocator, then each call instruction, innermost first. Empty if the recording
  // does not describe the site.
  std::vector<uint32_t> chain;
};

// Returns true for the event with samples that describe allocation sites instead of program behaviour.
[[nodiscard]] bool is_heap_site_event(const record::EventDescription& event);

// Assigns rows to the allocation sites of all segments.
class HeapSiteJoin {
 public:
  // `locations` maps the segment's place numbers to rows of locations.
  void add(std::vector<HeapSite> sites, const std::vector<uint32_t>& locations);
  // Replaces site numbers by rows in a segment's column. Call after all sites have been added.
  void renumber(Samples& samples);
  std::vector<HeapSite> take() { return std::move(sites_); }

 private:
  uint32_t row_of(uint32_t number);

  std::vector<HeapSite> sites_;
  std::unordered_map<uint32_t, uint32_t> rows_;  // by number
};

}  // namespace hm::profile
