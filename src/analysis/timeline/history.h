// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/timeline/event_times.h"
#include "analysis/timeline/index.h"
#include "analysis/timeline/source.h"
#include "analysis/timeline/timeline.h"
#include "analysis/timeline/ways.h"
#include "base/result.h"
#include "profile/filter.h"
#include "profile/profile.h"

namespace hm::timeline {

// What a history is of.
struct HistoryOptions {
  // Where it names no event, that with the most samples. A function or object chooses what is shown of it.
  profile::FilterOptions filter;
  Way way = Way::kMix;
  std::vector<std::string> counts;  // events to count over the same time, by name
  bool rates = false;               // windows tell how often each of the recording's events was counted
};

// An event of a profile over time, indexed: any window of it is found in milliseconds.
class History {
 public:
  // kNotFound where no sample that the filter lets through has a time; kInvalidArgument where an unknown
  // event is named. The profile must stay.
  static Result<History> make(const profile::Profile& profile, const HistoryOptions& options);

  // kNotFound where the window has no sample, or CPUs are asked for and were not recorded; kInvalidArgument
  // where the window ends before it begins, or has more than 100,000 bins or Window::most_cells.
  [[nodiscard]] Result<Timeline> show(const Window& window) const;

  [[nodiscard]] Source source() const { return {*profile_, filter_, *index_, counted_, rated_, gaps_}; }
  [[nodiscard]] uint64_t start_ns() const { return index_->series().start_ns; }
  [[nodiscard]] Unit unit() const { return axis_.unit(); }
  [[nodiscard]] uint64_t length_ns() const;  // from the first to the last sample; at least 1
  // Whether the samples say on which CPU they were taken.
  [[nodiscard]] bool has_cpus() const { return !profile_->samples.cpu.empty(); }

 private:
  History(const profile::Profile& profile, profile::Filter filter)
      : profile_(&profile), axis_(profile), filter_(std::move(filter)) {}

  [[nodiscard]] CountedEvent times_of(uint32_t event) const;

  const profile::Profile* profile_;
  Axis axis_;
  profile::Filter filter_;
  uint32_t event_ = 0;
  std::unique_ptr<Index> index_;
  std::vector<CountedEvent> counted_, rated_;
  std::vector<Gap> gaps_;
};

}  // namespace hm::timeline
