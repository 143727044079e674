// SPDX-License-Identifier: MIT
#include "app/measure/loop.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <span>

#include "pmu/soft/ring/system_call.h"
#include "record/perf_record.h"

namespace hm::measure {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kSignalPatienceNs = 300'000'000;  // a SIGINT from the terminal reaches the command too
constexpr uint64_t kStopPatienceNs = 3 * kSecondNs;
// Polling interval for doorbells if there are descriptors too, because a doorbell does not end a poll(2).
constexpr uint64_t kDoorbellNs = 2'000'000;

uint64_t now_ns() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

class Loop {
 public:
  Loop(const std::vector<std::unique_ptr<pmu::Source>>& sources, const pmu::Sink& sink,
       const Observer& observer, uint64_t max_ns)
      : sources_(sources), sink_(sink), observer_(observer), max_ns_(max_ns), seen_(sources.size()) {}

  Result<Run> to_the_end() {
    if (Status started = start(); !started) return give_up(started.error());
    if (run_.refusal) {
      stop();
      return run_;
    }
    while (true) {
      if (Status status = round(); !status) return give_up(status.error());
      obey_failure();
      obey_full();
      obey_interrupts();
      obey_limit();
      show_progress();
      if (over()) break;
      wait();
    }
    run_.outcome.elapsed_ns = now_ns() - start_ns_;
    stop();
    if (Status status = round(); !status) return status.error();
    for (const auto& source : sources_) {
      if (Status status = source->finish(); !status) return status.error();
      if (auto end = source->command_end()) run_.command = *end;
    }
    run_.progress = progress();
    if (!sink_failure_.ok()) return sink_failure_.error();
    return run_;
  }

 private:
  Status start() {
    for (auto source = sources_.rbegin(); source != sources_.rend(); ++source) {
      start_ns_ = now_ns();  // start of the last source, before its command runs
      Result<std::optional<pmu::Refusal>> refusal =
          (*source)->start([this](Bytes records) { return take(records); });
      if (!refusal) return refusal.error();
      run_.refusal = *std::move(refusal);
      if (run_.refusal) return {};
      started_.push_back(source->get());
    }
    return {};
  }

  // After an error of the sink, such as a full disk, drops records but lets a command finish, which would
  // otherwise be killed or orphaned. Sources without a running command end.
  Status take(Bytes records) {
    if (!sink_failure_.ok()) return {};
    round_has_records_ = true;
    sink_failure_ = sink_(records);
    return {};
  }

  void obey_failure() {
    if (!sink_failure_.ok()) go_on_unmeasured();
  }

  void obey_full() {
    if (goes_on_unmeasured_ || !observer_.full || !observer_.full()) return;
    run_.outcome.full_after_ns = now_ns() - start_ns_;
    go_on_unmeasured();
  }

  void go_on_unmeasured() {
    if (goes_on_unmeasured_) return;
    goes_on_unmeasured_ = true;
    stop();
    for (const auto& source : sources_) source->end(pmu::End::kAsked);
  }

  Status round() {
    round_has_records_ = false;
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (Status status = sources_[i]->round(seen_[i]); !status) return status;
      seen_[i] = {};
    }
    if (!round_has_records_) return {};
    perf_event_header finished{record::kFinishedRound, 0, sizeof(finished)};
    return take(std::as_bytes(std::span(&finished, 1)));
  }

  // Queries every source, because some detect their end only in this call.
  bool over() {
    bool all = true;
    for (const auto& source : sources_) all = source->over() && all;
    return all;
  }

  void wait() {
    wait_ = {};
    std::vector<size_t> ends;
    for (const auto& source : sources_) {
      source->add_to(wait_);
      ends.push_back(wait_.descriptors.size());
    }
    if (wait_.descriptors.empty() && wait_.doorbells.size() == 1) {
      const pmu::Wait::Doorbell& bell = wait_.doorbells.front();
      soft::futex_wait(bell.word, bell.seen, wait_.max_ns);
      return;
    }
    if (!wait_.doorbells.empty()) wait_.at_most(kDoorbellNs);
    uint64_t passed_ns = now_ns() - start_ns_;
    if (max_ns_ > passed_ns) wait_.at_most(max_ns_ - passed_ns);
    timespec most{static_cast<time_t>(wait_.max_ns / kSecondNs), static_cast<long>(wait_.max_ns % kSecondNs)};
    if (::ppoll(wait_.descriptors.data(), wait_.descriptors.size(), &most, nullptr) <= 0)
      return;  // a signal also ends the wait
    for (size_t i = 0, begin = 0; i < ends.size(); begin = ends[i++])
      seen_[i] = std::span(wait_.descriptors).subspan(begin, ends[i] - begin);
  }

  void obey_interrupts() {
    int interrupts = observer_.interrupts ? observer_.interrupts() : 0;
    if (interrupts == 0) return;
    uint64_t now = now_ns();
    if (interrupted_ns_ == 0) interrupted_ns_ = now;
    run_.outcome.interrupted = true;
    uint64_t since_ns = now - interrupted_ns_;
    bool is_now = interrupts > 1 || since_ns > kStopPatienceNs;
    pmu::End how = is_now                         ? pmu::End::kNow
                   : since_ns > kSignalPatienceNs ? pmu::End::kUrged
                                                  : pmu::End::kAsked;
    for (const auto& source : sources_) source->end(how);
  }

  void obey_limit() {
    bool time_is_over = max_ns_ != 0 && now_ns() - start_ns_ >= max_ns_;
    if (!time_is_over && !(observer_.enough && observer_.enough())) return;
    for (const auto& source : sources_) source->end(pmu::End::kAsked);
  }

  [[nodiscard]] pmu::Progress progress() const {
    pmu::Progress progress;
    progress.elapsed_ns = now_ns() - start_ns_;
    for (const auto& source : sources_) source->add_progress(progress);
    return progress;
  }

  void show_progress() {
    uint64_t now = now_ns();
    if (!observer_.progress || now - progress_ns_ < observer_.every_ns) return;
    progress_ns_ = now;
    observer_.progress(progress());
  }

  void stop() {
    for (pmu::Source* source : started_) source->stop();
  }

  Error give_up(Error error) {
    stop();
    return error;
  }

  const std::vector<std::unique_ptr<pmu::Source>>& sources_;
  const pmu::Sink& sink_;
  const Observer& observer_;
  uint64_t max_ns_;
  pmu::Wait wait_;
  std::vector<std::span<const pollfd>> seen_;  // by source; points into wait_
  std::vector<pmu::Source*> started_;
  uint64_t start_ns_ = 0;
  uint64_t progress_ns_ = 0;
  uint64_t interrupted_ns_ = 0;
  bool round_has_records_ = false;
  Status sink_failure_;
  bool goes_on_unmeasured_ = false;
  Run run_;
};

}  // namespace

Result<Run> run(const std::vector<std::unique_ptr<pmu::Source>>& sources, const pmu::Sink& sink,
                const Observer& observer, uint64_t max_ns) {
  return Loop(sources, sink, observer, max_ns).to_the_end();
}

}  // namespace hm::measure
