// SPDX-License-Identifier: MIT
#include "analysis/timeline/episodes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/timeline/outliers.h"
#include "base/parallel.h"

namespace hm::timeline {
namespace {

constexpr size_t kMaxBins = 1 << 16, kMaxLanes = 64, kFewestPoints = 200;

// One function or event in one lane, over the run's bins.
struct Row {
  size_t lane = 0;
  uint32_t number = 0;  // index of the function, or in Source::counted
  bool is_event = false;
  double per_sample = 1;  // value of an Amount of 1: ns or events
  std::vector<Amount> amounts;
};

struct Found {
  const Row* row;
  Outlier outlier;
};

class Finder {
 public:
  Finder(const Source& source, By by) : source_(source), lanes_(source.profile, by) {}

  std::vector<Episode> find() {
    choose_bins();
    choose_lanes();
    add_functions();
    add_events();
    return episodes_of(find_all());
  }

 private:
  struct Extent {
    uint32_t first = UINT32_MAX, last = 0;  // bins
  };

  void choose_bins() {
    const Series& series = source_.index.series();
    // With more points than this, sums of the index's leaves replace individual points.
    constexpr size_t kMany = 1 << 18;
    int64_t least = series.interval_ns * (series.points.size() > kMany ? 32 : 1);
    bin_ns_ = std::max<int64_t>({1, least, series.end_ns / static_cast<int64_t>(kMaxBins) + 1});
    bins_ = static_cast<size_t>(series.end_ns / bin_ns_) + 1;
  }

  [[nodiscard]] uint32_t bin_of(int64_t time) const {
    return static_cast<uint32_t>(std::clamp<int64_t>(time / bin_ns_, 0, static_cast<int64_t>(bins_) - 1));
  }

  // Chooses the lanes with the most points. row_of_lane_ maps a lane's number to its index in tracks_.
  void choose_lanes() {
    const Series& series = source_.index.series();
    std::vector<std::vector<size_t>> all;
    std::vector<size_t> points;
    for (size_t track = 0; track < series.tracks.size(); ++track) {
      uint32_t lane = lanes_.of(series.tracks[track]);
      all.resize(lanes_.names().size());
      points.resize(all.size());
      all[lane].push_back(track);
      points[lane] += series.tracks[track].count;
    }
    std::vector<uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::greater(), [&](uint32_t lane) { return points[lane]; });
    row_of_lane_.assign(all.size(), SIZE_MAX);
    for (uint32_t lane : order) {
      if (tracks_.size() == kMaxLanes || points[lane] < kFewestPoints) break;
      row_of_lane_[lane] = tracks_.size();
      tracks_.push_back(std::move(all[lane]));
      names_.push_back(lanes_.names()[lane].text);
    }
    extents_.resize(tracks_.size());
  }

  void add_functions() {
    std::vector<std::vector<Row>> rows(tracks_.size());
    parallel_for(rows.size(), available_cpus(), [&](size_t lane) { rows[lane] = functions_of(lane); });
    for (std::vector<Row>& of_lane : rows) std::ranges::move(of_lane, std::back_inserter(rows_));
  }

  std::vector<Row> functions_of(size_t lane) {
    const Index& index = source_.index;
    std::vector<std::vector<Amount>> by_function(index.series().share.size());
    auto interval = static_cast<double>(index.series().long_interval_ns);
    const auto add = [&](size_t bin, uint32_t function, double ns) {
      auto number = static_cast<uint32_t>(bin);
      extents_[lane].first = std::min(extents_[lane].first, number);
      extents_[lane].last = std::max(extents_[lane].last, number);
      std::vector<Amount>& row = by_function[function];
      if (row.empty() || row.back().bin != number) row.push_back({number, 0});
      row.back().samples += static_cast<float>(ns / interval);
    };
    for (size_t track : tracks_[lane]) index.for_each_time_near(track, {0, grid_end(), bin_ns_}, add);
    std::vector<Row> rows;
    for (uint32_t function = 0; function < by_function.size(); ++function) {
      bool is_shown = function == index.series().idle_function() ||
                      source_.filter.passes_function(source_.profile, function);
      if (is_shown && !by_function[function].empty())
        rows.push_back({lane, function, false, interval, in_order(std::move(by_function[function]))});
    }
    return rows;
  }
  [[nodiscard]] int64_t grid_end() const { return bin_ns_ * static_cast<int64_t>(bins_); }

  // Merges amounts so that each bin appears once.
  static std::vector<Amount> in_order(std::vector<Amount> amounts) {
    const auto disorder = [](const Amount& a, const Amount& b) { return a.bin >= b.bin; };
    if (std::ranges::adjacent_find(amounts, disorder) == amounts.end()) return amounts;
    std::ranges::stable_sort(amounts, {}, &Amount::bin);
    std::vector<Amount> merged;
    for (const Amount& each : amounts) {
      if (merged.empty() || merged.back().bin != each.bin)
        merged.push_back(each);
      else
        merged.back().samples += each.samples;
    }
    return merged;
  }

  void add_events() {
    for (uint32_t number = 0; number < source_.counted.size(); ++number) {
      const EventTimes& times = source_.counted[number].times;
      if (times.samples() == 0) continue;
      std::vector<std::vector<Amount>> by_lane(tracks_.size());
      double per_sample = times.long_period();
      for (size_t track = 0; track < times.tracks().size(); ++track) {
        uint32_t lane = lanes_.of(times.tracks()[track]);
        size_t row = lane < row_of_lane_.size() ? row_of_lane_[lane] : SIZE_MAX;
        if (row == SIZE_MAX) continue;
        times.for_each_sample(track, [&](int64_t time, double count) {
          by_lane[row].push_back({bin_of(time), static_cast<float>(count / per_sample)});
        });
      }
      for (size_t lane = 0; lane < by_lane.size(); ++lane) {
        if (!by_lane[lane].empty())
          rows_.push_back({lane, number, true, per_sample, in_order(std::move(by_lane[lane]))});
      }
    }
  }

  std::vector<Found> find_all() {
    double widths = std::max(1.0, std::log2(static_cast<double>(bins_) / 64) + 1);
    double tests = widths * static_cast<double>(std::max<size_t>(rows_.size(), 1));
    log_tests_ = std::log(tests);
    std::vector<std::vector<Outlier>> outliers(rows_.size());
    constexpr size_t kRowsPerTask = 64;
    size_t tasks = rows_.size() / kRowsPerTask + 1;
    parallel_for(tasks, available_cpus(), [&](size_t task) {
      for (size_t i = task; i < rows_.size(); i += tasks) {
        if (may_be_large(rows_[i]))
          outliers[i] = find_outliers(rows_[i].amounts, bins_, std::log(kChanceLimit) - log_tests_);
      }
    });
    std::vector<Found> all;
    for (size_t i = 0; i < rows_.size(); ++i) {
      for (const Outlier& each : outliers[i]) {
        if (!starts_or_ends(extents_[rows_[i].lane], each) && is_large(rows_[i], each))
          all.push_back({&rows_[i], each});
      }
    }
    std::ranges::stable_sort(all, {}, [](const Found& each) { return each.outlier.log_chance; });
    return all;
  }

  // Quick test: no window has a larger mean share of the time than its largest bin.
  [[nodiscard]] bool may_be_large(const Row& row) const {
    if (row.is_event) return true;
    double least = kMinShare * static_cast<double>(bin_ns_) / row.per_sample;
    return std::ranges::any_of(row.amounts, [&](const Amount& each) { return each.samples >= least; });
  }

  // Returns true if the effect is large enough, regardless of its significance.
  [[nodiscard]] bool is_large(const Row& row, const Outlier& outlier) const {
    if (row.is_event) return outlier.per_bin >= kMinRise * outlier.usual;
    double share = outlier.per_bin * row.per_sample / static_cast<double>(bin_ns_);
    return share >= kMinShare &&
           share >= kMinRise * outlier.usual * row.per_sample / static_cast<double>(bin_ns_);
  }

  static bool starts_or_ends(const Extent& lane, const Outlier& outlier) {
    constexpr uint32_t kHundredths = 100;
    uint32_t edge = (lane.last - lane.first) / kHundredths + 1;
    return outlier.begin < lane.first + edge || outlier.end + edge > lane.last + 1;
  }

  using Group = std::vector<Found>;  // most significant first

  // Combines simultaneous findings into one episode.
  std::vector<Episode> episodes_of(const std::vector<Found>& all) {
    std::vector<Group> groups;
    for (const Found& each : all) {
      auto group = std::ranges::find_if(
          groups, [&](const Group& other) { return coincide(other.front().outlier, each.outlier); });
      if (group == groups.end()) group = groups.insert(groups.end(), Group());
      group->push_back(each);
    }
    std::ranges::sort(groups, {}, [](const Group& group) { return group.front().outlier.begin; });
    std::vector<Episode> episodes;
    for (const Group& group : joined(std::move(groups))) episodes.push_back(episode_of(group));
    return episodes;
  }
  // Joins successive groups with equal activity in between, because an episode may be longer than the longest
  // window.
  static std::vector<Group> joined(std::vector<Group> groups) {
    std::vector<Group> all;
    for (Group& group : groups) {
      auto before = std::ranges::find_if(
          all, [&](const Group& other) { return goes_on(other.front(), group.front()); });
      if (before == all.end()) {
        all.push_back(std::move(group));
        continue;
      }
      Outlier &whole = before->front().outlier, &next = group.front().outlier;
      whole.end = std::max(whole.end, next.end);
      whole.per_bin = mean_of(*before->front().row, whole.begin, whole.end);
      whole.log_chance = std::min(whole.log_chance, next.log_chance);
      before->insert(before->end(), group.begin() + 1, group.end());
    }
    return all;
  }
  static bool goes_on(const Found& before, const Found& now) {
    if (before.row != now.row) return false;
    uint32_t begin = before.outlier.end, end = now.outlier.begin;
    if (begin >= end) return true;
    // A short gap may have no sample of the activity by chance.
    uint32_t shorter = std::min(before.outlier.end - before.outlier.begin, now.outlier.end - end);
    double least = std::min(before.outlier.per_bin, now.outlier.per_bin) / 2;
    return 4 * (end - begin) <= shorter || mean_of(*now.row, begin, end) >= least;
  }
  // Returns the mean over the bins [begin, end).
  static double mean_of(const Row& row, uint32_t begin, uint32_t end) {
    double sum = 0;
    for (auto each = std::ranges::lower_bound(row.amounts, begin, {}, &Amount::bin);
         each != row.amounts.end() && each->bin < end; ++each)
      sum += each->samples;
    return sum / (end - begin);
  }
  static bool coincide(const Outlier& a, const Outlier& b) {
    uint32_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
    return begin < end && 2 * (end - begin) >= std::min(a.end - a.begin, b.end - b.begin);
  }

  Episode episode_of(const Group& group) {
    const Outlier& surest = group.front().outlier;
    Episode episode;
    episode.begin_ns = surest.begin * static_cast<uint64_t>(bin_ns_);
    episode.end_ns = surest.end * static_cast<uint64_t>(bin_ns_);
    episode.chance = std::exp(surest.log_chance + log_tests_);
    std::vector<size_t> lanes;
    for (const Found& each : group) {
      add_unusual(each, episode);
      if (std::ranges::find(lanes, each.row->lane) == lanes.end()) lanes.push_back(each.row->lane);
    }
    for (size_t lane : lanes) episode.lanes.push_back(names_[lane]);
    episode.before = ran_before(episode, lanes);
    return episode;
  }

  // Keeps the most significant finding per function, of several lanes' rows.
  void add_unusual(const Found& found, Episode& episode) const {
    const Row& row = *found.row;
    Unusual unusual;
    unusual.is_event = row.is_event;
    if (row.is_event) {
      unusual.name = source_.counted[row.number].event;
    } else if (row.number == source_.index.series().idle_function()) {
      unusual.name = "[idle]";
    } else {
      const profile::FunctionRow& function = source_.profile.functions[row.number];
      unusual.name = function.name;
      unusual.dso = source_.profile.dsos[function.dso].name();
    }
    auto same = [&](const Unusual& other) { return other.name == unusual.name && other.dso == unusual.dso; };
    if (std::ranges::any_of(episode.unusual, same)) return;
    double unit = row.per_sample / static_cast<double>(bin_ns_) * (row.is_event ? 1e9 : 1);
    unusual.during = found.outlier.per_bin * unit;
    unusual.usual = found.outlier.usual * unit;
    if (!row.is_event) {
      unusual.during = std::min(unusual.during, 1.0);
      unusual.usual = std::min(unusual.usual, 1.0);
    }
    episode.unusual.push_back(std::move(unusual));
  }

  std::vector<RanBefore> ran_before(const Episode& episode, const std::vector<size_t>& lanes) const {
    constexpr size_t kMost = 3;
    auto end = static_cast<int64_t>(episode.begin_ns);
    int64_t begin = std::max<int64_t>(0, end - static_cast<int64_t>(episode.end_ns - episode.begin_ns));
    std::vector<double> ns(source_.index.series().share.size());
    double all = 0;
    for (size_t lane : lanes) {
      for (size_t track : tracks_[lane]) {
        source_.index.for_each_time(track, {begin, end, std::max<int64_t>(end - begin, 1)},
                                    [&](size_t, uint32_t function, double time) {
                                      ns[function] += time;
                                      all += time;
                                    });
      }
    }
    std::vector<RanBefore> before;
    while (before.size() < kMost) {
      auto most = std::ranges::max_element(ns);
      constexpr double kWorthNaming = 0.05;
      if (*most <= kWorthNaming * all || *most <= 0) break;
      auto function = static_cast<uint32_t>(most - ns.begin());
      bool idle = function == source_.index.series().idle_function();
      before.push_back({idle ? "[idle]" : source_.profile.functions[function].name, *most / all});
      *most = 0;
    }
    return before;
  }

  const Source& source_;
  LaneNumbers lanes_;
  int64_t bin_ns_ = 1;
  size_t bins_ = 1;
  std::vector<std::vector<size_t>> tracks_;  // by examined lane
  std::vector<std::string> names_;           // by examined lane
  std::vector<Extent> extents_;              // by examined lane
  std::vector<size_t> row_of_lane_;          // by LaneNumbers' number; SIZE_MAX: not examined
  std::vector<Row> rows_;
  double log_tests_ = 0;
};

}  // namespace

std::vector<Episode> find_episodes(const Source& source, By by) { return Finder(source, by).find(); }

}  // namespace hm::timeline
