// SPDX-License-Identifier: MIT
// The time line of running processes, while they run.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/live/recent_records.h"
#include "app/measure/record.h"
#include "app/query/timeline.h"
#include "base/result.h"
#include "base/temporary_folder.h"
#include "symbol/resolver.h"

namespace hm::live {

struct LiveTimelineOptions {
  measure::RecordOptions record;         // of which `output` and `sink` are not looked at
  query::TimelineOptions query;          // of which the input is not looked at
  size_t most_bytes = size_t{64} << 20;  // of samples: older ones are forgotten
};

// Measures in a thread of its own, so that whoever looks disturbs it no more than the processes do; makes the
// history anew about once a second in another one.
class LiveTimeline {
 public:
  // Begins to measure. `resolver` outlives it.
  LiveTimeline(const LiveTimelineOptions& options, const symbol::Resolver& resolver);
  LiveTimeline(const LiveTimeline&) = delete;
  LiveTimeline& operator=(const LiveTimeline&) = delete;
  // Ends it.
  ~LiveTimeline();

  // The history of what has been recorded so far; null where it is no newer than the one taken before, or no
  // sample has come yet.
  [[nodiscard]] std::unique_ptr<query::RecordedHistory> take();
  // How it ended; nullopt while it goes on. The last history can be taken then.
  [[nodiscard]] std::optional<Result<measure::Recorded>> ended() const;

 private:
  using End = Result<measure::Recorded>;

  void measure();
  [[nodiscard]] std::optional<End> measured() const;
  void make_histories();
  [[nodiscard]] Status make_history();
  void pause(std::chrono::steady_clock::duration lasts) const;

  LiveTimelineOptions options_;
  const symbol::Resolver& resolver_;
  RecentRecords records_;
  TemporaryFolder folder_;
  std::atomic<bool> stop_ = false;
  mutable std::mutex mutex_;  // of the next three
  std::unique_ptr<query::RecordedHistory> latest_;
  std::optional<End> measured_, ended_;
  std::thread measuring_, making_;
};

}  // namespace hm::live
