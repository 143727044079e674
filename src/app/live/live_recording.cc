// SPDX-License-Identifier: MIT
#include "app/live/live_recording.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/unexpected_error.h"

namespace hm::live {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kMinPause = std::chrono::milliseconds(500);
constexpr auto kGlance = std::chrono::milliseconds(20);  // maximum delay until a stop request is noticed

class Both final : public record::RecordingSink {
 public:
  Both(record::RecordingSink& first, record::RecordingSink& second) : first_(first), second_(second) {}

  Status begin(const record::RecordingStart& start) override {
    if (Status begun = first_.begin(start); !begun) return begun;
    return second_.begin(start);
  }
  void describe(const std::string& hardmeter) override {
    first_.describe(hardmeter);
    second_.describe(hardmeter);
  }
  Status append(Bytes whole_records) override {
    if (Status appended = first_.append(whole_records); !appended) return appended;
    return second_.append(whole_records);
  }
  Status finish(const record::Features& features) override {
    Status finished = first_.finish(features);
    Status second = second_.finish(features);
    return finished.ok() ? second : finished;
  }
  [[nodiscard]] uint64_t bytes() const override { return first_.bytes(); }
  [[nodiscard]] bool is_full() const override { return first_.is_full() || second_.is_full(); }
  [[nodiscard]] uint64_t dropped_samples() const override { return first_.dropped_samples(); }

 private:
  record::RecordingSink& first_;
  record::RecordingSink& second_;
};

}  // namespace

LiveRecording::LiveRecording(const LiveOptions& options, Make make)
    : options_(options), make_(std::move(make)), records_(options.max_bytes) {
  options_.record.sink = &records_;
  // The views look files up through the running processes.
  if (options_.also == nullptr) options_.record.sampling.keep_symbols = "never";
  if (options_.also != nullptr) {
    both_ = std::make_unique<Both>(*options_.also, records_);
    options_.record.sink = both_.get();
  }
  measuring_ = std::thread([this] { measure(); });
  making_ = std::thread([this] { make_views(); });
}

LiveRecording::~LiveRecording() {
  stop_ = true;
  measuring_.join();
  making_.join();
}

std::optional<LiveRecording::End> LiveRecording::ended() const {
  MutexLock lock(mutex_);
  return ended_;
}

pmu::Progress LiveRecording::progress() const {
  MutexLock lock(mutex_);
  return progress_;
}

std::optional<LiveRecording::End> LiveRecording::measured() const {
  MutexLock lock(mutex_);
  return measured_;
}

void LiveRecording::measure() {
  const measure::Observer& asked = options_.observer;
  measure::Observer observer = asked;
  observer.interrupts = [&] { return (stop_ ? 1 : 0) + (asked.interrupts ? asked.interrupts() : 0); };
  observer.progress = [&](const pmu::Progress& progress) {
    if (asked.progress) asked.progress(progress);
    MutexLock lock(mutex_);
    progress_ = progress;
  };
  End end = without_exceptions([&] { return measure::make_recording(options_.record, observer); });
  MutexLock lock(mutex_);
  measured_ = std::move(end);
}

void LiveRecording::make_views() {
  std::optional<End> end;
  for (uint64_t made_of = 0; !end && !stop_;) {
    Clock::time_point begin = Clock::now();
    end = measured();  // read before making the view, so that the last view includes all records
    bool is_measured = progress().elapsed_ns != 0;
    if (uint64_t bytes = records_.bytes(); bytes != made_of) {
      made_of = bytes;
      if (Status made = without_exceptions([&] { return make_view(); }); !made) end = made.error();
    }
    if (is_measured) ++looks_;
    if (!end) pause(std::max<Clock::duration>(kMinPause, options_.pause_for_each * (Clock::now() - begin)));
  }
  MutexLock lock(mutex_);
  ended_ = std::move(end);
}

Status LiveRecording::make_view() {
  std::string path = folder_.file("recent.data");
  if (Status saved = records_.save(path); !saved) return saved;
  Status made = make_(path);
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return made;
}

void LiveRecording::pause(Clock::duration lasts) const {
  for (Clock::time_point end = Clock::now() + lasts; Clock::now() < end && !stop_ && !measured();)
    std::this_thread::sleep_for(kGlance);
}

}  // namespace hm::live
