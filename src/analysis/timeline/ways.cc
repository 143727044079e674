// SPDX-License-Identifier: MIT
#include "analysis/timeline/ways.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace hm::timeline {
namespace {

constexpr std::array<std::string_view, 7> kNames{"none", "even", "share", "ratio", "dwell", "mix", "cycles"};

double sum_of(std::span<const double> parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); }

void even(std::span<double> parts) { std::ranges::fill(parts, 1 / static_cast<double>(parts.size())); }

void in_ratio(std::span<double> parts) {
  double sum = sum_of(parts);
  if (sum <= 0) return even(parts);
  double scale = 1 / sum;
  for (double& part : parts) part *= scale;
}

void by_share(std::span<double> parts) {
  parts.back() = 0;
  double taken = sum_of(parts);
  if (taken > 1)
    in_ratio(parts);
  else
    parts.back() = 1 - taken;
}

void by_cycles(std::span<const uint16_t> cycles, std::span<double> parts) {
  double sum = 0, counted = 0;
  for (uint16_t each : cycles) {
    sum += each;
    counted += each != 0 ? 1 : 0;
  }
  if (counted != 0) {
    for (size_t i = 0; i < parts.size(); ++i) parts[i] = cycles[i] != 0 ? cycles[i] : sum / counted;
  }
  in_ratio(parts);
}

}  // namespace

std::string_view name_of(Way way) { return kNames[static_cast<size_t>(way)]; }

std::optional<Way> way_named(std::string_view name) {
  auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Way>(found - kNames.begin());
}

Weight weight_of(Way way) {
  return way == Way::kDwell || way == Way::kMix || way == Way::kCycles ? Weight::kDwell : Weight::kShare;
}

void divide(Way way, std::span<const uint16_t> cycles, std::span<double> parts) {
  switch (way) {
    case Way::kNone:
      std::ranges::fill(parts, 0);
      parts.back() = 1;
      return;
    case Way::kEven:
      return even(parts);
    case Way::kShare:
      return by_share(parts);
    case Way::kRatio:
    case Way::kDwell:
    case Way::kMix:
      return in_ratio(parts);
    case Way::kCycles:
      return by_cycles(cycles, parts);
  }
}

}  // namespace hm::timeline
