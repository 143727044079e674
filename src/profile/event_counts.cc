// SPDX-License-Identifier: MIT
#include "profile/event_counts.h"

#include <algorithm>
#include <cmath>

namespace hm::profile {
namespace {

constexpr double kZ95 = 1.959963984540054;  // the normal distribution's 97.5 % quantile

}  // namespace

Share wilson_share(double p, double samples) {
  double z2 = kZ95 * kZ95;
  double center = (p + z2 / (2 * samples)) / (1 + z2 / samples);
  double half = kZ95 / (1 + z2 / samples) * std::sqrt(p * (1 - p) / samples + z2 / (4 * samples * samples));
  return {p, std::max(0.0, center - half), std::min(1.0, center + half)};
}

void EventCount::add(std::optional<uint64_t> period) { add(EventCount{1, period}); }

void EventCount::add(const EventCount& other) {
  samples += other.samples;
  if (!other.estimated)
    estimated.reset();
  else if (estimated)
    *estimated = *other.estimated > UINT64_MAX - *estimated ? UINT64_MAX : *estimated + *other.estimated;
}

EventTotals::EventTotals(const Profile& profile) : EventTotals(profile.events.size()) {
  const Samples& samples = profile.samples;
  for (size_t i = 0; i < samples.size(); ++i) add(samples.event[i], samples.period.at(i));
  Origin origin = profile.origin();
  if (!origin.in_bursts) return;
  for (const Event& event : profile.events) {
    auto error = origin.relative_errors.find(event.name);
    double deviation = error == origin.relative_errors.end() ? 1 : error->second / kZ95;
    most_effective_.push_back(1 / std::max(deviation * deviation, 1e-12));
  }
}

void EventTotals::add(uint32_t event, std::optional<uint64_t> period) {
  counts_[event].add(period);
  auto weight = static_cast<double>(period.value_or(1));
  squares_[event] += weight * weight;
}

double EventTotals::effective_samples(uint32_t event) const {
  const EventCount& whole = counts_[event];
  auto samples = static_cast<double>(whole.samples);
  if (whole.estimated && *whole.estimated != 0) {
    auto sum = static_cast<double>(*whole.estimated);
    samples = sum * sum / squares_[event];
  }
  return most_effective_.empty() ? samples : std::min(samples, most_effective_[event]);
}

std::optional<Share> EventTotals::share(uint32_t event, const EventCount& part) const {
  const EventCount& whole = counts_[event];
  if (whole.samples == 0) return std::nullopt;
  double effective = effective_samples(event);
  if (!whole.estimated || *whole.estimated == 0)
    return wilson_share(static_cast<double>(part.samples) / static_cast<double>(whole.samples), effective);
  auto sum = static_cast<double>(*whole.estimated);
  return wilson_share(static_cast<double>(part.estimated.value_or(0)) / sum, effective);
}

}  // namespace hm::profile
