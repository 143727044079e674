// SPDX-License-Identifier: MIT
// Which parts of a cache a program crowds, when, and with what: the required associativity of each region of
// the cache over time, from the pages that the samples' data lie in (Ogawa and Hiraki, "An Estimation for CPU
// cache usage condition with TLB Information"). An estimate: it knows of the pages that were sampled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/map/crowd.h"
#include "analysis/map/spread.h"
#include "base/result.h"
#include "model/geometry.h"
#include "profile/filter.h"
#include "profile/profile.h"

namespace hm::map {

struct Cache {
  std::string name;  // "L2"
  model::SetGeometry sets;
  uint32_t line_bytes = 64;

  [[nodiscard]] uint64_t bytes() const { return sets.entries() * line_bytes; }
};

struct Options {
  Cache cache{};
  uint64_t page_bytes = 4096;  // what the cache is cut by; with the lines' size each set is a region
  uint64_t pages = 0;  // how many distinct pages are taken as in use at a time; 0: twice what the cache holds
  size_t columns = 64;             // of time
  bool virtual_addresses = false;  // also where physical ones were recorded
  bool samples_alone = false;      // also where the recording says what the TLBs held
  profile::FilterOptions filter{};
  size_t limit = 5;  // of crowded regions, and of what crowds each; 0: all
  // How many regions in how many columns are told of: a recording, or who asks, may name any cache.
  size_t most_cells = size_t{1} << 24;
};

// A part of the time, all of them equally long.
struct Column {
  uint64_t begin_ns = 0;
  uint64_t samples = 0;
  std::vector<uint32_t> ways;  // at its end, of each region; empty: nothing was sampled yet
};

enum class Pressure {
  kFits,      // hardly a region needs more ways than there are
  kConflict,  // regions do, and evenly spread most of that would fit
  kCapacity,  // evenly spread, too, most would not fit
};

struct Map {
  Cache cache;
  uint64_t page_bytes = 0;
  uint64_t pages = 0;
  bool physical = false;     // addresses; else virtual
  uint64_t tlb_states = 0;   // how often the pages that TLBs held were recorded; 0: samples decide
  bool tlb_complete = true;  // all of these pages were
  uint64_t samples = 0;      // with an address
  uint64_t others = 0;       // without: what was not seen
  size_t threads = 0;
  uint64_t begin_ns = 0, end_ns = 0;
  std::vector<Column> columns;
  std::vector<double> mean_ways;  // of each region, over the columns that have any
  Pressure pressure = Pressure::kFits;
  double crowded_regions = 0;  // part of all, the mean over time
  double excess = 0;           // pages that have no place, the mean over time
  double excess_if_even = 0;   // if all regions were needed alike
  // Each page in the region that is needed least when it is first used (Kessler and Hill, "Page Placement
  // Algorithms for Large Real-Indexed Caches", ACM Transactions on Computer Systems 10 (1992)): what page
  // colouring can reach, or padding where addresses are virtual.
  Moved spread;
  // Where addresses are physical: each page in the region of its virtual address, as huge pages place it.
  std::optional<Moved> huge_pages;
  size_t all_crowded = 0;              // before the limit
  std::vector<CrowdedRegion> crowded;  // the largest excess first
};

// Maps of one cache from stretches of time that follow each other, as one: a column each. What crowds
// regions, and what moving pages would save, are the last one's. `maps` is not empty; of a stretch without
// samples `columns` is.
[[nodiscard]] Map join(const std::vector<Map>& maps);

// kInvalidArgument where pages and sets do not fit each other, or there are too many regions; kNotFound where
// no sample has an address.
[[nodiscard]] Result<Map> find_map(const profile::Profile& profile, const Options& options);

}  // namespace hm::map
