// SPDX-License-Identifier: MIT
#include "host/memory_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace hm::host {
namespace {

std::vector<uint64_t> data_cache_sizes(const std::vector<HostCache>& told) {
  std::vector<uint64_t> sizes;
  for (int level = 1; level <= 4; ++level) {
    auto cache = std::ranges::find_if(
        told, [&](const HostCache& each) { return each.level == level && each.holds_data(); });
    if (cache == told.end()) break;
    sizes.push_back(cache->size_bytes());
  }
  return sizes;
}

std::vector<LevelCost> named_levels(std::vector<Level> found, const std::vector<uint64_t>& told,
                                    uint64_t largest_bytes) {
  bool reaches_memory = found.size() > 1 && (told.empty() || largest_bytes >= 2 * told.back());
  std::optional<Level> memory;
  if (reaches_memory) {
    memory = found.back();
    found.pop_back();
  }
  std::vector<LevelCost> named;
  for (size_t i = 0; i < std::max(found.size(), told.size()); ++i) {
    LevelCost cost{fmt::format("L{}", i + 1), {}, {}, {}, {}};
    if (i < found.size()) cost.found = found[i];
    bool next_is_missing = i + 1 >= found.size() && i + 1 < told.size();
    if (cost.found && next_is_missing) cost.found->capacity_bytes.reset();
    if (i < told.size()) cost.reported_bytes = told[i];
    named.push_back(std::move(cost));
  }
  if (memory) named.push_back({"memory", memory, {}, {}, {}});
  return named;
}

std::optional<Estimate> core_clock(const Curve& small, const Curve& huge) {
  std::vector<double> ghz;
  for (const Curve* curve : {&small, &huge}) {
    for (const Point& point : *curve) ghz.push_back(point.core_ghz);
  }
  if (ghz.empty()) return std::nullopt;
  std::ranges::sort(ghz);
  size_t cut = ghz.size() / 20;
  return Estimate{ghz[ghz.size() / 2], ghz[cut], ghz[ghz.size() - 1 - cut]};
}

size_t unsteady_points(const Curve& curve) {
  return static_cast<size_t>(std::ranges::count_if(curve, std::not_fn(is_steady)));
}

}  // namespace

MemoryCosts memory_costs(Sweep sweep, const std::vector<HostCache>& told, bool virtual_machine) {
  MemoryCosts costs;
  costs.virtual_machine = virtual_machine;
  costs.huge_pages = sweep.huge_share && *sweep.huge_share >= kHugeEnough;
  const Curve& small = sweep.small_pages;
  const Curve& huge = sweep.huge_pages;
  const Curve& clearest = costs.huge_pages ? huge : small;  // the curve without TLB misses
  Levels levels = find_levels(clearest);
  uint64_t largest_bytes = clearest.empty() ? 0 : clearest.back().size_bytes;
  costs.levels = named_levels(std::move(levels.levels), data_cache_sizes(told), largest_bytes);
  for (LevelCost& cost : costs.levels) {
    if (!cost.found) continue;
    cost.small_ns = cost_between(small, cost.found->first_bytes, cost.found->last_bytes);
    if (costs.huge_pages) cost.huge_ns = cost.found->ns;
  }
  costs.rises_at_end = levels.rises_at_end;
  if (costs.huge_pages) costs.small_pages_suffice_to_bytes = small_pages_suffice_to(small, huge);
  costs.unsteady_points = unsteady_points(small) + unsteady_points(huge);
  costs.core_ghz = core_clock(small, huge);
  costs.sweep = std::move(sweep);
  return costs;
}

}  // namespace hm::host
