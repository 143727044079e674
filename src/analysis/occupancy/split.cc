// SPDX-License-Identifier: MIT
#include "analysis/occupancy/split.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "analysis/occupancy/names.h"

namespace hm::occupancy {
namespace {

// Fraction of a program's accesses that miss, as a function of its share of the cache.
class MissCurve {
 public:
  // Uses the cache's number of sets, or fewer sets with more ways. Returns nullopt if no cache of this size
  // was recorded.
  static std::optional<MissCurve> of(const SizedProgram& program, const DividedCache& cache) {
    const profile::Sizes& sizes = program.sizes;
    if (sizes.accesses == 0) return std::nullopt;
    uint64_t way_bytes = uint64_t{sizes.line_bytes} * sizes.min_sets;
    for (uint32_t i = sizes.set_counts; i-- > 0;) {
      if (way_bytes << i <= cache.bytes / cache.ways && sizes.bytes(i, sizes.ways) >= cache.bytes)
        return MissCurve(sizes, i, cache);
    }
    return std::nullopt;
  }

  // missed() rounds the share down to whole ways, min_missed() rounds it up.
  [[nodiscard]] double missed(double share) const { return missed_in(std::floor(share * ways_ + kRounding)); }
  [[nodiscard]] double min_missed(double share) const {
    return missed_in(std::ceil(share * ways_ - kRounding));
  }

  [[nodiscard]] bool knows_rate() const { return sizes_.cycles != 0; }
  [[nodiscard]] double accesses_per_cycle() const {
    return static_cast<double>(sizes_.accesses) / static_cast<double>(sizes_.cycles);
  }

 private:
  MissCurve(const profile::Sizes& sizes, uint32_t set_count, const DividedCache& cache)
      : sizes_(sizes),
        set_count_(set_count),
        ways_(static_cast<double>(cache.bytes) / static_cast<double>(sizes.bytes(set_count, 1))) {}

  static constexpr double kRounding = 1e-6;

  [[nodiscard]] double missed_in(double wanted) const {
    auto ways = static_cast<size_t>(std::min(wanted, static_cast<double>(sizes_.ways)));
    if (ways == 0) return 1;
    return static_cast<double>(sizes_.misses[set_count_][ways - 1]) / static_cast<double>(sizes_.accesses);
  }

  const profile::Sizes& sizes_;
  uint32_t set_count_;
  double ways_;  // number of ways if the cache had the sets of `set_count_`
};

bool is_same_command(const SizedProgram& program, const std::string& name) {
  return program.command == command_of(name);
}
// Compares names only up to 15 characters, the maximum length of process names in the kernel.
bool is_same_program(const SizedProgram& program, const std::string& name) {
  constexpr size_t kMost = 15;
  return program_of(program.command).substr(0, kMost) == program_of(command_of(name)).substr(0, kMost);
}

std::optional<MissCurve> curve_of(const Sharer& sharer, const DividedCache& cache,
                                  const std::vector<SizedProgram>& programs) {
  for (auto* is_same : {is_same_command, is_same_program}) {
    for (const SizedProgram& each : programs) {
      if (is_same(each, sharer.name)) return MissCurve::of(each, cache);
    }
  }
  return std::nullopt;
}

// Returns the minimum number of ways beyond which more ways hardly help, leaving at least one. The criterion
// is relative to the misses, not to the accesses, because last-level misses are rare but slow.
uint32_t ways_that_suffice(const MissCurve& curve, uint32_t all_ways) {
  const auto missed = [&](uint32_t ways) { return curve.missed(static_cast<double>(ways) / all_ways); };
  constexpr double kHardlyMore = 1.25;
  double enough = kHardlyMore * missed(all_ways - 1);
  uint32_t ways = 1;
  while (ways + 1 < all_ways && missed(ways) > enough) ++ways;
  return ways;
}

// Returns the number of the victim's ways that minimizes the sum of misses; the largest number breaks ties.
uint32_t ways_for_both(const MissCurve& victim, const MissCurve& neighbour, uint32_t all_ways) {
  bool rates = victim.knows_rate() && neighbour.knows_rate();
  double of_victim = rates ? victim.accesses_per_cycle() : 1;
  double of_neighbour = rates ? neighbour.accesses_per_cycle() : 1;
  uint32_t best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t ways = 1; ways < all_ways; ++ways) {
    double share = static_cast<double>(ways) / all_ways;
    double misses = of_victim * victim.missed(share) + of_neighbour * neighbour.missed(1 - share);
    if (misses > least) continue;
    least = misses;
    best = ways;
  }
  return best;
}

std::optional<PredictedMisses> predict(const std::optional<MissCurve>& curve, double crowded,
                                       double divided) {
  constexpr double kPerMille = 1000;
  if (!curve) return std::nullopt;
  return PredictedMisses{kPerMille * curve->missed(divided), kPerMille * curve->min_missed(crowded),
                         kPerMille * curve->missed(crowded)};
}

}  // namespace

DividedCache divided_cache(const profile::Profile& profile, uint64_t cache_bytes) {
  constexpr uint32_t kMaxWays = 64;  // bits of a mask
  auto last = std::ranges::max_element(profile.features.caches, {}, &record::CacheInfo::level);
  bool known = last != profile.features.caches.end() && last->ways <= kMaxWays;
  return {cache_bytes, known ? last->ways : 0};
}

std::optional<Split> find_split(const Sharer& victim, const Sharer& neighbour, double uncrowded_share,
                                const DividedCache& cache, const std::vector<SizedProgram>& programs) {
  if (cache.ways < 2) return std::nullopt;
  std::optional<MissCurve> of_victim = curve_of(victim, cache, programs),
                           of_neighbour = curve_of(neighbour, cache, programs);
  uint32_t ways = 0;
  if (of_victim && of_neighbour) {
    ways = ways_for_both(*of_victim, *of_neighbour, cache.ways);
  } else if (of_victim) {
    ways = ways_that_suffice(*of_victim, cache.ways);
  } else {
    ways = static_cast<uint32_t>(std::clamp(std::ceil(uncrowded_share * cache.ways), 1.0, cache.ways - 1.0));
  }
  uint64_t all = ~uint64_t{0} >> (64 - cache.ways);
  double share = static_cast<double>(ways) / cache.ways;
  Split split;
  split.neighbour_ways = all >> ways;
  split.victim_ways = all & ~split.neighbour_ways;
  split.victim = predict(of_victim, victim.crowded_share, share);
  split.neighbour = predict(of_neighbour, neighbour.crowded_share, 1 - share);
  return split;
}

Status check_programs(const profile::Profile& profile, uint64_t cache_bytes,
                      const std::vector<SizedProgram>& programs) {
  DividedCache cache = divided_cache(profile, cache_bytes);
  for (const SizedProgram& program : programs) {
    bool was_measured = std::ranges::any_of(profile.occupancy, [&](const profile::OccupancySeries& each) {
      return is_same_command(program, each.name) || is_same_program(program, each.name);
    });
    if (!was_measured)
      return make_error(ErrorCode::kNotFound,
                        "{} is a recording of `{}`, but the occupancy of that program was not recorded",
                        program.input, program.command);
    if (cache.ways == 0 || MissCurve::of(program, cache)) continue;
    uint64_t line = program.sizes.line_bytes, sets = std::bit_floor(cache.bytes / cache.ways / line);
    return make_error(ErrorCode::kInvalidArgument,
                      "{} has no miss counts for a cache of {} KiB: record it with --sizes={}-{},{}",
                      program.input, cache.bytes >> 10, sets, sets,
                      (cache.bytes + sets * line - 1) / (sets * line));
  }
  return {};
}

}  // namespace hm::occupancy
