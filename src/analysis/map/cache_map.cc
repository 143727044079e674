// SPDX-License-Identifier: MIT
#include "analysis/map/cache_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analysis/map/crowd.h"
#include "analysis/map/process_pages.h"
#include "analysis/map/recent_pages.h"
#include "analysis/map/spread.h"
#include "analysis/map/tlb_pages.h"

namespace hm::map {
namespace {

struct Use {
  size_t sample;
  uint64_t address;
  uint64_t time;
};

struct Uses {
  std::vector<Use> all;
  bool physical = false;
  uint64_t others = 0;  // samples without an address
  size_t threads = 0;
  size_t processes = 0;
};

// Returns a time by which samples are ordered.
uint64_t time_of(const profile::TimeAxis& axis, size_t sample) { return axis.at(sample).value_or(sample); }

Uses with_addresses(const profile::Profile& profile, const profile::TimeAxis& axis,
                    const profile::Filter& filter, const profile::Column& addresses) {
  Uses uses;
  std::unordered_set<uint32_t> threads, processes;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (!filter.passes(profile, i)) continue;
    uint64_t address = addresses.at(i).value_or(0);  // perf writes 0 if there is no address
    if (address == 0) {
      ++uses.others;
      continue;
    }
    uses.all.push_back({i, address, time_of(axis, i)});
    threads.insert(profile.samples.thread[i]);
    processes.insert(profile.threads[profile.samples.thread[i]].pid);
  }
  uses.threads = threads.size();
  uses.processes = processes.size();
  // Samples are in order of the clock already; one without a time keeps its place there.
  if (axis.unit() == profile::TimeUnit::kCycles) std::ranges::stable_sort(uses.all, {}, &Use::time);
  return uses;
}

// Chooses physical addresses, which determine the cache sets, if most samples have them. Else chooses virtual
// addresses, by which a modelled cache may be indexed.
Uses choose_uses(const profile::Profile& profile, const profile::TimeAxis& axis,
                 const profile::Filter& filter, bool virtual_addresses) {
  Uses by_virtual = with_addresses(profile, axis, filter, profile.samples.address);
  if (virtual_addresses) return by_virtual;
  Uses by_physical = with_addresses(profile, axis, filter, profile.samples.physical_address);
  by_physical.physical = true;
  bool most = by_physical.all.size() * 10 >= by_virtual.all.size() * 9 && !by_physical.all.empty();
  return most ? by_physical : by_virtual;
}

// Returns the TLB contents at samples that pass the filter. Leaves out contents with pages larger than
// `page_bytes`, and contents with the other kind of addresses.
std::vector<const profile::TlbState*> choose_states(const profile::Profile& profile,
                                                    const profile::TimeAxis& axis,
                                                    const profile::Filter& filter, const Options& options,
                                                    bool physical) {
  std::vector<const profile::TlbState*> states;
  if (options.samples_alone) return states;
  for (const profile::TlbState& state : profile.tlb_states) {
    if (state.physical == physical && state.page_bytes <= options.page_bytes &&
        filter.passes(profile, state.sample))
      states.push_back(&state);
  }
  std::ranges::stable_sort(states, {},
                           [&](const profile::TlbState* state) { return time_of(axis, state->sample); });
  return states;
}

// Fills in the columns and, for each region, the samples that use the region while it is crowded.
class Walk {
 public:
  Walk(const profile::Profile& profile, const profile::TimeAxis& axis, const Options& options,
       const model::CacheRegions& regions, Map& map)
      : map_(map),
        axis_(axis),
        regions_(regions),
        samples_(profile.samples),
        recent_(regions, map.pages),
        pages_(profile, regions, map.physical),
        tlb_(profile, regions, map.page_bytes, pages_),
        crowds_(profile, regions.count()),
        spread_(regions, options.cache.sets.ways, map.pages),
        huge_pages_(regions, options.cache.sets.ways, map.pages),
        virtual_addresses_(profile.samples.address) {}

  void run(const std::vector<Use>& uses, const std::vector<const profile::TlbState*>& states) {
    auto next_state = states.begin();
    map_.begin = uses.front().time;
    map_.end = std::max(uses.back().time, map_.begin + 1);
    size_t next = 0;
    for (size_t i = 0; i < map_.columns.size(); ++i) {
      Column& column = map_.columns[i];
      column.begin = begin_of(i);
      bool last = i + 1 == map_.columns.size();
      for (; next < uses.size() && (last || uses[next].time < begin_of(i + 1)); ++next, ++column.samples) {
        while (next_state != states.end() && is_due(**next_state, uses[next])) tlb_.take(**next_state++);
        use(uses[next]);
      }
      while (next_state != states.end() && (last || time_of(axis_, (*next_state)->sample) < begin_of(i + 1)))
        tlb_.take(**next_state++);
      if (next_state != states.begin() || (states.empty() && next != 0)) column.ways = ways();
    }
    map_.spread = spread_.result();
    if (map_.physical) map_.huge_pages = huge_pages_.result();
  }

  [[nodiscard]] Crowds& crowds() { return crowds_; }

 private:
  [[nodiscard]] uint64_t begin_of(size_t column) const {
    double part = static_cast<double>(column) / static_cast<double>(map_.columns.size());
    return map_.begin + static_cast<uint64_t>(part * static_cast<double>(map_.end - map_.begin));
  }

  // Returns true if the TLBs had this content at the time of the use or before.
  [[nodiscard]] bool is_due(const profile::TlbState& state, const Use& use) const {
    return std::pair(time_of(axis_, state.sample), state.sample) <= std::pair(use.time, use.sample);
  }
  [[nodiscard]] const std::vector<uint32_t>& ways() const {
    return map_.tlb_states != 0 ? tlb_.ways() : recent_.ways();
  }

  void use(const Use& use) {
    uint64_t page = pages_.number(samples_.thread[use.sample], use.address / map_.page_bytes);
    recent_.use(page);
    std::optional<uint64_t> period = samples_.period.at(use.sample);
    spread_.use(page, period, [&] { return spread_.least_needed(); });
    if (map_.physical) huge_pages_.use(page, period, [&] { return huge_region_of(use.sample, page); });
    uint32_t region = regions_.region_of(page);
    if (ways()[region] > map_.cache.sets.ways) crowds_.add(region, use.sample, page);
  }

  // Returns the region of the page's virtual address, which a huge page preserves. A page without a known
  // virtual address keeps its region.
  [[nodiscard]] uint64_t huge_region_of(size_t sample, uint64_t page) const {
    uint64_t address = virtual_addresses_.at(sample).value_or(0);
    return regions_.region_of(address == 0 ? page : address / map_.page_bytes);
  }

  Map& map_;
  const profile::TimeAxis& axis_;
  model::CacheRegions regions_;
  const profile::Samples& samples_;
  RecentPages recent_;
  ProcessPages pages_;
  TlbPages tlb_;
  Crowds crowds_;
  MovedEstimate spread_, huge_pages_;
  const profile::Column& virtual_addresses_;
};

// Computes the means over time from the columns.
void summarize(Map& map) {
  size_t measured = 0;
  uint32_t ways = map.cache.sets.ways;
  for (const Column& column : map.columns) {
    if (column.ways.empty()) continue;
    ++measured;
    double crowded = 0, excess = 0, all = 0;
    for (size_t region = 0; region < column.ways.size(); ++region) {
      uint32_t required = column.ways[region];
      map.mean_ways[region] += required;
      crowded += required > ways ? 1 : 0;
      excess += required > ways ? required - ways : 0;
      all += required;
    }
    auto regions = static_cast<double>(column.ways.size());
    map.crowded_regions += crowded / regions;
    map.excess += excess;
    map.excess_if_even += std::max(0.0, all - regions * ways);
  }
  auto columns = static_cast<double>(std::max<size_t>(measured, 1));
  for (double& mean : map.mean_ways) mean /= columns;
  for (double* sum : {&map.crowded_regions, &map.excess, &map.excess_if_even}) *sum /= columns;

  constexpr double kHardlyAny = 0.005;  // fraction of the regions
  map.pressure = map.crowded_regions < kHardlyAny       ? Pressure::kFits
                 : map.excess_if_even <= map.excess / 2 ? Pressure::kConflict
                                                        : Pressure::kCapacity;
}

// Other data per region takes about as much memory as this number of columns.
constexpr size_t kMinColumns = 16;

// Returns the regions of the cache. Fails with kInvalidArgument if the options do not divide it evenly, or if
// there are too many regions.
Result<model::CacheRegions> regions_of(const Options& options) {
  const Cache& cache = options.cache;
  if (!model::CacheRegions::fits(cache.sets, cache.line_bytes, options.page_bytes)) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "the {} has {} sets of {}-byte lines, which are no multiple of pages of {} bytes: choose another page size",
        cache.name, cache.sets.sets, cache.line_bytes, options.page_bytes);
  }
  model::CacheRegions regions(cache.sets, cache.line_bytes, options.page_bytes);
  if (regions.count() > options.max_cells / std::max(options.columns, kMinColumns)) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "a map of {} regions of the {} in {} columns is too large: choose larger pages or fewer columns",
        regions.count(), cache.name, options.columns);
  }
  return regions;
}

void add_crowded(Map& map, Crowds& crowds, size_t limit) {
  uint32_t ways = map.cache.sets.ways;
  std::vector<std::pair<double, CrowdedRegion>> found;
  for (uint32_t region = 0; region < map.mean_ways.size(); ++region) {
    CrowdedRegion crowded;
    crowded.region = region;
    crowded.ways = map.mean_ways[region];
    double excess = 0, above = 0, measured = 0;
    for (const Column& column : map.columns) {
      if (column.ways.empty()) continue;
      uint32_t required = column.ways[region];
      crowded.max_ways = std::max(crowded.max_ways, required);
      excess += required > ways ? required - ways : 0;
      above += required > ways ? 1 : 0;
      ++measured;
    }
    if (above == 0) continue;
    crowded.crowded = above / measured;
    found.emplace_back(excess, std::move(crowded));
  }
  std::ranges::stable_sort(found, std::greater(), [](const auto& each) { return each.first; });
  map.all_crowded = found.size();
  if (limit != 0 && found.size() > limit) found.resize(limit);
  for (auto& [excess, region] : found) {
    crowds.describe(limit, region);
    map.crowded.push_back(std::move(region));
  }
}

}  // namespace

Result<Map> find_map(const profile::Profile& profile, const Options& options,
                     const symbol::Resolver* resolver) {
  Result<model::CacheRegions> cut = regions_of(options);
  if (!cut) return cut.error();
  const model::CacheRegions& regions = *cut;
  const Cache& cache = options.cache;
  Result<profile::Filter> filter = profile::Filter::make(profile, options.filter, resolver);
  if (!filter) return filter.error();
  profile::TimeAxis axis(profile);
  Uses uses = choose_uses(profile, axis, *filter, options.virtual_addresses);
  if (uses.all.empty()) {
    return make_error(
        ErrorCode::kNotFound,
        "none of the {} samples has a data address: record precise events, events of the software PMU, or clock",
        uses.others);
  }

  Map map;
  map.cache = cache;
  map.page_bytes = options.page_bytes;
  uint64_t held = uint64_t{regions.count()} * cache.sets.ways / regions.ways_of_page();
  map.pages = options.pages != 0 ? options.pages : 2 * std::max<uint64_t>(held, 1);
  map.physical = uses.physical;
  map.unit = axis.unit();
  map.samples = uses.all.size();
  map.others = uses.others;
  map.threads = uses.threads;
  map.processes = uses.processes;
  map.columns.resize(std::max<size_t>(options.columns, 1));
  map.mean_ways.resize(regions.count());
  std::vector<const profile::TlbState*> states =
      choose_states(profile, axis, *filter, options, uses.physical);
  map.tlb_states = states.size();
  map.tlb_complete = std::ranges::all_of(states, &profile::TlbState::complete);
  Walk walk(profile, axis, options, regions, map);
  walk.run(uses.all, states);
  summarize(map);
  add_crowded(map, walk.crowds(), options.limit);
  return map;
}

uint64_t max_sets(const Map& map) {
  uint64_t max_regions = Options{}.max_cells / kMinColumns;
  uint64_t sets_of_region = std::max<uint64_t>(map.page_bytes / map.cache.line_bytes, 1);
  return std::min(Cache::kMaxSets, max_regions * sets_of_region);
}

Map join(const std::vector<Map>& maps) {
  Map joined = maps.back();
  joined.columns.clear();
  joined.samples = joined.others = 0;
  std::ranges::fill(joined.mean_ways, 0);
  joined.crowded_regions = joined.excess = joined.excess_if_even = 0;
  for (const Map& map : maps) {
    bool measured = !map.columns.empty();
    joined.columns.push_back(
        {map.begin, map.samples, measured ? map.columns.back().ways : std::vector<uint32_t>()});
    joined.samples += map.samples;
    joined.others += map.others;
  }
  joined.begin = maps.front().begin;
  summarize(joined);
  return joined;
}

}  // namespace hm::map
