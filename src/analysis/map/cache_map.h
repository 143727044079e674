// SPDX-License-Identifier: MIT
// Shows which regions of a cache a program crowds, when, and with which data. Computes the required
// associativity of each region over time from the pages of the sampled data addresses (Ogawa and Hiraki, "An
// Estimation for CPU cache usage condition with TLB Information"). The result is an estimate because only
// sampled pages are known.
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
#include "profile/time_axis.h"

namespace hm::map {

struct Cache {
  std::string name;  // "L2"
  model::SetGeometry sets;
  uint32_t line_bytes = 64;

  static constexpr uint64_t kMaxSets = uint64_t{1} << 26;

  [[nodiscard]] uint64_t bytes() const { return sets.entries() * line_bytes; }
};

struct Options {
  Cache cache{};
  uint64_t page_bytes =
      4096;  // region size: the sets that a page covers; with the line size, each set is a region
  uint64_t pages =
      0;  // number of recent distinct pages considered in use; 0: twice as many as the cache holds
  size_t columns = 64;             // number of time columns
  bool virtual_addresses = false;  // use virtual addresses even if physical ones were recorded
  bool samples_alone = false;      // ignore recorded TLB contents
  profile::FilterOptions filter{};
  size_t limit = 5;  // maximum number of crowded regions, and of names for each; 0: all
  // Maximum number of regions times columns. Limits the memory, because a recording or a user may name any
  // cache.
  size_t max_cells = size_t{1} << 24;
};

// One of equally long intervals of time.
struct Column {
  uint64_t begin = 0;  // on the map's axis
  uint64_t samples = 0;
  std::vector<uint32_t>
      ways;  // required associativity of each region at the end of the column; empty: no sample so far
};

enum class Pressure {
  kFits,      // almost no region needs more ways than the cache has
  kConflict,  // some regions do, but most of the excess would fit if evenly spread
  kCapacity,  // most of the excess would not fit even if evenly spread
};

struct Map {
  Cache cache;
  uint64_t page_bytes = 0;
  uint64_t pages = 0;
  bool physical = false;     // true: physical addresses; false: virtual
  uint64_t tlb_states = 0;   // number of recorded TLB contents; 0: the map relies on samples
  bool tlb_complete = true;  // all recorded TLB contents were complete
  uint64_t samples = 0;      // with an address
  uint64_t others = 0;       // without an address
  size_t threads = 0;
  size_t processes = 0;
  profile::TimeUnit unit = profile::TimeUnit::kNanoseconds;
  uint64_t begin = 0, end = 0;  // in this unit
  std::vector<Column> columns;
  std::vector<double> mean_ways;  // of each region, over the columns with data
  Pressure pressure = Pressure::kFits;
  double crowded_regions = 0;  // crowded fraction of all regions, the mean over time
  double excess = 0;           // sum over regions of the ways needed beyond the cache's, the mean over time
  double excess_if_even = 0;   // excess if all regions were needed equally
  // Estimate with each page moved, on first use, to the least needed region (Kessler and Hill, "Page
  // Placement Algorithms for Large Real-Indexed Caches", ACM Transactions on Computer Systems 10 (1992)).
  // This is the limit of page colouring or, with virtual addresses, of padding.
  Moved spread;
  // For physical addresses: estimate with each page in the region of its virtual address, as with huge pages.
  std::optional<Moved> huge_pages;
  size_t all_crowded = 0;              // before the limit
  std::vector<CrowdedRegion> crowded;  // largest excess first
};

// Joins maps of one cache for successive time intervals into one map with a column per interval. The crowded
// regions and the estimates for moved pages are those of the last map. `maps` must not be empty. A map
// without samples must have no columns.
[[nodiscard]] Map join(const std::vector<Map>& maps);

// Returns the largest number of sets for which find_map() can make a map of one column with the page size and
// lines of `map`.
[[nodiscard]] uint64_t max_sets(const Map& map);

// Fails with kInvalidArgument if the page size and the sets do not fit each other, or if there are too many
// regions. Fails with kNotFound if no sample has an address.
// `resolver`: not null if the filter's function may be inlined.
[[nodiscard]] Result<Map> find_map(const profile::Profile& profile, const Options& options,
                                   const symbol::Resolver* resolver = nullptr);

}  // namespace hm::map
