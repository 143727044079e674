// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/episodes.h"

#include <ctime>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kEpisodeNs = 100 * kMs;
constexpr uint64_t kMeasuringRoundNs = kMs;  // threads that run are looked for
constexpr uint64_t kNativeRoundNs = 50 * kMs;

// 0 where it cannot be told.
uint64_t read_clock(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t own_ns() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace

uint64_t CpuClocks::taken_ns(const std::vector<pid_t>& processes) {
  for (pid_t process : processes) {
    clockid_t clock{};
    uint64_t time = ::clock_getcpuclockid(process, &clock) == 0 ? read_clock(clock) : 0;
    if (time == 0) continue;
    Reading& reading = readings_.try_emplace(process, Reading{time, time}).first->second;
    if (time > reading.last_ns) reading.last_ns = time;
  }
  uint64_t taken = 0;
  for (const auto& [process, reading] : readings_) taken += reading.last_ns - reading.first_ns;
  return taken;
}

Episodes::Episodes(Engine& engine, Session& session, double share)
    : engine_(engine),
      session_(session),
      share_(share),
      budget_(share),
      own_began_ns_(own_ns()),
      began_ns_(monotonic_ns()) {
  budget_.begin_episode(now());
}

CpuTimes Episodes::now() { return {clocks_.taken_ns(engine_.attached()), own_ns() - own_began_ns_}; }

void Episodes::round(const std::vector<pid_t>& recorded) {
  uint64_t time = monotonic_ns();
  if (phase_ == Phase::kMeasuring && time - began_ns_ >= kEpisodeNs) {
    engine_.pause(session_, recorded);
    phase_ = Phase::kEnding;
  } else if (phase_ == Phase::kEnding && engine_.is_paused()) {
    budget_.end_episode(now());
    measured_ns_ += time - began_ns_;
    phase_ = Phase::kNative;
  } else if (phase_ == Phase::kNative) {
    CpuTimes times = now();
    cost_ = budget_.cost(times);
    if (budget_.allows_episode(times)) begin_next(times);
  }
}

void Episodes::begin_next(const CpuTimes& times) {
  budget_.begin_episode(times);
  engine_.resume(session_);
  began_ns_ = monotonic_ns();
  ++count_;
  phase_ = Phase::kMeasuring;
}

uint64_t Episodes::wait_ns() const { return phase_ == Phase::kNative ? kNativeRoundNs : kMeasuringRoundNs; }

EpisodeTotals Episodes::totals() {
  CpuTimes times = now();
  uint64_t open_ns = phase_ == Phase::kNative ? 0 : monotonic_ns() - began_ns_;
  return {count_, measured_ns_ + open_ns, times, share_, budget_.cost(times)};
}

}  // namespace hm::soft
