// SPDX-License-Identifier: MIT
#include "analysis/overhead/overhead_costs.h"

#include <algorithm>

namespace hm::overhead {
namespace {

std::vector<double> values(const Series& series, double Run::*part) {
  std::vector<double> all;
  for (const Run& run : series.runs) all.push_back(run.*part);
  return all;
}

// Uses the rounds in which both series were run and the base took measurable time.
std::optional<host::Estimate> more_than(const Series& base, const Series& series, double Run::*part) {
  std::vector<double> more;
  for (size_t i = 0; i < std::min(base.runs.size(), series.runs.size()); ++i) {
    if (base.runs[i].*part > 0) more.push_back(series.runs[i].*part / (base.runs[i].*part) - 1);
  }
  if (more.empty()) return std::nullopt;
  return host::median_of(std::move(more));
}

std::optional<double> sampling_rate(const Series& series) {
  uint64_t samples = 0;
  double seconds = 0;
  for (const Run& run : series.runs) {
    samples += run.samples;
    seconds += run.wall_seconds;
  }
  if (samples == 0 || seconds <= 0) return std::nullopt;
  return static_cast<double>(samples) / seconds;
}

}  // namespace

std::vector<Cost> find_costs(const std::vector<Series>& all) {
  std::vector<Cost> costs;
  for (const Series& series : all) {
    Cost cost;
    cost.name = series.name;
    cost.obstacle = series.obstacle;
    if (!series.runs.empty()) {
      cost.wall_seconds = host::median_of(values(series, &Run::wall_seconds));
      cost.cpu_seconds = host::median_of(values(series, &Run::cpu_seconds));
    }
    if (&series != &all.front()) {
      cost.more_wall = more_than(all.front(), series, &Run::wall_seconds);
      cost.more_cpu = more_than(all.front(), series, &Run::cpu_seconds);
    }
    cost.samples_per_second = sampling_rate(series);
    for (const Run& run : series.runs) cost.lost += run.lost;
    costs.push_back(std::move(cost));
  }
  return costs;
}

}  // namespace hm::overhead
