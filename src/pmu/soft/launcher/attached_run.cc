// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/attached_run.h"

#include <unistd.h>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

AttachedRun::AttachedRun(Engine& engine, Session& session, const std::string& session_folder,
                         const AttachedTargets& targets, Collector& collector)
    : engine_(engine),
      session_(session),
      session_folder_(session_folder),
      targets_(targets),
      collector_(collector) {}

AttachedRun::~AttachedRun() {
  constexpr int kMaxRounds = 1000;
  constexpr useconds_t kBetweenUs = 1000;
  collector_.drop_records();
  let_go();
  for (int i = 0; i < kMaxRounds && engine_.is_attached(); ++i) {
    engine_.note_recorded(collector_.processes());
    engine_.serve(session_);
    (void)collector_.collect();
    ::usleep(kBetweenUs);
  }
}

Status AttachedRun::attach() {
  Status first_refusal;
  for (pid_t process : targets_.processes) {
    cpu_times_.add(process);
    Status attached = attach(process);
    if (!attached && !targets_.find_more) return attached;
    if (first_refusal.ok()) first_refusal = attached;
  }
  if (engine_.attached().empty()) return first_refusal;  // a tree needs only one process
  if (targets_.budget == 0) return {};
  collector_.expect_returning_processes();
  episodes_.emplace(engine_, session_, targets_.budget);
  return {};
}

// Attaches new processes, in a measurement with a budget only during an episode. Skips processes that have
// ended or cannot be measured; the engine records the reason.
void AttachedRun::attach_new() {
  constexpr uint64_t kEveryNs = 50'000'000;
  bool measures = !letting_go_ && (!episodes_ || episodes_->is_measuring());
  if (!targets_.find_more || !measures || monotonic_ns() - found_ns_ < kEveryNs) return;
  found_ns_ = monotonic_ns();
  for (pid_t process : targets_.find_more()) {
    if (engine_.knows(process) || process == ::getpid()) continue;
    cpu_times_.add(process);
    if (episodes_) episodes_->count(process);
    (void)attach(process);
  }
}

void AttachedRun::round() {
  engine_.note_recorded(collector_.processes());
  attach_new();
  engine_.serve(session_);
  if (episodes_ && !letting_go_) episodes_->round();
  constexpr uint64_t kCpuTimeEveryNs = 100'000'000;
  if (!letting_go_ && monotonic_ns() - cpu_time_read_ns_ >= kCpuTimeEveryNs) read_cpu_time();
  if (ended_ns_ == 0 && !engine_.is_attached()) ended_ns_ = monotonic_ns();
}

void AttachedRun::read_cpu_time() {
  cpu_time_ = cpu_times_.taken(engine_.attached());
  cpu_time_read_ns_ = monotonic_ns();
}

void AttachedRun::let_go() {
  if (!letting_go_) read_cpu_time();
  letting_go_ = true;
  engine_.note_recorded(collector_.processes());
  engine_.let_go(session_);
}

uint64_t AttachedRun::wait_ns() const {
  constexpr uint64_t kRoundNs = 1'000'000;  // interval of the search for running threads
  return episodes_ && !letting_go_ ? episodes_->wait_ns() : kRoundNs;
}

// Does not wait for open rings to close: a process may have continued as another, unmeasured program.
bool AttachedRun::over() const {
  if (engine_.is_attached() || ended_ns_ == 0) return false;
  return !collector_.awaits_ring() || monotonic_ns() - ended_ns_ > kForkPatienceNs;
}

}  // namespace hm::soft
