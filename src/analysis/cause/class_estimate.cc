// SPDX-License-Identifier: MIT
#include "analysis/cause/class_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "analysis/cause/event_subject.h"
#include "analysis/cause/shape.h"

namespace hm::cause {
namespace {

using profile::ObjectKind;
using record::MissClass;

constexpr size_t kFewestSamples = 20;

// A walk by constant steps returns to the lines of the previous round. The number of lines and the number of
// sets that they map to determine whether the lines are still cached.
std::optional<ClassEstimate> judge_walk(const Observed& place, const CacheShape& cache) {
  uint64_t step = magnitude(place.step_bytes.value_or(0));
  if (step < 2 * cache.line_bytes) return std::nullopt;
  auto [least, most] = std::ranges::minmax(place.addresses);
  uint64_t walked = (most - least) / step + 1;
  uint64_t sets = cache.sets_of_stride(step);
  if (walked <= sets * cache.ways || walked > cache.lines()) return std::nullopt;
  return ClassEstimate{MissClass::kConflict, fmt::format("{} lines {} bytes apart lie in {} of {} sets",
                                                         walked, step, sets, cache.sets)};
}

// Few lines may miss because of accesses elsewhere. Lines conflict with each other only if they exceed the
// capacity of their sets.
std::optional<ClassEstimate> judge_sets(const Observed& place, const CacheShape& cache) {
  double sets = effective_sets(place.addresses, cache);
  if (sets > static_cast<double>(cache.sets) / 4) return std::nullopt;
  std::unordered_set<uint64_t> lines;
  for (uint64_t address : place.addresses) lines.insert(address / cache.line_bytes);
  if (static_cast<double>(lines.size()) <= sets * static_cast<double>(cache.ways)) return std::nullopt;
  return ClassEstimate{MissClass::kConflict,
                       fmt::format("the misses are in about {:.0f} of {} sets", sets, cache.sets)};
}

// If each line is missed about once, the miss may be its first use. Excludes memory that the program reads,
// since it must have written that memory before, except for file mappings.
std::optional<ClassEstimate> judge_first_use(const Observed& place, const CacheShape& cache) {
  uint64_t lines = lines_spanned(place.addresses, cache.line_bytes);
  bool once = place.events > 0 && place.events < 1.5 * static_cast<double>(lines);
  if (!once || (!place.stores && place.memory != ObjectKind::kFile)) return std::nullopt;
  return ClassEstimate{MissClass::kCompulsory, "each line misses about once"};
}

}  // namespace

double CacheShape::part_kept_by_chance(uint64_t others) const {
  constexpr double kMany = 500;  // above this mean, the normal approximation is practically a step function
  if (sets == 0) return 0;
  if (others < ways) return 1;
  double mean = static_cast<double>(others) / static_cast<double>(sets);
  if (mean > kMany) return static_cast<double>(ways) > mean ? 1 : 0;
  double of_count = std::exp(-mean), kept = 0;
  for (uint64_t count = 0; count < ways && static_cast<double>(count) < 4 * kMany; ++count) {
    kept += of_count;
    of_count *= mean / static_cast<double>(count + 1);
  }
  return kept;
}

uint64_t CacheShape::sets_of_stride(uint64_t bytes) const {
  uint64_t way_bytes = sets * line_bytes;
  return way_bytes / std::max(line_bytes, std::gcd(bytes, way_bytes));
}

std::optional<CacheShape> cache_of(std::string_view event, const std::vector<record::CacheInfo>& caches) {
  if (event == "shared_line_hit") return CacheShape{};  // lines of any cache
  uint32_t level = is_about_code(event) ? 0 : cache_level_of(event);
  for (const record::CacheInfo& cache : caches) {
    bool usable = cache.sets != 0 && cache.ways != 0 && cache.line_bytes != 0;
    if (level != 0 && cache.level == level && cache.type != "Instruction" && usable)
      return CacheShape{cache.line_bytes, cache.sets, cache.ways};
  }
  return std::nullopt;
}

std::optional<ClassEstimate> estimate_class(const Observed& place, const std::optional<CacheShape>& cache) {
  if (!cache || place.addresses.size() < kFewestSamples) return std::nullopt;
  if (place.modified_elsewhere >= 0.5)
    return ClassEstimate{MissClass::kSharing, "the lines come from other cores"};
  if (cache->sets == 0) return std::nullopt;
  if (auto walk = judge_walk(place, *cache)) return walk;
  if (auto sets = judge_sets(place, *cache)) return sets;
  if (auto first = judge_first_use(place, *cache)) return first;
  return ClassEstimate{MissClass::kCapacity, "lines of all sets miss more than once"};
}

uint64_t lines_spanned(std::span<const uint64_t> addresses, uint64_t line_bytes) {
  constexpr uint64_t kFarWider = 32, kNarrow = 64;
  std::vector<uint64_t> lines;
  lines.reserve(addresses.size());
  for (uint64_t address : addresses) lines.push_back(address / line_bytes);
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  if (lines.size() < 2) return lines.size();
  std::vector<uint64_t> gaps;
  for (size_t i = 1; i < lines.size(); ++i) gaps.push_back(lines[i] - lines[i - 1]);
  std::vector<uint64_t> order = gaps;
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2));
  uint64_t usual = order[order.size() / 2];
  uint64_t widest = std::max(kNarrow, kFarWider * usual);
  uint64_t spanned = usual;
  for (uint64_t gap : gaps) spanned += gap > widest ? usual : gap;
  return spanned;
}

double effective_sets(std::span<const uint64_t> addresses, const CacheShape& cache) {
  auto samples = static_cast<double>(addresses.size());
  if (addresses.size() < 2) return samples;
  std::unordered_map<uint64_t, double> by_set;
  for (uint64_t address : addresses) ++by_set[address / cache.line_bytes % cache.sets];
  double pairs = 0;  // pairs of samples in one set
  for (const auto& [set, count] : by_set) pairs += count * (count - 1);
  return pairs == 0 ? static_cast<double>(cache.sets) : samples * (samples - 1) / pairs;
}

}  // namespace hm::cause
