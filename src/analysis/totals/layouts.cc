// SPDX-License-Identifier: MIT
#include "analysis/totals/layouts.h"

#include <algorithm>

namespace hm::totals {
namespace {

struct Spread {
  uint64_t median;
  CountRange range;
};

Spread spread_of(std::vector<uint64_t> counts) {
  std::ranges::sort(counts);
  uint64_t low = counts[(counts.size() - 1) / 2], high = counts[counts.size() / 2];
  return {low + (high - low) / 2, {counts.front(), counts.back()}};
}

// Replaces the count of `get` in the first run by the median of all runs; leaves it if a run has none.
// Returns the range.
template <typename Get>
std::optional<CountRange> take_median(std::vector<Counting>& runs, Get&& get) {
  std::vector<uint64_t> counts;
  for (Counting& each : runs) {
    uint64_t* count = get(each);
    if (count == nullptr) return std::nullopt;
    counts.push_back(*count);
  }
  Spread spread = spread_of(std::move(counts));
  *get(runs.front()) = spread.median;
  return spread.range;
}

uint64_t* cycles_of(Counting& run) {
  return run.modelled && run.modelled->cycles ? &*run.modelled->cycles : nullptr;
}

// A median of estimates is taken to be as uncertain as the least certain one.
void take_largest_error(std::vector<Counting>& runs, size_t event) {
  Exact& median = *runs.front().totals.events[event].count.exact;
  bool is_known = true;
  double largest = 0;
  for (const Counting& each : runs) {
    const Exact& exact = *each.totals.events[event].count.exact;
    median.in_bursts = median.in_bursts || exact.in_bursts;
    is_known = is_known && (exact.relative_error || !exact.in_bursts);
    largest = std::max(largest, exact.relative_error.value_or(0));
  }
  median.relative_error = median.in_bursts && is_known ? std::optional(largest) : std::nullopt;
}

// CPU times, rates per second and the share of waits' error are those of single runs, and left out.
void sum_times(std::vector<Counting>& runs) {
  Totals& totals = runs.front().totals;
  runs.front().cpu.reset();
  if (runs.front().modelled) runs.front().modelled->wait_share_error.reset();
  for (EventTotal& each : totals.events) each.per_second.reset();
  for (size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].totals.elapsed_ns)
      totals.elapsed_ns = totals.elapsed_ns.value_or(0) + *runs[i].totals.elapsed_ns;
  }
}

}  // namespace

Counting over_layouts(std::vector<Counting> runs) {
  Counting& first = runs.front();
  for (size_t i = 0; i < first.totals.events.size(); ++i) {
    first.totals.events[i].range = take_median(runs, [i](Counting& run) {
      std::optional<Exact>& exact = run.totals.events[i].count.exact;
      return exact ? &exact->value : nullptr;
    });
    if (first.totals.events[i].range) take_largest_error(runs, i);
  }
  first.cycles_range = take_median(runs, cycles_of);
  for (const Counting& each : runs) {
    if (first.exit_status == 0) first.exit_status = each.exit_status;
  }
  add_rates(first.totals);
  sum_times(runs);
  first.layouts = runs.size();
  return std::move(first);
}

}  // namespace hm::totals
