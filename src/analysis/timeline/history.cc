// SPDX-License-Identifier: MIT
#include "analysis/timeline/history.h"

#include <algorithm>

#include "analysis/timeline/window_builder.h"

namespace hm::timeline {
namespace {

constexpr uint64_t kMaxCells = 100'000;

// Returns the filter's event, or the one with the most timed samples if several pass the filter.
std::optional<uint32_t> event_of(const profile::Profile& profile, const profile::TimeAxis& axis,
                                 const profile::Filter& filter) {
  std::vector<uint64_t> samples(profile.events.size());
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    uint32_t event = profile.samples.event[i];
    if (filter.passes_event(event) && filter.passes_thread(profile.samples.thread[i]) && axis.at(i))
      ++samples[event];
  }
  auto most = std::ranges::max_element(samples);
  if (most == samples.end() || *most == 0) return std::nullopt;
  return static_cast<uint32_t>(most - samples.begin());
}

// Returns the way to use. A recording without branch cycles falls back to kDwell, and the result carries that
// name.
Way way_with(const profile::Profile& profile, Way wanted) {
  return wanted == Way::kCycles && profile.samples.branch_cycles.size() == 0 ? Way::kDwell : wanted;
}

Status set_window(const Window& window, uint64_t length, Timeline& timeline) {
  timeline.begin_ns = window.from_ns;
  timeline.end_ns = std::min(window.to_ns, length);
  if (window.from_ns >= window.to_ns)
    return make_error(ErrorCode::kInvalidArgument, "the window ends before it begins");
  if (timeline.begin_ns >= timeline.end_ns)
    return make_error(ErrorCode::kNotFound, "the window begins after the last sample, which is at {}",
                      timeline.unit == profile::TimeUnit::kCycles
                          ? std::to_string(length) + " cycles"
                          : std::to_string(static_cast<double>(length) / 1e9) + " s");
  uint64_t lasts = timeline.end_ns - timeline.begin_ns, columns = std::max<size_t>(window.columns, 1);
  uint64_t as_many_as_fit = lasts / columns + (lasts % columns != 0 ? 1 : 0);
  timeline.bin_ns = std::min(window.bin_ns != 0 ? window.bin_ns : as_many_as_fit, lasts);
  if (lasts / timeline.bin_ns >= kMaxCells)
    return make_error(ErrorCode::kInvalidArgument, "the window has more than {} bins: choose longer ones",
                      kMaxCells);
  return {};
}

}  // namespace

Result<History> History::make(const profile::Profile& profile, const HistoryOptions& options,
                              const symbol::Resolver* resolver) {
  Result<profile::Filter> filter = profile::Filter::make(profile, options.filter, resolver);
  if (!filter) return filter.error();
  if (Result<profile::Filter> known = profile::Filter::make(profile, {.events = options.counts}); !known)
    return known.error();
  History history(profile, *std::move(filter));
  std::optional<uint32_t> event = event_of(profile, history.axis_, history.filter_);
  if (!event)
    return make_error(ErrorCode::kNotFound,
                      "no sample that passes the filter has a time, so a time line cannot be shown");
  history.event_ = *event;
  history.index_ = std::make_unique<Index>(find_series(profile, history.axis_, history.filter_, *event),
                                           way_with(profile, options.way));
  for (const std::string& name : options.counts) {
    auto found = std::ranges::find(profile.events, name, &profile::Event::name);
    history.counted_.push_back(history.times_of(static_cast<uint32_t>(found - profile.events.begin())));
  }
  if (options.rates) history.gaps_ = find_gaps(profile, history.axis_, history.start_ns());
  for (uint32_t number = 0; options.rates && number < profile.events.size(); ++number)
    history.rated_.push_back(history.times_of(number));
  return history;
}

CountedEvent History::times_of(uint32_t event) const {
  const profile::Event& row = profile_->events[event];
  EventTimes times(*profile_, axis_, filter_, event, start_ns());
  bool has_times = times.samples() != 0 || (row.attr.sample_type & PERF_SAMPLE_TIME) != 0;
  return {event, row.name, has_times, std::move(times)};
}

uint64_t History::length_ns() const {
  return static_cast<uint64_t>(std::max<int64_t>(index_->series().end_ns, 1));
}

Result<Timeline> History::show(const Window& window) const {
  if (window.by == By::kCpu && !has_cpus())
    return make_error(ErrorCode::kNotFound, "the recording does not contain the CPUs of its samples");
  Timeline timeline;
  timeline.event = profile_->events[event_].name;
  timeline.way = index_->way();
  timeline.counts_time = timeline::counts_time(profile_->events[event_]);
  timeline.unit = unit();
  timeline.slowed = timeline.unit == profile::TimeUnit::kNanoseconds && profile_->pmu() == "software";
  timeline.by = window.by;
  timeline.recorded = profile::recorded_half(profile_->events[event_].attr.branch_sample_type);
  timeline.interval_ns = static_cast<uint64_t>(index_->series().interval_ns);
  if (Status status = set_window(window, length_ns(), timeline); !status) return status.error();
  if (Status built = WindowBuilder(source(), window, timeline).build(); !built) return built.error();
  return timeline;
}

}  // namespace hm::timeline
