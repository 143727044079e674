// SPDX-License-Identifier: MIT
#include "app/live/live_timeline.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace hm::live {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLeastPause = std::chrono::milliseconds(500);
constexpr auto kGlance = std::chrono::milliseconds(20);  // how late it is seen that it is to stop
// Making a history takes at most a part of the time of one CPU.
constexpr int kPauseForEachMake = 4;

}  // namespace

LiveTimeline::LiveTimeline(const LiveTimelineOptions& options, const symbol::Resolver& resolver)
    : options_(options), resolver_(resolver), records_(options.most_bytes) {
  options_.record.sink = &records_;
  options_.query.input = folder_.file("recent.data");
  measuring_ = std::thread([this] { measure(); });
  making_ = std::thread([this] { make_histories(); });
}

LiveTimeline::~LiveTimeline() {
  stop_ = true;
  measuring_.join();
  making_.join();
}

std::unique_ptr<query::RecordedHistory> LiveTimeline::take() {
  std::lock_guard lock(mutex_);
  return std::move(latest_);
}

std::optional<LiveTimeline::End> LiveTimeline::ended() const {
  std::lock_guard lock(mutex_);
  return ended_;
}

std::optional<LiveTimeline::End> LiveTimeline::measured() const {
  std::lock_guard lock(mutex_);
  return measured_;
}

void LiveTimeline::measure() {
  measure::Observer observer;
  observer.interrupts = [this] { return stop_ ? 1 : 0; };
  End end = measure::make_recording(options_.record, observer);
  std::lock_guard lock(mutex_);
  measured_ = std::move(end);
}

void LiveTimeline::make_histories() {
  std::optional<End> end;
  for (uint64_t made_of = 0; !end && !stop_;) {
    Clock::time_point begin = Clock::now();
    end = measured();  // before the history is made: that is the last one then
    if (uint64_t bytes = records_.bytes(); bytes != made_of) {
      made_of = bytes;
      if (Status made = make_history(); !made) end = made.error();
    }
    if (!end) pause(std::max<Clock::duration>(kLeastPause, kPauseForEachMake * (Clock::now() - begin)));
  }
  std::lock_guard lock(mutex_);
  ended_ = std::move(end);
}

// That no sample has come yet is no error.
Status LiveTimeline::make_history() {
  if (Status saved = records_.save(options_.query.input); !saved) return saved;
  Result<query::RecordedHistory> history = query::history_of(options_.query, resolver_);
  std::error_code ignored;
  std::filesystem::remove(options_.query.input, ignored);
  if (!history) return history.error().code == ErrorCode::kNotFound ? Status() : history.error();
  std::lock_guard lock(mutex_);
  latest_ = std::make_unique<query::RecordedHistory>(*std::move(history));
  return {};
}

void LiveTimeline::pause(Clock::duration lasts) const {
  for (Clock::time_point end = Clock::now() + lasts; Clock::now() < end && !stop_ && !measured();)
    std::this_thread::sleep_for(kGlance);
}

}  // namespace hm::live
