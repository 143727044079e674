// SPDX-License-Identifier: MIT
#include "app/measure/soft/burst_errors.h"

#include <algorithm>
#include <cmath>

#include "base/student_t.h"
#include "pmu/soft/launcher/burst_estimate.h"

namespace hm::measure {

std::optional<double> relative_error(const soft::BurstSums& sums, event::EventId id) {
  unsigned i = event::index_of(id);
  if (sums.bursts < 2 || sums.events[i] == 0) return std::nullopt;
  auto bursts = static_cast<double>(sums.bursts), events = static_cast<double>(sums.events[i]);
  double ratio = events / static_cast<double>(sums.slots);
  double squares = static_cast<double>(sums.events_squared[i].value()) -
                   2 * ratio * static_cast<double>(sums.products[i].value()) +
                   ratio * ratio * static_cast<double>(sums.slots_squared.value());
  double variance = std::max(squares, 0.0) * bursts / (bursts - 1);
  return student_t(bursts - 1) * std::sqrt(variance) / events;
}

std::optional<double> relative_error(const soft::Totals& totals, event::EventId id, bool in_episodes) {
  std::optional<double> error = relative_error(in_episodes ? totals.episodes : totals.bursts, id);
  unsigned i = event::index_of(id);
  if (error)
    *error *= soft::BurstEstimate(totals).estimated_part(totals.counted.events[i], totals.exact.events[i]);
  return error;
}

std::optional<double> wait_share_error(const soft::Totals& totals, bool in_episodes) {
  const soft::BurstSums& sums = in_episodes ? totals.episodes : totals.bursts;
  const auto value = [](const soft::WideSum& sum) { return static_cast<double>(sum.value()); };
  constexpr unsigned kWaits = event::index_of(event::EventId::kMemoryWait);
  soft::BurstEstimate estimate(totals);
  auto all_cycles = static_cast<double>(estimate.all(totals.counted.cycles, totals.exact.cycles));
  auto all_waits =
      static_cast<double>(estimate.all(totals.counted.events[kWaits], totals.exact.events[kWaits]));
  if (sums.bursts < 2 || sums.slots == 0 || all_cycles <= 0) return std::nullopt;
  auto bursts = static_cast<double>(sums.bursts), slots = static_cast<double>(sums.slots);
  // A burst's contribution to the share is off by waits - share * cycles - mean * slots.
  double share = all_waits / all_cycles;
  double mean = (static_cast<double>(sums.events[kWaits]) - share * static_cast<double>(sums.cycles)) / slots;
  double squares = value(sums.events_squared[kWaits]) + share * share * value(sums.cycles_squared) +
                   mean * mean * value(sums.slots_squared) - 2 * share * value(sums.cycles_by_waits) -
                   2 * mean * value(sums.products[kWaits]) + 2 * share * mean * value(sums.cycles_by_slots);
  double variance = std::max(squares, 0.0) * bursts / (bursts - 1);
  auto estimated_slots = static_cast<double>(totals.slots - totals.exact.slots);
  return student_t(bursts - 1) * std::sqrt(variance) * estimated_slots / slots / all_cycles;
}

double unseen_share(const soft::Totals& totals, bool in_episodes) {
  constexpr double kMissedAt = 0.05;
  if (totals.slots == 0) return 0;
  double part = static_cast<double>(totals.slots - totals.exact.slots) / static_cast<double>(totals.slots);
  uint64_t observations = (in_episodes ? totals.episodes : totals.bursts).bursts;
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
