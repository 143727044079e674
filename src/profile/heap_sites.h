// SPDX-License-Identifier: MIT
// Where the heap blocks of samples were allocated: record/extension.h, HeapSiteExtension.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profile/samples.h"
#include "record/event.h"

namespace hm::profile {

struct HeapSite {
  uint32_t number = 0;      // in the recording
  bool any_caller = false;  // several paths lead there, of which the chain is one
  // Indices of locations: the allocator, then the place of each call, innermost first. Empty where the
  // recording does not tell.
  std::vector<uint32_t> chain;
};

// Whether the event's samples are not samples, but tell of sites.
[[nodiscard]] bool is_heap_site_event(const record::EventDescription& event);

// Gives the sites of all segments their rows.
class HeapSiteJoin {
 public:
  // `locations`: of the segment's places.
  void add(std::vector<HeapSite> sites, const std::vector<uint32_t>& locations);
  // Of a segment, after all have been added: numbers in the column become rows.
  void renumber(Samples& samples);
  std::vector<HeapSite> take() { return std::move(sites_); }

 private:
  uint32_t row_of(uint32_t number);

  std::vector<HeapSite> sites_;
  std::unordered_map<uint32_t, uint32_t> rows_;  // by number
};

}  // namespace hm::profile
