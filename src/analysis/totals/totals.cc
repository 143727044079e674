// SPDX-License-Identifier: MIT
#include "analysis/totals/totals.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "profile/event_counts.h"
#include "record/read_values.h"

namespace hm::totals {
namespace {

// Names in hardmeter and in perf.
constexpr std::array<std::string_view, 2> kInstructionEvents{"instr_retired", "instructions"};

bool counts_instructions(std::string_view name) {
  std::string_view plain = name.substr(0, name.find(':'));
  return std::ranges::find(kInstructionEvents, plain) != kInstructionEvents.end();
}

void add(std::optional<Exact>& sum, const profile::ThreadTotal& total) {
  if (!sum) sum.emplace();
  sum->value += total.value;
  sum->time_enabled_ns += total.time_enabled_ns;
  sum->time_running_ns += total.time_running_ns;
}

// The pid of a count that belongs to no process: perf_event_open(2), "pid == -1".
constexpr uint32_t kWholeCpus = UINT32_MAX;

using CountsByThread = std::map<std::pair<uint32_t, uint32_t>, ThreadTotal>;

ThreadTotal& row_of(CountsByThread& rows, uint32_t pid, uint32_t tid, size_t events) {
  ThreadTotal& row = rows[{pid, tid}];
  row.pid = pid;
  row.tid = tid;
  if (row.counts.empty()) row.counts.resize(events);
  return row;
}

// Returns the counts by row of Profile::threads.
std::vector<profile::EventCounts> samples_by_row(const profile::Profile& profile) {
  std::vector<profile::EventCounts> counts(profile.threads.size(),
                                           profile::EventCounts(profile.events.size()));
  const profile::Samples& samples = profile.samples;
  for (size_t i = 0; i < samples.size(); ++i)
    counts[samples.thread[i]][samples.event[i]].add(samples.period.at(i));
  return counts;
}

bool has_samples(const profile::EventCounts& counts) {
  return std::ranges::any_of(counts, [](const profile::EventCount& count) { return count.samples > 0; });
}

// A renamed thread has several rows of Profile::threads, but one row here.
CountsByThread sampled_threads(const profile::Profile& profile) {
  std::map<std::pair<uint32_t, uint32_t>, profile::EventCounts> sums;
  std::vector<profile::EventCounts> counts = samples_by_row(profile);
  for (size_t row = 0; row < counts.size(); ++row) {
    if (!has_samples(counts[row])) continue;
    const profile::Thread& thread = profile.threads[row];
    auto& sum = sums.try_emplace({thread.pid, thread.tid}, profile.events.size()).first->second;
    for (size_t event = 0; event < sum.size(); ++event) sum[event].add(counts[row][event]);
  }
  CountsByThread rows;
  for (const auto& [key, sum] : sums) {
    ThreadTotal& row = row_of(rows, key.first, key.second, sum.size());
    for (size_t event = 0; event < sum.size(); ++event) {
      row.counts[event].samples = sum[event].samples;
      row.counts[event].estimated = sum[event].estimated;
    }
  }
  return rows;
}

std::vector<ThreadTotal> by_thread(const profile::Profile& profile) {
  CountsByThread rows = sampled_threads(profile);
  size_t events = profile.events.size();
  for (const profile::ThreadTotal& total : profile.totals) {
    if (total.pid == kWholeCpus) continue;
    add(row_of(rows, total.pid, total.tid, events).counts[total.event].exact, total);
  }
  for (const profile::Thread& thread : profile.threads) {
    if (auto row = rows.find({thread.pid, thread.tid}); row != rows.end()) row->second.comm = thread.comm;
  }
  std::vector<ThreadTotal> list;
  for (auto& [key, row] : rows) list.push_back(std::move(row));
  return list;
}

std::optional<uint64_t> elapsed_ns(const profile::Samples& samples) {
  std::optional<uint64_t> first, last;
  for (size_t i = 0; i < samples.size(); ++i) {
    std::optional<uint64_t> time = samples.time_ns.at(i);
    if (!time) continue;
    first = std::min(first.value_or(*time), *time);
    last = std::max(last.value_or(*time), *time);
  }
  if (!first) return std::nullopt;
  return *last - *first;
}

}  // namespace

bool Exact::shared() const {
  return static_cast<double>(time_running_ns) < record::kThroughout * static_cast<double>(time_enabled_ns);
}

std::optional<double> Exact::scaled() const {
  if (unseen()) return std::nullopt;
  auto counted = static_cast<double>(value);
  if (!shared()) return counted;
  if (time_running_ns == 0) return std::nullopt;
  return counted * static_cast<double>(time_enabled_ns) / static_cast<double>(time_running_ns);
}

std::optional<double> Count::best() const {
  if (exact) return exact->scaled();
  if (estimated) return static_cast<double>(*estimated);
  return std::nullopt;
}

const EventTotal* instructions_of(const Totals& totals) {
  auto found = std::ranges::find_if(totals.events,
                                    [](const EventTotal& event) { return counts_instructions(event.name); });
  return found == totals.events.end() ? nullptr : &*found;
}

void add_rates(Totals& totals, std::optional<double> counted_instructions) {
  const EventTotal* instructions = instructions_of(totals);
  std::optional<double> all = instructions == nullptr ? counted_instructions : instructions->count.best();
  for (EventTotal& event : totals.events) {
    std::optional<double> value = event.count.best();
    if (!value) continue;
    if (totals.elapsed_ns.value_or(0) > 0)
      event.per_second = *value * 1e9 / static_cast<double>(*totals.elapsed_ns);
    if (instructions == &event) continue;
    if (all && *all > 0) event.per_thousand_instructions = *value * 1000 / *all;
  }
}

namespace {

// The software PMU counts instructions in each run, also if no sample of them was requested.
std::optional<double> instructions_of_run(const profile::Origin& origin) {
  for (const auto& [event, count] : origin.totals) {
    if (counts_instructions(event)) return static_cast<double>(count);
  }
  return std::nullopt;
}

void add_bursts(const profile::Origin& origin, Totals& totals) {
  for (ThreadTotal& thread : totals.threads) {
    for (Count& count : thread.counts) {
      if (count.exact) count.exact->in_bursts = origin.in_bursts;
    }
  }
  for (EventTotal& event : totals.events) {
    if (!event.count.exact) continue;
    event.count.exact->in_bursts = origin.in_bursts;
    if (auto error = origin.relative_errors.find(event.name); error != origin.relative_errors.end())
      event.count.exact->relative_error = error->second;
  }
}

}  // namespace

Totals find_totals(const profile::Profile& profile) {
  Totals totals;
  totals.lost = profile.lost;
  totals.elapsed_ns = elapsed_ns(profile.samples);
  profile::EventTotals sampled(profile);
  for (uint32_t event = 0; event < profile.events.size(); ++event) {
    const profile::EventCount& count = sampled.counts()[event];
    std::optional<uint64_t> estimated = count.samples == 0 ? std::nullopt : count.estimated;
    totals.events.push_back({profile.events[event].name, {count.samples, estimated, {}, {}}, {}, {}});
  }
  for (const profile::ThreadTotal& total : profile.totals) add(totals.events[total.event].count.exact, total);
  for (uint32_t event = 0; event < profile.events.size(); ++event) {
    const perf_event_attr& attr = profile.events[event].attr;
    Count& count = totals.events[event].count;
    bool unseen = count.samples == 0 && !count.exact;
    if (unseen && attr.freq == 0 && attr.sample_period > 0) count.fewer_than = attr.sample_period;
  }
  totals.threads = by_thread(profile);
  add_bursts(profile.origin(), totals);
  add_rates(totals, instructions_of_run(profile.origin()));
  return totals;
}

}  // namespace hm::totals
