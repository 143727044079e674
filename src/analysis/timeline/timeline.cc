// SPDX-License-Identifier: MIT
#include "analysis/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "analysis/timeline/points.h"

namespace hm::timeline {
namespace {

constexpr std::array<std::string_view, 3> kByNames{"thread", "process", "cpu"};
constexpr uint64_t kMostBins = 100'000;

// A quotient; also of numbers that hardly fit.
uint64_t rounded_up(uint64_t number, uint64_t divisor) {
  return number / divisor + (number % divisor != 0 ? 1 : 0);
}

// The filter's event, or of several the one with the most samples that pass.
std::optional<uint32_t> event_of(const profile::Profile& profile, const profile::Filter& filter) {
  std::vector<uint64_t> samples(profile.events.size());
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (profile.samples.time_ns.at(i) && filter.passes(profile, i)) ++samples[profile.samples.event[i]];
  }
  auto most = std::ranges::max_element(samples);
  if (most == samples.end() || *most == 0) return std::nullopt;
  return static_cast<uint32_t>(most - samples.begin());
}

// Those with the most, first.
std::vector<uint32_t> largest(const std::vector<double>& amounts, size_t limit) {
  std::vector<uint32_t> order(amounts.size());
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](uint32_t each) { return amounts[each] <= 0; });
  std::ranges::stable_sort(order, std::greater(), [&](uint32_t each) { return amounts[each]; });
  if (limit != 0 && order.size() > limit) order.resize(limit);
  return order;
}

class Builder {
 public:
  Builder(const profile::Profile& profile, const Options& options, const Series& series, Timeline& to)
      : profile_(profile), options_(options), series_(series), to_(to) {}

  void run() {
    add_totals();
    choose_functions();
    choose_lanes();
    fill_bins();
  }

 private:
  // The part of a piece that lies in the window, in ns since the first sample.
  struct Span {
    double begin, end;
  };
  [[nodiscard]] Span in_window(const Piece& piece) const {
    uint64_t start = series_.begin_ns;
    double begin = piece.begin_ns >= start ? static_cast<double>(piece.begin_ns - start)
                                           : -static_cast<double>(start - piece.begin_ns);
    return {std::max(begin, static_cast<double>(to_.begin_ns)),
            std::min(begin + piece.ns, static_cast<double>(to_.end_ns))};
  }
  template <typename Visit>
  void for_each_span(Visit&& visit) {
    for (const Point& point : series_.points) {
      if (!touches_window(point)) continue;
      for (const Piece& piece : pieces_of(profile_, series_, point, options_.way)) {
        Span span = in_window(piece);
        if (span.begin < span.end) visit(lane_of(point.sample), piece.function, span);
      }
    }
  }
  [[nodiscard]] bool touches_window(const Point& point) const {
    return point.end_ns >= series_.begin_ns + to_.begin_ns &&
           (point.begin_ns < series_.begin_ns || point.begin_ns - series_.begin_ns < to_.end_ns);
  }

  uint32_t lane_of(size_t sample) {
    uint32_t thread = profile_.samples.thread[sample];
    uint64_t key = options_.by == By::kThread    ? thread
                   : options_.by == By::kProcess ? profile_.threads[thread].pid
                                                 : profile_.samples.cpu.at(sample).value_or(0);
    auto [found, is_new] = lane_numbers_.try_emplace(key, static_cast<uint32_t>(lane_names_.size()));
    if (is_new) lane_names_.push_back(name_of_lane(thread, key));
    return found->second;
  }
  [[nodiscard]] std::string name_of_lane(uint32_t number, uint64_t key) const {
    const profile::Thread& thread = profile_.threads[number];
    if (options_.by == By::kCpu) return fmt::format("CPU {}", key);
    return fmt::format("{} {}", options_.by == By::kThread ? thread.tid : thread.pid, thread.comm);
  }

  void add_totals() {
    function_ns_.resize(profile_.functions.size());
    for_each_span([&](uint32_t lane, uint32_t function, Span span) {
      function_ns_[function] += span.end - span.begin;
      lane_ns_.resize(lane_names_.size());
      lane_ns_[lane] += span.end - span.begin;
    });
    for (const Point& point : series_.points) count(point);
  }

  void count(const Point& point) {
    uint64_t time = point.end_ns - std::min(series_.begin_ns, point.end_ns);
    if (time < to_.begin_ns || time > to_.end_ns) return;
    ++to_.samples;
    to_.branches += point.stack.size();
    to_.new_branches += point.fresh.count;
    to_.ambiguous += point.fresh.ambiguous ? 1 : 0;
    to_.idle_ns += static_cast<double>(point.idle_ns);
    if (to_.moments.size() < options_.samples) to_.moments.push_back(moment_of(point, time));
  }
  [[nodiscard]] Moment moment_of(const Point& point, uint64_t time) {
    const auto name_at = [&](uint32_t location) {
      return profile_.functions[profile_.locations[location].function].name;
    };
    Moment moment{time,
                  lane_names_[lane_of(point.sample)],
                  name_at(profile_.samples.location[point.sample]),
                  {},
                  point.fresh.ambiguous};
    for (size_t i = point.stack.size(); i-- > 0;)
      moment.branches.push_back({name_at(point.stack[i].from), i < point.fresh.count});
    return moment;
  }

  void choose_functions() {
    std::vector<uint32_t> order = largest(function_ns_, options_.functions);
    column_of_.assign(function_ns_.size(), static_cast<uint32_t>(order.size()));
    for (uint32_t number : order) {
      const profile::FunctionRow& row = profile_.functions[number];
      column_of_[number] = static_cast<uint32_t>(to_.functions.size());
      to_.functions.push_back({row.name, std::string(profile_.dsos[row.dso].name()), function_ns_[number]});
    }
    for (size_t i = 0; i < function_ns_.size(); ++i)
      to_.other_ns += column_of_[i] == order.size() ? function_ns_[i] : 0;
  }

  void choose_lanes() {
    to_.all_lanes = lane_names_.size();
    row_of_.assign(lane_names_.size(), SIZE_MAX);
    for (uint32_t lane : largest(lane_ns_, options_.lanes)) {
      row_of_[lane] = to_.lanes.size();
      size_t bins = rounded_up(to_.end_ns - to_.begin_ns, to_.bin_ns);
      to_.lanes.push_back({lane_names_[lane], lane_ns_[lane], std::vector<Bin>(bins)});
    }
  }

  void fill_bins() {
    for_each_span([&](uint32_t lane, uint32_t function, Span span) {
      if (row_of_[lane] != SIZE_MAX) add(to_.lanes[row_of_[lane]].bins, column_of_[function], span);
    });
  }
  void add(std::vector<Bin>& bins, uint32_t column, Span span) const {
    auto width = static_cast<double>(to_.bin_ns), start = static_cast<double>(to_.begin_ns);
    for (auto i = static_cast<size_t>((span.begin - start) / width); i < bins.size(); ++i) {
      double begin = start + static_cast<double>(i) * width;
      double ns = std::min(span.end, begin + width) - std::max(span.begin, begin);
      if (begin >= span.end) break;
      if (ns <= 0) continue;
      bins[i].ns.resize(to_.functions.size() + 1);
      bins[i].ns[column] += static_cast<float>(ns);
    }
  }

  const profile::Profile& profile_;
  const Options& options_;
  const Series& series_;
  Timeline& to_;
  std::vector<double> function_ns_;
  std::vector<uint32_t> column_of_;  // by function
  std::unordered_map<uint64_t, uint32_t> lane_numbers_;
  std::vector<std::string> lane_names_;
  std::vector<double> lane_ns_;
  std::vector<size_t> row_of_;  // by lane; SIZE_MAX: it is not shown
};

Status set_window(const Options& options, const Series& series, Timeline& timeline) {
  uint64_t length = std::max<uint64_t>(series.end_ns - series.begin_ns, 1);
  timeline.begin_ns = options.from_ns;
  timeline.end_ns = std::min(options.to_ns, length);
  if (options.from_ns >= options.to_ns)
    return make_error(ErrorCode::kInvalidArgument, "the window ends before it begins");
  if (timeline.begin_ns >= timeline.end_ns)
    return make_error(ErrorCode::kNotFound, "the window begins after the last sample, which is at {:.6f} s",
                      static_cast<double>(length) / 1e9);
  uint64_t window = timeline.end_ns - timeline.begin_ns, columns = std::max<size_t>(options.columns, 1);
  timeline.bin_ns = options.bin_ns != 0 ? options.bin_ns : rounded_up(window, columns);
  if (window / timeline.bin_ns >= kMostBins)
    return make_error(ErrorCode::kInvalidArgument, "the window has more than {} bins: choose longer ones",
                      kMostBins);
  return {};
}

}  // namespace

std::string_view name_of(By by) { return kByNames[static_cast<size_t>(by)]; }

std::optional<By> by_named(std::string_view name) {
  auto found = std::ranges::find(kByNames, name);
  if (found == kByNames.end()) return std::nullopt;
  return static_cast<By>(found - kByNames.begin());
}

Result<Timeline> find_timeline(const profile::Profile& profile, const Options& options) {
  Result<profile::Filter> filter = profile::Filter::make(profile, options.filter);
  if (!filter) return filter.error();
  std::optional<uint32_t> event = event_of(profile, *filter);
  if (!event)
    return make_error(ErrorCode::kNotFound,
                      "no sample that passes the filter has a time: there is no time line");
  if (options.by == By::kCpu && profile.samples.cpu.empty())
    return make_error(ErrorCode::kNotFound, "the recording does not say on which CPU samples were taken");
  Series series = find_series(profile, *filter, *event);
  Timeline timeline;
  timeline.event = profile.events[*event].name;
  timeline.way = options.way;
  timeline.slowed = profile.pmu() == "software";
  timeline.by = options.by;
  timeline.interval_ns = series.interval_ns;
  if (Status status = set_window(options, series, timeline); !status) return status.error();
  Builder(profile, options, series, timeline).run();
  return timeline;
}

}  // namespace hm::timeline
