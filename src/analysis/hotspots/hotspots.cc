// SPDX-License-Identifier: MIT
#include "analysis/hotspots/hotspots.h"

#include <algorithm>
#include <compare>
#include <map>
#include <set>

#include "analysis/callers/caller_tree.h"
#include "analysis/hotspots/grouping.h"
#include "symbol/name_in_file.h"

namespace hm::hotspots {
namespace {

// Accumulates one row.
struct Group {
  Grouping::Origin first;
  bool one_dso = true;
  profile::ClusteredCounts parts;
  profile::ClusteredCounts inclusive;
  std::optional<size_t> last_included;  // the last sample in `inclusive`
  std::optional<callers::CallerTree> callers;
  profile::Latencies cycles;
  std::optional<profile::Latency> latency;
  std::vector<std::optional<uint64_t>> recent{};  // events during Options::recent, by event
};

// Rows of one object that have the same keys.
struct EqualNames {
  std::vector<Grouping::Origin> rows;  // the first origin of each
  std::vector<std::string> files;      // of the rows, if there are several
  std::set<std::string> all_files;     // the same
};

// Returns true if rows are lines or instructions; their callers then have lines too.
bool by_place(const Options& options) {
  return std::ranges::any_of(options.keys,
                             [](SortKey key) { return key == SortKey::kLine || key == SortKey::kIp; });
}

bool any_has_callers(const profile::Samples& samples) {
  return std::ranges::any_of(samples.chain, [](const profile::Slice& chain) { return chain.count > 1; });
}

class Analysis {
 public:
  Analysis(const profile::Profile& profile, const symbol::Resolver& resolver, const Options& options,
           profile::Filter filter)
      : profile_(profile),
        options_(options),
        filter_(std::move(filter)),
        inclusive_(options.inclusive && Grouping::groups_functions(options.keys) &&
                   any_has_callers(profile.samples)),
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
      if (inclusive_ && filter_.passes_event(profile_.samples.event[sample]) &&
          filter_.passes_thread(profile_.samples.thread[sample]))
        include(sample);
    }
    if (inclusive_ && options_.filter.function) complete_inclusive();
    return result();
  }

 private:
  void add(size_t sample) {
    Group& group = group_at(grouping_.group_of(sample), grouping_.origin_of(sample));
    totals_.add_to(group.parts, profile_, sample);
    if (options_.recent) add_recent(group, sample);
    if (options_.latencies)
      group.cycles.add(profile_.samples.latency_cycles.at(sample), profile_.samples.period.at(sample));
    if (!group.callers) return;
    by_place(options_) ? group.callers->add(sample)
                       : group.callers->add(sample, grouping_.frames_of_function(sample));
    has_callers_ = has_callers_ || profile_.samples.chain_of(sample).count > 1;
  }

  // Counts the inclusive samples of all rows again. The filter selects the locations of its function, but a
  // function that has it inlined has further locations.
  void complete_inclusive() {
    for (Group& group : groups_) {
      group.inclusive = {};
      group.inclusive.counts.resize(profile_.events.size());
      group.last_included.reset();
    }
    filters_locations_ = false;
    for (size_t sample = 0; sample < profile_.samples.size(); ++sample) {
      if (filter_.passes_event(profile_.samples.event[sample]) &&
          filter_.passes_thread(profile_.samples.thread[sample]))
        include(sample);
    }
  }

  // Adds the sample to the inclusive counts of the selected functions in its call chain.
  void include(size_t sample) {
    included_.clear();
    const profile::Samples& samples = profile_.samples;
    include(sample, samples.location[sample]);
    profile::Slice chain = samples.chain_of(sample);
    for (uint32_t i = 1; i < chain.count; ++i) include(sample, samples.chain_locations[chain.offset + i]);
    for (const Grouping::CallingGroup& each : included_) {
      if (!filters_locations_ && each.group >= groups_.size()) continue;  // not a row
      Group& group = group_at(each.group, each.first);
      if (group.last_included == sample) continue;
      group.last_included = sample;
      totals_.add_to(group.inclusive, profile_, sample);
    }
  }

  void include(size_t sample, uint32_t location) {
    if (!filters_locations_ || filter_.passes_location(profile_, location))
      grouping_.add_calling_groups(sample, location, included_);
  }

  Group& group_at(uint32_t index, const Grouping::Origin& origin) {
    if (index == groups_.size()) groups_.push_back(make_group(origin));
    Group& group = groups_[index];
    group.one_dso = group.one_dso && dso_of(origin) == dso_of(group.first);
    return group;
  }

  [[nodiscard]] Group make_group(const Grouping::Origin& origin) {
    Group group{.first = origin, .parts = {profile::EventCounts(profile_.events.size())}};
    if (inclusive_) group.inclusive.counts.resize(profile_.events.size());
    if (options_.recent) group.recent.resize(profile_.events.size(), 0);
    if (options_.callers)
      group.callers.emplace(profile_, frames_,
                            by_place(options_) ? callers::RowKind::kPlace : callers::RowKind::kFunction);
    return group;
  }

  [[nodiscard]] uint32_t dso_of(const Grouping::Origin& origin) const {
    return profile_.locations[origin.location].dso;
  }

  void add_recent(Group& group, size_t sample) const {
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
  // turn, the groups' own or the inclusive ones first as requested, then by the first sample.
  [[nodiscard]] bool hotter(const Group& a, const Group& b) const {
    if (waited(a) != waited(b)) return waited(a) > waited(b);
    std::strong_ordering own = compare(a.parts, b.parts);
    std::strong_ordering all = inclusive_ ? compare(a.inclusive, b.inclusive) : std::strong_ordering::equal;
    if (options_.by_inclusive) std::swap(own, all);
    if (std::is_neq(own)) return std::is_gt(own);
    if (std::is_neq(all)) return std::is_gt(all);
    return a.first.sample < b.first.sample;
  }

  [[nodiscard]] std::strong_ordering compare(const profile::ClusteredCounts& a,
                                             const profile::ClusteredCounts& b) const {
    for (uint32_t event : events_) {
      std::strong_ordering order = a.counts[event].weight() <=> b.counts[event].weight();
      if (std::is_neq(order)) return order;
    }
    return std::strong_ordering::equal;
  }

  [[nodiscard]] Count count_of(uint32_t event, const profile::ClusteredCounts& part) const {
    const profile::EventCount& count = part.counts[event];
    return {count.samples, count.estimated, totals_.share(event, part)};
  }

  [[nodiscard]] bool has_key(SortKey key) const {
    return std::ranges::find(options_.keys, key) != options_.keys.end();
  }

  // Finds the rows that have the same object and keys: their functions, or the files of their lines, have one
  // name and differ otherwise.
  void find_equal_names() {
    if (!has_key(SortKey::kFunction) && !has_key(SortKey::kLine)) return;
    for (const Group& group : groups_) names_[name_of(group)].rows.push_back(group.first);
    for (auto& [name, equal] : names_) {
      if (equal.rows.size() < 2) continue;
      equal.files = files_of(equal.rows);
      equal.all_files = {equal.files.begin(), equal.files.end()};
    }
  }

  [[nodiscard]] std::vector<std::string> files_of(const std::vector<Grouping::Origin>& rows) const {
    if (!has_key(SortKey::kFunction)) {
      std::vector<std::string> files;
      files.reserve(rows.size());
      for (const Grouping::Origin& row : rows) files.push_back(grouping_.line_path_of(row));
      return files;
    }
    std::vector<profile::FunctionFiles> files;
    files.reserve(rows.size());
    for (const Grouping::Origin& row : rows) files.push_back(grouping_.files_of(row));
    return profile::distinct_files(files);
  }

  [[nodiscard]] std::pair<uint32_t, std::vector<std::string>> name_of(const Group& group) const {
    return {dso_of(group.first), keys_of(group)};
  }

  void name_file(const Group& group, Row& row) const {
    auto found = names_.find({dso_of(group.first), row.keys});
    if (found == names_.end() || found->second.files.empty()) return;
    const EqualNames& equal = found->second;
    auto same = std::ranges::find(equal.rows, group.first);
    const std::string& file = equal.files[static_cast<size_t>(same - equal.rows.begin())];
    std::string short_file = symbol::short_file(file, equal.all_files);
    if (has_key(SortKey::kFunction)) {
      row.file = file;
      row.short_file = short_file;
    } else if (!file.empty()) {
      std::string& line = row.keys[static_cast<size_t>(std::ranges::find(options_.keys, SortKey::kLine) -
                                                       options_.keys.begin())];
      line = short_file + line.substr(line.rfind(':'));
    }
  }

  [[nodiscard]] std::vector<std::string> keys_of(const Group& group) const {
    std::vector<std::string> keys;
    for (SortKey key : options_.keys) keys.push_back(grouping_.text_of(key, group.first));
    return keys;
  }

  Row make_row(const Group& group) {
    Row row;
    row.keys = keys_of(group);
    name_file(group, row);
    row.line_path = grouping_.line_path_of(group.first);
    if (group.one_dso) row.dso = std::string(profile_.dsos[dso_of(group.first)].name());
    for (uint32_t event : events_) {
      row.counts.push_back(count_of(event, group.parts));
      row.counts.back().per_second = per_second(group, event);
      if (inclusive_) row.inclusive.push_back(count_of(event, group.inclusive));
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
    result.inclusive = inclusive_;
    result.rates = options_.recent.has_value();
    result.no_shares = profile::few_bursts_text(profile_.origin());
    for (Group& group : groups_) {
      group.latency = group.cycles.describe();
      all_cycles_ += waited(group);
    }
    std::ranges::stable_sort(groups_, [this](const Group& a, const Group& b) { return hotter(a, b); });
    result.all_rows = groups_.size();
    result.lacks_callers = options_.callers && !has_callers_ && !groups_.empty();
    find_equal_names();
    size_t shown = options_.limit == 0 ? groups_.size() : std::min(options_.limit, groups_.size());
    for (size_t i = 0; i < shown; ++i) result.rows.push_back(make_row(groups_[i]));
    return result;
  }

  const profile::Profile& profile_;
  const Options& options_;
  profile::Filter filter_;
  bool inclusive_;
  profile::EventTotals totals_;
  Grouping grouping_;
  callers::FrameNumbers frames_;
  bool has_callers_ = false;
  bool filters_locations_ = true;  // inclusive counts are of the locations that pass the filter
  double all_cycles_ = 0;
  std::vector<uint32_t> events_;
  std::vector<Group> groups_;
  std::map<std::pair<uint32_t, std::vector<std::string>>, EqualNames> names_;  // by object and keys
  std::vector<Grouping::CallingGroup> included_;                               // of the last sample
};

}  // namespace

Result<Hotspots> find_hotspots(const profile::Profile& profile, const symbol::Resolver& resolver,
                               const Options& options) {
  Result<profile::Filter> filter = profile::Filter::make(
      profile, options.filter, options.inlines ? &resolver : nullptr,
      options.inclusive && Grouping::groups_functions(options.keys) ? profile::Among::kCallChains
                                                                    : profile::Among::kSamples);
  if (!filter.ok()) return filter.error();
  return Analysis(profile, resolver, options, *std::move(filter)).run();
}

}  // namespace hm::hotspots
