// SPDX-License-Identifier: MIT
// A running recording with views of its latest data.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/live/recent_records.h"
#include "app/measure/record_run.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/temporary_folder.h"
#include "pmu/progress.h"

namespace hm::live {

struct LiveOptions {
  measure::RecordOptions record;        // `output` and `sink` are ignored
  size_t max_bytes = size_t{64} << 20;  // maximum size of the kept samples; older ones are dropped
  // The pause between two views is this many times as long as making a view took. Limits the CPU use.
  int pause_for_each = 4;
  record::RecordingSink* also = nullptr;  // receives all records too, if not null
  measure::Observer observer;             // is called by the measuring thread
};

// Measures in a separate thread, so that viewers disturb the measurement no more than other processes do.
// Another thread makes a view about once per second.
class LiveRecording {
 public:
  // Makes a view of the recording at `path`; runs in the view thread. An error ends the recording.
  using Make = std::function<Status(const std::string& path)>;

  // Starts the measurement.
  LiveRecording(const LiveOptions& options, Make make);
  LiveRecording(const LiveRecording&) = delete;
  LiveRecording& operator=(const LiveRecording&) = delete;
  // Ends the measurement.
  ~LiveRecording();

  // Returns the result of the recording, or nullopt while it runs. A result implies that the last view has
  // been made.
  [[nodiscard]] std::optional<Result<measure::Recorded>> ended() const;
  [[nodiscard]] pmu::Progress progress() const;
  // Returns the number of checks for new records since the measurement started.
  [[nodiscard]] uint64_t looks() const { return looks_; }

 private:
  using End = Result<measure::Recorded>;

  void measure();
  [[nodiscard]] std::optional<End> measured() const;
  void make_views();
  [[nodiscard]] Status make_view();
  void pause(std::chrono::steady_clock::duration lasts) const;

  LiveOptions options_;
  Make make_;
  RecentRecords records_;
  std::unique_ptr<record::RecordingSink> both_;  // forwards to records_ and `also`
  TemporaryFolder folder_;
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> looks_ = 0;
  mutable Mutex mutex_;
  std::optional<End> measured_ HM_GUARDED_BY(mutex_), ended_ HM_GUARDED_BY(mutex_);
  pmu::Progress progress_ HM_GUARDED_BY(mutex_);
  std::thread measuring_, making_;
};

// Keeps the latest view of a running recording.
template <typename View>
class LiveView {
 public:
  // Fails with kNotFound if there is no data to view yet.
  using Make = std::function<Result<View>(const std::string& path)>;

  LiveView(const LiveOptions& options, Make make)
      : make_(std::move(make)), recording_(options, [this](const std::string& path) { return keep(path); }) {}

  // Returns null if there is no view newer than the last one taken.
  [[nodiscard]] std::unique_ptr<View> take() {
    MutexLock lock(mutex_);
    return std::move(latest_);
  }
  // This and the next two functions forward to LiveRecording. If ended() has a value, the last view can be
  // taken.
  [[nodiscard]] std::optional<Result<measure::Recorded>> ended() const { return recording_.ended(); }
  [[nodiscard]] pmu::Progress progress() const { return recording_.progress(); }
  [[nodiscard]] uint64_t looks() const { return recording_.looks(); }

 private:
  Status keep(const std::string& path) {
    Result<View> made = make_(path);
    if (!made) return made.error().code == ErrorCode::kNotFound ? Status() : made.error();
    MutexLock lock(mutex_);
    latest_ = std::make_unique<View>(*std::move(made));
    return {};
  }

  Make make_;
  Mutex mutex_;
  std::unique_ptr<View> latest_ HM_GUARDED_BY(mutex_);
  LiveRecording recording_;  // declared last: its threads use the other members
};

}  // namespace hm::live
