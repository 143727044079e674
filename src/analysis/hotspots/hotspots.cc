// SPDX-License-Identifier: MIT
#include "analysis/hotspots/hotspots.h"

#include <algorithm>

#include "analysis/callers/caller_tree.h"
#include "analysis/hotspots/grouping.h"

namespace hm::hotspots {
namespace {

// Accumulates one row.
struct Group {
  size_t first_sample = 0;
  bool one_dso = true;
  profile::ClusteredCounts parts;
  std::optional<callers::CallerTree> callers;
  profile::Latencies cycles;
  std::optional<profile::Latency> latency;
  std::vector<std::optional<uint64_t>> recent{};  // events during Options::recent, by event
};

// Returns true if rows are lines or instructions; their callers then have lines too.
bool by_place(const Options& options) {
  return std::ranges::any_of(options.keys,
                             [](SortKey key) { return key == SortKey::kLine || key == SortKey::kIp; });
}

uint32_t dso_of(const profile::Profile& profile, size_t sample) {
  return profile.locations[profile.samples.location[sample]].dso;
}

class Analysis {
 public:
  Analysis(const profile::Profile& profile, const symbol::Resolver& resolver, const Options& options,
           profile::Filter filter)
      : profile_(profile),
        options_(options),
        filter_(std::move(filter)),
        totals_(profile),
        grouping_(profile, resolver, options.keys, options.inlines,
                  options.inlines && !options.functions_with_symbol),
        frames_(profile, resolver, {.inlines = options.inlines, .lines = by_place(options)}) {}

  Hotspots run() {
    for (uint32_t event = 0; event < profile_.events.size(); ++event) {
      if (filter_.passes_event(event)) events_.push_back(event);
    }
    for (size_t sample = 0; sample < profile_.samples.size(); ++sample) {
      if (filter_.passes(profile_, sample)) add(sample);
    }
    return result();
  }

 private:
  void add(size_t sample) {
    uint32_t index = grouping_.group_of(sample);
    if (index == groups_.size()) {
      groups_.push_back({sample, true, {profile::EventCounts(profile_.events.size())}, {}, {}, {}});
      if (options_.callers)
        groups_.back().callers.emplace(
            profile_, frames_, by_place(options_) ? callers::RowKind::kPlace : callers::RowKind::kFunction);
    }
    Group& group = groups_[index];
    group.one_dso = group.one_dso && dso_of(profile_, sample) == dso_of(profile_, group.first_sample);
    totals_.add_to(group.parts, profile_, sample);
    if (options_.recent) add_recent(group, sample);
    if (options_.latencies)
      group.cycles.add(profile_.samples.latency_cycles.at(sample), profile_.samples.period.at(sample));
    if (!group.callers) return;
    by_place(options_) ? group.callers->add(sample)
                       : group.callers->add(sample, grouping_.frames_of_function(sample));
    has_callers_ = has_callers_ || profile_.samples.chain_of(sample).count > 1;
  }

  void add_recent(Group& group, size_t sample) const {
    group.recent.resize(profile_.events.size(), 0);
    std::optional<uint64_t> time = profile_.samples.time_ns.at(sample);
    if (time && *time <= options_.recent->since_ns) return;
    std::optional<uint64_t> period = profile_.samples.period.at(sample);
    std::optional<uint64_t>& events = group.recent[profile_.samples.event[sample]];
    if (events) events = time && period ? std::optional(*events + *period) : std::nullopt;
  }

  [[nodiscard]] std::optional<double> per_second(const Group& group, uint32_t event) const {
    if (!options_.recent || options_.recent->seconds <= 0) return std::nullopt;
    if (group.recent[event].value_or(0) == 0) return std::nullopt;
    return static_cast<double>(*group.recent[event]) / options_.recent->seconds;
  }

  static double waited(const Group& group) { return group.latency ? group.latency->estimated : 0; }

  // Returns true if `a` sorts before `b`: by total latency if requested, then by the weight of each event in
  // turn, then by the first sample.
  [[nodiscard]] bool hotter(const Group& a, const Group& b) const {
    if (waited(a) != waited(b)) return waited(a) > waited(b);
    for (uint32_t event : events_) {
      uint64_t of_a = a.parts.counts[event].weight(), of_b = b.parts.counts[event].weight();
      if (of_a != of_b) return of_a > of_b;
    }
    return a.first_sample < b.first_sample;
  }

  Row make_row(const Group& group) {
    Row row;
    for (SortKey key : options_.keys) row.keys.push_back(grouping_.text_of(key, group.first_sample));
    if (group.one_dso) row.dso = std::string(profile_.dsos[dso_of(profile_, group.first_sample)].name());
    for (uint32_t event : events_) {
      const profile::EventCount& count = group.parts.counts[event];
      row.counts.push_back(
          {count.samples, count.estimated, totals_.share(event, group.parts), per_second(group, event)});
    }
    row.latency = group.latency;
    if (all_cycles_ != 0) row.latency_share = waited(group) / all_cycles_;
    if (group.callers) row.callers = group.callers->callers(options_.caller_min_share);
    return row;
  }

  Hotspots result() {
    Hotspots result;
    result.keys = options_.keys;
    for (uint32_t event : events_) {
      const profile::EventCount& count = totals_.counts()[event];
      result.events.push_back({profile_.events[event].name, count.samples, count.estimated});
    }
    result.latencies = options_.latencies;
    result.rates = options_.recent.has_value();
    result.no_shares = profile::few_bursts_text(profile_.origin());
    for (Group& group : groups_) {
      group.latency = group.cycles.describe();
      all_cycles_ += waited(group);
    }
    std::ranges::sort(groups_, [this](const Group& a, const Group& b) { return hotter(a, b); });
    result.all_rows = groups_.size();
    result.lacks_callers = options_.callers && !has_callers_ && !groups_.empty();
    size_t shown = options_.limit == 0 ? groups_.size() : std::min(options_.limit, groups_.size());
    for (size_t i = 0; i < shown; ++i) result.rows.push_back(make_row(groups_[i]));
    return result;
  }

  const profile::Profile& profile_;
  const Options& options_;
  profile::Filter filter_;
  profile::EventTotals totals_;
  Grouping grouping_;
  callers::FrameNumbers frames_;
  bool has_callers_ = false;
  double all_cycles_ = 0;
  std::vector<uint32_t> events_;
  std::vector<Group> groups_;
};

}  // namespace

Result<Hotspots> find_hotspots(const profile::Profile& profile, const symbol::Resolver& resolver,
                               const Options& options) {
  Result<profile::Filter> filter =
      profile::Filter::make(profile, options.filter, options.inlines ? &resolver : nullptr);
  if (!filter.ok()) return filter.error();
  return Analysis(profile, resolver, options, *std::move(filter)).run();
}

}  // namespace hm::hotspots
