// SPDX-License-Identifier: MIT
// The measurement of `hardmeter top`, shown on a screen or as text.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/live/live_recording.h"
#include "app/query/top_query.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::cli {

struct TopOptions {
  live::LiveOptions live;
  std::string title;
  double delay_s = 2;
  uint64_t max_views = 0;  // 0: until the processes or the user end it
};

class TopMeasurement {
 public:
  // Starts to measure.
  TopMeasurement(const TopOptions& options, const symbol::Resolver& resolver, bool rates);

  // Ends the measurement, which releases the processes, and starts a new one.
  void stop() { live_.reset(); }
  void start();

  // Returns the result of the measurement, or nullopt while it runs. To be called before look().
  [[nodiscard]] std::optional<Result<measure::Recorded>> ended() const { return live_->ended(); }
  // Takes the latest view if it is time for it. `is_last`: the measurement has ended. Returns whether there
  // is something to draw that counts as a view (--iterations).
  bool look(bool takes_views, bool is_last);
  // Returns null before the first sample.
  [[nodiscard]] const query::TopView* view() const { return view_.get(); }
  [[nodiscard]] pmu::Progress progress() const { return live_->progress(); }
  // Returns whether as many views have been drawn as the user wants.
  [[nodiscard]] bool had_enough() const { return options_.max_views != 0 && screens_ >= options_.max_views; }
  // Returns the sentences for the end of the measurement.
  [[nodiscard]] Result<std::string> farewell(const Result<measure::Recorded>& end) const;
  // Returns the sentence for the end after the last wanted view; empty if there were samples.
  [[nodiscard]] std::string farewell_after_views() const;

 private:
  using Live = live::LiveView<query::TopView>;
  using Clock = std::chrono::steady_clock;

  const TopOptions& options_;
  const symbol::Resolver& resolver_;
  bool rates_;
  Clock::time_point drawn_;
  std::unique_ptr<query::TopView> view_;
  uint64_t screens_ = 0;      // drawn views, with new samples or without
  uint64_t looks_drawn_ = 0;  // live_->looks() at the last of them
  std::unique_ptr<Live> live_;
};

// Returns lines about all events: the share of the cycles that waits take, and its limits. Empty if waits
// were not measured.
[[nodiscard]] std::vector<std::string> top_head(const query::TopView& view);

}  // namespace hm::cli
