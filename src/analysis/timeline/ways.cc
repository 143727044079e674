// SPDX-License-Identifier: MIT
#include "analysis/timeline/ways.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace hm::timeline {
namespace {

constexpr std::array<std::string_view, 6> kNames{"none", "even", "share", "ratio", "dwell", "cycles"};

double sum_of(const std::vector<double>& parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); }

void scale_to_one(std::vector<double>& parts) {
  double sum = sum_of(parts);
  for (double& part : parts) part /= sum;
}

std::vector<double> even(size_t count) { return std::vector<double>(count, 1 / static_cast<double>(count)); }

std::vector<double> by_share(std::span<const Stretch> stretches) {
  std::vector<double> parts(stretches.size());
  std::ranges::transform(stretches, parts.begin(), &Stretch::share);
  parts.back() = 0;
  double taken = sum_of(parts);
  if (taken > 1)
    scale_to_one(parts);
  else
    parts.back() = 1 - taken;
  return parts;
}

std::vector<double> in_ratio_of(std::span<const Stretch> stretches, double Stretch::*weight) {
  std::vector<double> parts(stretches.size());
  std::ranges::transform(stretches, parts.begin(), weight);
  if (sum_of(parts) <= 0) return even(parts.size());
  scale_to_one(parts);
  return parts;
}

std::vector<double> by_cycles(std::span<const Stretch> stretches) {
  double cycles = 0, counted = 0;
  for (const Stretch& stretch : stretches.first(stretches.size() - 1)) {
    cycles += stretch.cycles;
    counted += stretch.cycles != 0 ? 1 : 0;
  }
  if (counted == 0) return in_ratio_of(stretches, &Stretch::dwell);
  std::vector<double> parts;
  for (size_t i = 0; i < stretches.size(); ++i) {
    bool known = i + 1 < stretches.size() && stretches[i].cycles != 0;
    parts.push_back(known ? stretches[i].cycles : cycles / counted);
  }
  scale_to_one(parts);
  return parts;
}

}  // namespace

std::string_view name_of(Way way) { return kNames[static_cast<size_t>(way)]; }

std::optional<Way> way_named(std::string_view name) {
  auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Way>(found - kNames.begin());
}

std::vector<double> divide(Way way, std::span<const Stretch> stretches) {
  switch (way) {
    case Way::kNone:
      break;
    case Way::kEven:
      return even(stretches.size());
    case Way::kShare:
      return by_share(stretches);
    case Way::kRatio:
      return in_ratio_of(stretches, &Stretch::share);
    case Way::kDwell:
      return in_ratio_of(stretches, &Stretch::dwell);
    case Way::kCycles:
      return by_cycles(stretches);
  }
  std::vector<double> sample_alone(stretches.size(), 0);
  sample_alone.back() = 1;
  return sample_alone;
}

}  // namespace hm::timeline
