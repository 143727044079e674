// SPDX-License-Identifier: MIT
#include "analysis/diff/side.h"

#include <algorithm>
#include <functional>
#include <set>

#include "profile/event_counts.h"

namespace hm::diff {
// Sums over the runs of a side.
struct Side::Pool {
  double total = 0;
  double events = 0;  // events of the selected rows
  double effective_samples = 0;
  bool known = true;          // known in every run
  double left_out_share = 0;  // upper bound of the row's share in runs that omit the row

  void add(const Event& event, const Picked& picked, const Recording& run, Part& part) {
    const std::optional<double>& rows_from = run.rows_from;
    bool partial = run.partial && !event.complete;
    total += *event.total;
    effective_samples += event.effective_samples;
    part.samples += picked.count.samples;
    double share =
        event.weight == 0 ? 0 : static_cast<double>(picked.count.weight) / static_cast<double>(event.weight);
    bool nothing_happened = *event.total == 0;
    bool left_out = !picked.any && rows_from && !nothing_happened;
    if (partial && !nothing_happened) {
      left_out = true;
      left_out_share = 1;
    } else if (left_out)
      left_out_share = std::max(left_out_share, *rows_from);
    known = known && !left_out && (event.weight > 0 || nothing_happened);
    // If each event was sampled, the row's weight is the number of its events: no rounding makes it another.
    double of_row = event.complete ? static_cast<double>(picked.count.weight) : *event.total * share;
    part.values.push_back(of_row);
    events += of_row;
  }
};

bool Side::is_software() const {
  return std::ranges::all_of(runs_, [](const Recording& run) { return run.pmu == kSoftwarePmu; });
}

bool Side::has_random_layout() const {
  return std::ranges::find(runs_, kRandomLayout, &Recording::layout) != runs_.end();
}

bool Side::is_paired_with(const Side& other) const {
  if (runs_.size() < 2 || has_random_layout()) return false;
  std::set<std::string> layouts;
  for (const Recording& run : runs_) layouts.insert(run.layout);
  return layouts.size() == runs_.size() &&
         std::ranges::equal(runs_, other.runs_, {}, &Recording::layout, &Recording::layout);
}

bool Side::has(std::string_view event) const { return totals(event).size() == runs_.size(); }

bool Side::has_in_some(std::string_view event) const {
  return std::ranges::any_of(runs_, [&](const Recording& run) { return run.event(event) != nullptr; });
}

std::vector<double> Side::totals(std::string_view event) const {
  std::vector<double> values;
  for (const Recording& run : runs_) {
    const Event* found = run.event(event);
    if (found == nullptr || !found->total) return {};
    values.push_back(*found->total);
  }
  return values;
}

std::vector<double> Side::per_thousand_instructions(std::string_view event) const {
  std::vector<double> values = totals(event);
  for (size_t i = 0; i < values.size(); ++i) {
    auto instructions = std::ranges::find(runs_[i].events, true, &Event::instructions);
    if (instructions == runs_[i].events.end() || instructions->total.value_or(0) <= 0) return {};
    values[i] *= 1000 / *instructions->total;
  }
  return values;
}

bool Side::counted(std::string_view event) const {
  return std::ranges::all_of(runs_, [&](const Recording& run) {
    const Event* found = run.event(event);
    return found != nullptr && found->counted;
  });
}

double Side::running(std::string_view event) const {
  double least = 1;
  for (const Recording& run : runs_) {
    if (const Event* found = run.event(event)) least = std::min(least, found->running);
  }
  return least;
}

uint64_t Side::samples(std::string_view event) const {
  uint64_t sum = 0;
  for (const Recording& run : runs_) {
    if (const Event* found = run.event(event)) sum += found->samples;
  }
  return sum;
}

bool Side::is_complete(std::string_view event) const {
  return exact(event) &&
         std::ranges::all_of(runs_, [&](const Recording& run) { return run.event(event)->complete; });
}

Part Side::row(std::string_view event, const Names& names) const {
  return part(event, [&](const Event& found) {
    auto row = found.rows.find(names);
    return row == found.rows.end() ? Picked() : Picked{row->second, true};
  });
}

Part Side::rows(std::string_view event, const std::function<bool(const Names&)>& belongs,
                const std::function<bool(const std::string&)>& is_inlined) const {
  return part(event, [&](const Event& found) {
    Picked picked;
    auto pick = [&](const RowCount& count) {
      picked.any = true;
      picked.count.samples += count.samples;
      picked.count.weight += count.weight;
    };
    for (const auto& [names, count] : found.rows) {
      if (belongs(names)) pick(count);
    }
    for (const auto& [part, count] : found.inlined) {
      if (!belongs(part.row) && std::ranges::any_of(part.functions, is_inlined)) pick(count);
    }
    return picked;
  });
}

Part Side::part(std::string_view event, const std::function<Picked(const Event&)>& pick) const {
  Part part;
  Pool pool;
  for (const Recording& run : runs_) {
    const Event& found = *run.event(event);
    pool.add(found, pick(found), run, part);
  }
  auto count = static_cast<double>(runs_.size());
  double mean_total = pool.total / count;
  double samples = is_software() ? pool.effective_samples / count : pool.effective_samples;
  if (mean_total == 0) {
    part.events = {0.0, {0, 0}};
    part.exact = exact(event);
  } else if (samples <= 0) {
    part.events = {std::nullopt, {0, mean_total}};
  } else {
    double share = std::min(1.0, pool.events / pool.total);
    profile::Share limits =
        profile::wilson_share(pool.known ? share : std::max(share, pool.left_out_share), samples);
    part.events.limits = {pool.known ? mean_total * limits.low : 0, mean_total * limits.high};
    double events = std::min(mean_total, pool.events / count);
    if (pool.known) part.events.value = events;
    bool saw_all = pool.known && is_complete(event);
    if (saw_all) part.events.limits = {events, events};
    part.exact =
        saw_all && std::ranges::adjacent_find(part.values, std::not_equal_to<>()) == part.values.end();
  }
  if (!pool.known) part.values.clear();
  return part;
}

}  // namespace hm::diff
