// SPDX-License-Identifier: MIT
#include "analysis/corun/corun_prediction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "analysis/corun/shared_cache.h"

namespace hm::corun {
namespace {

constexpr double kPerMille = 1000;
// Factor by which the number of the others' lines may deviate from its mean, because programs have phases.
// Determined by simulation: bench/corun.py.
constexpr double kPhases = 1.4;

// Returns the recorded cache nearest to the requested one: with an equal number of sets, or with the next
// lower power of two and more ways.
Result<model::SetGeometry> find_cache(const std::vector<Program>& programs, const Options& options) {
  model::SetGeometry cache{std::bit_floor(options.cache.sets), 0};
  uint64_t lines = options.cache.entries();
  cache.ways = static_cast<uint32_t>((lines + cache.sets / 2) / cache.sets);
  for (const Program& program : programs) {
    const profile::Sizes& sizes = program.sizes;
    if (!sizes.reuses)
      return make_error(ErrorCode::kNotFound,
                        "{} has no reuse distances: record it with --sizes, for all sets and accesses",
                        program.name);
    if (sizes.accesses == 0) return make_error(ErrorCode::kNotFound, "{} has no data accesses", program.name);
    uint32_t most = sizes.sets(sizes.set_counts - 1);
    if (sizes.line_bytes != options.line_bytes || cache.sets < sizes.min_sets || cache.sets > most ||
        cache.ways > sizes.ways)
      return make_error(
          ErrorCode::kInvalidArgument,
          "{} covers {} to {} sets, up to {} ways and lines of {} bytes, not {} sets of {} ways and lines of {}: record with --sizes={}-{},{}, or choose another cache (--cache)",
          program.name, sizes.min_sets, most, sizes.ways, sizes.line_bytes, cache.sets, cache.ways,
          options.line_bytes, std::min(sizes.min_sets, cache.sets), std::max(most, cache.sets),
          std::max(sizes.ways, cache.ways));
  }
  return cache;
}

class Model {
 public:
  Model(const std::vector<Program>& programs, model::SetGeometry cache) : cache_(cache) {
    rates_known_ = std::ranges::all_of(programs, [](const Program& each) { return each.sizes.cycles != 0; });
    for (const Program& program : programs) {
      const profile::Sizes& sizes = program.sizes;
      auto set_count = static_cast<uint32_t>(std::countr_zero(cache.sets / sizes.min_sets));
      reuses_.emplace_back(sizes, set_count);
      rates_.push_back(rates_known_ ? static_cast<double>(sizes.accesses) / static_cast<double>(sizes.cycles)
                                    : 1);
    }
  }

  [[nodiscard]] bool rates_known() const { return rates_known_; }
  [[nodiscard]] double rate(size_t program) const { return rates_[program]; }

  // `group` is a bit mask of programs that includes `program`.
  [[nodiscard]] Member member(size_t program, uint32_t group) const {
    Member member{program, kPerMille * reuses_[program].missed_alone(cache_.ways), {}};
    member.extra.value = extra(program, group, true, 1);
    member.extra.low = extra(program, group, false, 1 / kPhases);
    member.extra.high = extra(program, group, true, kPhases);
    for (auto [spread, times] : {std::pair(true, 1 / kPhases), std::pair(false, kPhases)}) {
      double other = extra(program, group, spread, times);
      member.extra.low = std::min(member.extra.low, other);
      member.extra.high = std::max(member.extra.high, other);
    }
    return member;
  }

  // Returns the extra misses of a group that shares a cache, per 1000 cycles.
  [[nodiscard]] double extra_of(uint32_t group) const {
    double sum = 0;
    for (size_t i = 0; i < reuses_.size(); ++i)
      sum += (group >> i & 1) != 0 ? rates_[i] * extra(i, group, true, 1) : 0;
    return sum;
  }

 private:
  // `times` scales the mean number of lines that the other programs use.
  [[nodiscard]] double extra(size_t program, uint32_t group, bool spread, double times) const {
    const auto lines_of_others = [&](double accesses) {
      double lines = 0;
      for (size_t i = 0; i < reuses_.size(); ++i) {
        if (i != program && (group >> i & 1) != 0)
          lines += reuses_[i].lines_in(accesses * rates_[i] / rates_[program]);
      }
      return times * lines / cache_.sets;
    };
    return kPerMille * reuses_[program].missed_beside(cache_.ways, spread, lines_of_others);
  }

  model::SetGeometry cache_;
  bool rates_known_ = false;
  std::vector<Reuses> reuses_;
  std::vector<double> rates_;  // accesses per cycle
};

Estimate weighed(const Estimate& estimate, double weight) {
  return {estimate.value * weight, estimate.low * weight, estimate.high * weight};
}

Estimate operator+(const Estimate& a, const Estimate& b) {
  return {a.value + b.value, a.low + b.low, a.high + b.high};
}

std::vector<Pair> find_pairs(const Model& model, size_t programs) {
  std::vector<Pair> pairs;
  for (size_t a = 0; a < programs; ++a) {
    for (size_t b = a + 1; b < programs; ++b) {
      uint32_t group = 1u << a | 1u << b;
      Pair pair{{model.member(a, group), model.member(b, group)}, {}, Fit::kUnclear};
      pair.extra =
          weighed(pair.members[0].extra, model.rate(a)) + weighed(pair.members[1].extra, model.rate(b));
      pair.fit = pair.extra.high <= kFew  ? Fit::kFits
                 : pair.extra.low <= kFew ? Fit::kUnclear
                                          : Fit::kCollides;
      pairs.push_back(pair);
    }
  }
  std::ranges::stable_sort(pairs, std::greater(), [](const Pair& each) { return each.extra.value; });
  return pairs;
}

// Searches all placements that distribute the programs evenly: at most ceil(programs / caches) on each cache.
class Placing {
 public:
  Placing(const Model& model, size_t programs, size_t caches)
      : model_(model), programs_(programs), most_((programs + caches - 1) / caches), groups_(caches) {}

  Placement best() {
    place(0);
    Placement placement{{}, least_, max_extra_};
    for (uint32_t group : best_) {
      std::vector<size_t>& cache = placement.caches.emplace_back();
      for (size_t i = 0; i < programs_; ++i) {
        if ((group >> i & 1) != 0) cache.push_back(i);
      }
    }
    return placement;
  }

 private:
  void place(size_t program) {
    if (program == programs_) return note();
    for (uint32_t& group : groups_) {
      bool was_empty = group == 0;
      if (static_cast<size_t>(std::popcount(group)) < most_) {
        group |= 1u << program;
        place(program + 1);
        group &= ~(1u << program);
      }
      if (was_empty) return;  // empty caches are interchangeable
    }
  }

  void note() {
    double sum = 0;
    for (uint32_t group : groups_) sum += extra_of(group);
    max_extra_ = std::max(max_extra_, sum);
    if (!best_.empty() && sum >= least_) return;
    least_ = sum;
    best_ = groups_;
  }

  double extra_of(uint32_t group) {
    auto [found, is_new] = known_.try_emplace(group);
    if (is_new) found->second = model_.extra_of(group);
    return found->second;
  }

  const Model& model_;
  size_t programs_, most_;
  std::vector<uint32_t> groups_, best_;
  double least_ = 0, max_extra_ = 0;
  std::unordered_map<uint32_t, double> known_;
};

}  // namespace

Result<Corun> predict(const std::vector<Program>& programs, const Options& options) {
  if (programs.size() < 2)
    return make_error(
        ErrorCode::kInvalidArgument,
        "only one recording is given: add a recording of the program to share the cache with it");
  constexpr size_t kMaxPrograms = 32;
  size_t most = options.caches == 0 ? kMaxPrograms : kMaxPlaced;
  if (programs.size() > most)
    return make_error(ErrorCode::kInvalidArgument, "{} recordings are given; at most {} can be compared",
                      programs.size(), most);
  Result<model::SetGeometry> cache = find_cache(programs, options);
  if (!cache) return cache.error();
  Model model(programs, *cache);
  Corun corun{*cache, model.rates_known(), find_pairs(model, programs.size()), {}};
  if (options.caches != 0) corun.placement = Placing(model, programs.size(), options.caches).best();
  return corun;
}

}  // namespace hm::corun
