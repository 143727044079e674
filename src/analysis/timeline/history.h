// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/timeline/event_times.h"
#include "analysis/timeline/index.h"
#include "analysis/timeline/timeline_source.h"
#include "analysis/timeline/timeline_window.h"
#include "analysis/timeline/ways.h"
#include "base/result.h"
#include "profile/filter.h"
#include "profile/profile.h"

namespace hm::timeline {

// Selects the content of a history.
struct HistoryOptions {
  // If it names no event, the event with the most samples is used. A function or object restricts the
  // displayed functions.
  profile::FilterOptions filter;
  Way way = Way::kMix;
  std::vector<std::string> counts;  // names of events to count along the time line
  bool rates = false;               // windows include the rates of all events of the recording
};

// Indexed history of an event of a profile. Any window is computed in milliseconds.
class History {
 public:
  // Fails with kNotFound if no sample that passes the filter has a time, and with kInvalidArgument if an
  // event name is unknown. The profile must outlive the history.
  // `resolver`: not null if the filter's function may be inlined; the functions that it is inlined into are
  // then shown.
  static Result<History> make(const profile::Profile& profile, const HistoryOptions& options,
                              const symbol::Resolver* resolver = nullptr);

  // Fails with kNotFound if the window has no sample, or if lanes are CPUs and CPUs were not recorded. Fails
  // with kInvalidArgument if the window ends before it begins, or has more than 100,000 bins or
  // Window::max_cells.
  [[nodiscard]] Result<Timeline> show(const Window& window) const;

  [[nodiscard]] Source source() const { return {*profile_, filter_, *index_, counted_, rated_, gaps_}; }
  [[nodiscard]] uint64_t start_ns() const { return index_->series().start_ns; }
  [[nodiscard]] profile::TimeUnit unit() const { return axis_.unit(); }
  [[nodiscard]] uint64_t length_ns() const;  // from the first to the last sample; at least 1
  // Returns true if the samples have CPU numbers.
  [[nodiscard]] bool has_cpus() const { return !profile_->samples.cpu.empty(); }

 private:
  History(const profile::Profile& profile, profile::Filter filter)
      : profile_(&profile), axis_(profile), filter_(std::move(filter)) {}

  [[nodiscard]] CountedEvent times_of(uint32_t event) const;

  const profile::Profile* profile_;
  profile::TimeAxis axis_;
  profile::Filter filter_;
  uint32_t event_ = 0;
  std::unique_ptr<Index> index_;
  std::vector<CountedEvent> counted_, rated_;
  std::vector<Gap> gaps_;
};

}  // namespace hm::timeline
