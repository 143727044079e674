// SPDX-License-Identifier: MIT
#include "app/measure/soft/burst_errors.h"

#include <algorithm>
#include <cmath>

#include "base/student_t.h"
#include "pmu/soft/launcher/burst_estimate.h"

namespace hm::measure {

BurstErrors::BurstErrors(const soft::Totals& totals, bool in_episodes)
    : totals_(totals),
      in_episodes_(in_episodes),
      groups_((in_episodes ? totals.episodes : totals.bursts).in_order()),
      selection_(in_episodes ? Selection::kRandom : Selection::kEvenlySpread) {
  soft::BurstGroup sum{};
  for (const soft::BurstGroup& each : groups_) sum.add(each);
  sums_ = sum.counted;
}

double BurstErrors::half_width(const std::vector<double>& deviations) const {
  SumError error = sum_error(deviations, selection_);
  return student_t(error.degrees) * std::sqrt(error.variance);
}

std::optional<double> BurstErrors::of_total(event::EventId id) const {
  unsigned i = event::index_of(id);
  if (groups_.size() < 2 || sums_.events[i] == 0) return std::nullopt;
  auto events = static_cast<double>(sums_.events[i]), slots = static_cast<double>(sums_.slots);
  std::vector<double> deviations;
  for (const soft::BurstGroup& each : groups_)
    deviations.push_back(static_cast<double>(each.counted.events[i]) / events -
                         static_cast<double>(each.counted.slots) / slots);
  return half_width(deviations) *
         soft::BurstEstimate(totals_).estimated_part(totals_.counted.events[i], totals_.exact.events[i]);
}

std::optional<double> BurstErrors::of_wait_share() const {
  constexpr unsigned kWaits = event::index_of(event::EventId::kMemoryWait);
  soft::BurstEstimate estimate(totals_);
  auto all_cycles = static_cast<double>(estimate.all(totals_.counted.cycles, totals_.exact.cycles));
  auto all_waits =
      static_cast<double>(estimate.all(totals_.counted.events[kWaits], totals_.exact.events[kWaits]));
  if (groups_.size() < 2 || sums_.events[kWaits] == 0 || all_cycles <= 0) return std::nullopt;
  // A burst's contribution to the share is off by waits - share * cycles, beyond the mean of all slots.
  double share = all_waits / all_cycles;
  const auto off = [&](const soft::Counted& counted) {
    return static_cast<double>(counted.events[kWaits]) - share * static_cast<double>(counted.cycles);
  };
  auto slots = static_cast<double>(sums_.slots);
  double mean = off(sums_) / slots;
  std::vector<double> deviations;
  for (const soft::BurstGroup& each : groups_)
    deviations.push_back(off(each.counted) - mean * static_cast<double>(each.counted.slots));
  auto estimated_slots = static_cast<double>(totals_.slots - totals_.exact.slots);
  return half_width(deviations) * estimated_slots / slots / all_cycles;
}

std::optional<double> BurstErrors::unseen_waits() const {
  constexpr unsigned kWaits = event::index_of(event::EventId::kMemoryWait);
  if (groups_.size() < 2 || sums_.events[kWaits] != 0) return std::nullopt;
  return unseen_share(totals_, in_episodes_);
}

double unseen_share(const soft::Totals& totals, bool in_episodes) {
  constexpr double kMissedAt = 0.05;
  if (totals.slots == 0) return 0;
  double part = static_cast<double>(totals.slots - totals.exact.slots) / static_cast<double>(totals.slots);
  uint64_t observations = (in_episodes ? totals.episodes : totals.bursts).bursts();
  return observations == 0 ? part : part * (1 - std::pow(kMissedAt, 1 / static_cast<double>(observations)));
}

sizes::SampledMisses burst_misses(std::span<const model::SizeCounts> batches, uint64_t accesses,
                                  uint32_t set_count, uint32_t ways) {
  double count = 0, all_accesses = 0, all_misses = 0, squares = 0;
  for (const model::SizeCounts& batch : batches) {
    if (batch.accesses == 0) continue;
    ++count;
    all_accesses += static_cast<double>(batch.accesses);
    all_misses += static_cast<double>(batch.misses(set_count, ways));
  }
  if (count < 2) return {0, accesses};
  double ratio = all_misses / all_accesses;
  for (const model::SizeCounts& batch : batches) {
    double off =
        static_cast<double>(batch.misses(set_count, ways)) - ratio * static_cast<double>(batch.accesses);
    squares += off * off;
  }
  double error = student_t(count - 1) * std::sqrt(squares * count / (count - 1)) / all_accesses;
  auto all = static_cast<double>(accesses);
  return {static_cast<uint64_t>(all * ratio), static_cast<uint64_t>(std::ceil(all * std::min(error, 1.0)))};
}

}  // namespace hm::measure
