// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/episodes.h"

#include <algorithm>
#include <ctime>

#include "base/nanoseconds.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

constexpr uint64_t kMs = 1'000'000;
// The first episodes are short: the engine has to copy all code anew, and the cost of an episode is not known
// yet.
constexpr uint64_t kFirstEpisodeNs = 20 * kMs, kEpisodeNs = 100 * kMs;
constexpr unsigned kMaxExtensions = 9;       // of an episode whose processes lack CPUs, by its length each
constexpr uint64_t kMeasuringRoundNs = kMs;  // interval of the search for running threads
constexpr uint64_t kNativeRoundNs = 50 * kMs;

// Returns 0 if the clock cannot be read.
uint64_t read_clock(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return nanoseconds(time);
}

uint64_t own_ns() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace

uint64_t clock_of_ns(pid_t process) {
  clockid_t clock{};
  return ::clock_getcpuclockid(process, &clock) == 0 ? read_clock(clock) : 0;
}

uint64_t growth_ns(const uint64_t& before, const uint64_t& now) { return now < before ? 0 : now - before; }

Episodes::Episodes(Engine& engine, Session& session, double share)
    : engine_(engine),
      session_(session),
      share_(share),
      budget_(share),
      clocks_(engine.attached()),
      waits_(engine.attached()),
      own_began_ns_(own_ns()),
      began_ns_(monotonic_ns()),
      length_ns_(kFirstEpisodeNs) {
  budget_.begin_episode(now());
  note_begin();
}

// Keeps fewer than 1024 start times, enough for a confidence interval: drops every second one if there are
// more.
void Episodes::note_begin() {
  constexpr size_t kMost = 1024;
  if ((count_ - 1) % report_interval_ != 0) return;
  begins_ns_.push_back(began_ns_);
  if (begins_ns_.size() < kMost) return;
  for (size_t i = 0; 2 * i < begins_ns_.size(); ++i) begins_ns_[i] = begins_ns_[2 * i];
  begins_ns_.resize(kMost / 2);
  report_interval_ *= 2;
}

CpuTimes Episodes::now() { return {clocks_.taken(engine_.attached()), own_ns() - own_began_ns_}; }

void Episodes::round() {
  uint64_t time = monotonic_ns();
  if (phase_ == Phase::kMeasuring && time - began_ns_ >= (1 + extensions_) * length_ns_) {
    if (extensions_ < kMaxExtensions && lacked_cpus()) {
      ++extensions_;
      return;
    }
    engine_.pause(session_);
    ending_ns_ = time;
    phase_ = Phase::kEnding;
  } else if (phase_ == Phase::kEnding && all_rest(time)) {
    budget_.end_episode(now());
    measured_ns_ += time - began_ns_;
    phase_ = Phase::kNative;
  } else if (phase_ == Phase::kNative) {
    CpuTimes times = now();
    cost_ = budget_.cost(times);
    if (budget_.allows_episode(times)) begin_next(times);
  }
}

// Returns true if the processes mostly waited for a CPU in this episode, on a busy machine: they have hardly
// run, so nothing would be measured.
bool Episodes::lacked_cpus() {
  uint64_t ran_ns = clocks_.taken(engine_.attached()) - cpu_began_ns_;
  return 2 * ran_ns < length_ns_ && waits_.taken(engine_.attached()) - wait_began_ns_ > ran_ns;
}

// Waits for forked children that have no ring yet. A child that was killed before it created a ring never
// gets one, so the wait is limited.
bool Episodes::all_rest(uint64_t now_ns) const {
  constexpr uint64_t kForkPatienceNs = 1000 * kMs;
  bool forks = __atomic_load_n(&session_.forks_under_way, __ATOMIC_ACQUIRE) > 0;
  return engine_.is_paused() && (!forks || now_ns - ending_ns_ > kForkPatienceNs);
}

void Episodes::begin_next(const CpuTimes& times) {
  budget_.begin_episode(times);
  engine_.resume(session_);
  began_ns_ = monotonic_ns();
  length_ns_ = std::min(2 * length_ns_, kEpisodeNs);
  extensions_ = 0;
  cpu_began_ns_ = times.targets_ns;
  wait_began_ns_ = waits_.taken(engine_.attached());
  ++count_;
  note_begin();
  phase_ = Phase::kMeasuring;
}

uint64_t Episodes::wait_ns() const { return phase_ == Phase::kNative ? kNativeRoundNs : kMeasuringRoundNs; }

EpisodeTotals Episodes::times() const {
  uint64_t open_ns = phase_ == Phase::kNative ? 0 : monotonic_ns() - began_ns_;
  return {.count = count_, .begins_ns = begins_ns_, .measured_ns = measured_ns_ + open_ns, .budget = share_};
}

EpisodeTotals Episodes::totals() {
  EpisodeTotals all = times();
  all.cpu = now();
  all.cost = budget_.cost(all.cpu);
  return all;
}

}  // namespace hm::soft
