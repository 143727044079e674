// SPDX-License-Identifier: MIT
#include "analysis/corun/shared_cache.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hm::corun {
namespace {

double sum_of(const std::array<double, model::kReuseClasses>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Scales `values` to the given sum. If all values are 0, puts the whole sum at `usual_time`.
void scale_to(double sum, uint32_t usual_time, std::array<double, model::kReuseClasses>& values) {
  double before = sum_of(values);
  if (before == 0) values[usual_time] = before = 1;
  for (double& value : values) value *= sum / before;
}

double mean_time(uint32_t time) {
  auto begin = static_cast<double>(model::reuse_class_begin(time));
  return (begin + static_cast<double>(model::reuse_class_begin(time + 1)) - 1) / 2;
}

// Returns the probability that a Poisson variable with this mean is at least `least`.
double poisson_at_least(double mean, uint32_t least) {
  double term = std::exp(-mean), below = 0;
  for (uint32_t i = 0; i < least; ++i) {
    below += term;
    term *= mean / (i + 1);
  }
  return std::max(0.0, 1 - below);
}

}  // namespace

// The counts per depth are exact, but reuse times were sampled for only part of the accesses.
Reuses::Reuses(const profile::Sizes& sizes, uint32_t set_count) : reuses_(sizes.ways + 1) {
  auto accesses = static_cast<double>(std::max<uint64_t>(sizes.accesses, 1));
  misses_.push_back(1);
  for (uint64_t misses : sizes.misses[set_count]) misses_.push_back(static_cast<double>(misses) / accesses);
  double sampled_hits = 0;
  for (const profile::Reuse& reuse : *sizes.reuses) {
    if (reuse.set_count != set_count) continue;
    reuses_[reuse.depth][reuse.time] += static_cast<double>(reuse.count);
    sampled_hits += reuse.depth < sizes.ways ? static_cast<double>(reuse.count) : 0;
  }
  for (uint32_t depth = 0; depth < sizes.ways; ++depth) {
    // Assumed reuse time if a depth has no samples: one access per line of all sets at lower depths.
    uint32_t usual_time = model::reuse_class(uint64_t{sizes.sets(set_count)} * (depth + 1));
    scale_to(misses_[depth] - misses_[depth + 1], usual_time, reuses_[depth]);
  }
  double hits = 1 - misses_.back(), deeper = sum_of(reuses_.back());
  double again = sampled_hits == 0 ? 0 : std::min(deeper * hits / sampled_hits, misses_.back());
  never_again_ = misses_.back() - again;
  scale_to(again, model::kReuseClasses - 1, reuses_.back());
  for (const OfTimes& row : reuses_) {
    for (uint32_t time = 0; time < model::kReuseClasses; ++time) of_times_[time] += row[time];
  }
}

double Reuses::lines_in(double accesses) const {
  double lines = never_again_ * accesses;
  for (uint32_t time = 0; time < model::kReuseClasses; ++time) {
    if (of_times_[time] != 0) lines += of_times_[time] * std::min(mean_time(time), accesses);
  }
  return lines;
}

double Reuses::missed_alone(uint32_t ways) const { return misses_[ways]; }

double Reuses::missed_beside(uint32_t ways, bool spread,
                             const std::function<double(double)>& lines_of_others) const {
  double missed = 0;
  for (uint32_t time = 0; time < model::kReuseClasses; ++time) {
    if (of_times_[time] == 0) continue;
    double others = lines_of_others(mean_time(time));
    for (uint32_t depth = 0; depth < ways; ++depth) {
      double gone = spread ? poisson_at_least(others, ways - depth) : others >= ways - depth ? 1 : 0;
      missed += reuses_[depth][time] * gone;
    }
  }
  return missed;
}

}  // namespace hm::corun
