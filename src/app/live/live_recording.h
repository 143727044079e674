// SPDX-License-Identifier: MIT
// A recording that goes on while somebody looks at it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/live/recent_records.h"
#include "app/measure/record.h"
#include "base/result.h"
#include "base/temporary_folder.h"
#include "pmu/progress.h"

namespace hm::live {

struct LiveOptions {
  measure::RecordOptions record;         // of which `output` and `sink` are not looked at
  size_t most_bytes = size_t{64} << 20;  // of samples: older ones are forgotten
  // After a view has been made, so many times as long none is: so that takes a part of the time of one CPU.
  int pause_for_each = 4;
  record::RecordingSink* also = nullptr;  // takes all records, too; null: nobody does
  measure::Observer observer;             // looks on from the measuring thread
};

// Measures in a thread of its own, so that whoever looks disturbs it no more than the processes do; has a
// view made about once a second in another one.
class LiveRecording {
 public:
  // Makes a view of the recording at `path`, in its own thread. An error ends it all.
  using Make = std::function<Status(const std::string& path)>;

  // Begins to measure.
  LiveRecording(const LiveOptions& options, Make make);
  LiveRecording(const LiveRecording&) = delete;
  LiveRecording& operator=(const LiveRecording&) = delete;
  // Ends it.
  ~LiveRecording();

  // How it ended; nullopt while it goes on. The last view has been made then.
  [[nodiscard]] std::optional<Result<measure::Recorded>> ended() const;
  [[nodiscard]] pmu::Progress progress() const;
  // How often it has been looked whether there are new records, since the processes are measured.
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
  std::unique_ptr<record::RecordingSink> both_;  // records_ and `also`
  TemporaryFolder folder_;
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> looks_ = 0;
  mutable std::mutex mutex_;  // of the next two
  std::optional<End> measured_, ended_;
  pmu::Progress progress_;
  std::thread measuring_, making_;
};

// What is made of it, the latest of each.
template <typename View>
class LiveView {
 public:
  // kNotFound: there is nothing to see yet.
  using Make = std::function<Result<View>(const std::string& path)>;

  LiveView(const LiveOptions& options, Make make)
      : make_(std::move(make)), recording_(options, [this](const std::string& path) { return keep(path); }) {}

  // Null where there is none that is newer than the one taken before.
  [[nodiscard]] std::unique_ptr<View> take() {
    std::lock_guard lock(mutex_);
    return std::move(latest_);
  }
  // As LiveRecording's; so are the next two. The last view can be taken then.
  [[nodiscard]] std::optional<Result<measure::Recorded>> ended() const { return recording_.ended(); }
  [[nodiscard]] pmu::Progress progress() const { return recording_.progress(); }
  [[nodiscard]] uint64_t looks() const { return recording_.looks(); }

 private:
  Status keep(const std::string& path) {
    Result<View> made = make_(path);
    if (!made) return made.error().code == ErrorCode::kNotFound ? Status() : made.error();
    std::lock_guard lock(mutex_);
    latest_ = std::make_unique<View>(*std::move(made));
    return {};
  }

  Make make_;
  std::mutex mutex_;  // of the next
  std::unique_ptr<View> latest_;
  LiveRecording recording_;  // the last: its threads use the rest
};

}  // namespace hm::live
