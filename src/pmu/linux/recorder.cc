// SPDX-License-Identifier: MIT
#include "pmu/linux/recorder.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>

#include "pmu/linux/kept_samples.h"
#include "record/record.h"

namespace hm::linux_pmu {
namespace {

constexpr uint64_t kMillisecondNs = 1000000;
constexpr int kTickMs = 100;  // the rings wake us earlier, when they are half full
// Where a ring's own event has ended with its thread, nobody wakes us for the others that write into it.
constexpr int kBlindTickMs = 10;
constexpr uint64_t kProgressNs = 200 * kMillisecondNs;
constexpr uint64_t kSignalPatienceNs =
    300 * kMillisecondNs;  // the terminal's own SIGINT reaches the command too
constexpr uint64_t kStopPatienceNs = 3000 * kMillisecondNs;
constexpr int kInterruptedStatus = 128 + SIGINT;  // of a command that goes on nevertheless

uint64_t now_ns() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

uint64_t word_at(Bytes record, size_t offset) {
  uint64_t word = 0;
  if (record.size() >= offset + sizeof word) std::memcpy(&word, record.data() + offset, sizeof word);
  return word;
}

class Run {
 public:
  Run(Session& session, Command* command, const Target& target, const RunHooks& hooks)
      : session_(session),
        command_(command),
        target_(target),
        hooks_(hooks),
        start_ns_(now_ns()),
        kept_(session) {
    for (const auto& ring : session_.rings()) polled_.push_back({ring->fd(), POLLIN, 0});
    if (command_ != nullptr) polled_.push_back({command_->ended_fd(), POLLIN, 0});
  }

  Result<RunResult> to_the_end() {
    while (!over()) {
      wait();
      if (Status status = round(); !status) return status.error();
      obey_interrupts();
      obey_limit();
      show_progress();
    }
    session_.disable();
    result_.elapsed_ns = now_ns() - start_ns_;
    if (Status status = round(); !status) return status.error();
    if (command_ != nullptr) result_.cpu_ns = command_->cpu_ns();
    result_.counted = session_.read();
    for (const auto& ring : session_.rings()) result_.tally.damaged_rings += ring->reader().damaged() ? 1 : 0;
    return result_;
  }

 private:
  [[nodiscard]] bool over() {
    if (command_ != nullptr) {
      std::optional<int> status = command_->status();
      result_.exit_status = status.value_or(stop_now_ ? kInterruptedStatus : 0);
      return stop_now_ || status.has_value();
    }
    return stop_now_ || limited_ || (!target_.by_cpu() && !target_lives());
  }

  [[nodiscard]] bool target_lives() {
    Kernel& kernel = session_.kernel();
    return std::ranges::any_of(target_.pids, [&](pid_t pid) { return is_process_alive(kernel, pid); }) ||
           std::ranges::any_of(target_.tids, [&](pid_t tid) { return is_thread_alive(kernel, tid); });
  }

  void wait() {
    int ready = ::poll(polled_.data(), polled_.size(), blind_ ? kBlindTickMs : kTickMs);
    if (ready <= 0) return;  // a signal, too, is a reason to look around
    for (size_t i = 0; i < session_.rings().size(); ++i) {
      if ((polled_[i].revents & (POLLHUP | POLLERR)) == 0) continue;
      polled_[i].fd = -1;
      blind_ = true;
    }
  }

  Status round() {
    Status status;
    uint64_t bytes = 0;
    for (const auto& ring : session_.rings()) {
      bytes += ring->reader().drain_runs([this](Bytes record) { return look(record); },
                                         [&](Bytes run) {
                                           if (status.ok()) status = hooks_.take(run);
                                         });
    }
    result_.tally.bytes += bytes;
    if (bytes == 0 || !status) return status;
    perf_event_header finished{record::kFinishedRound, 0, sizeof(finished)};
    return hooks_.take(std::as_bytes(std::span(&finished, 1)));
  }

  // Whether the record is to be kept.
  bool look(Bytes record) {
    constexpr size_t kFirstWord = sizeof(perf_event_header);
    uint32_t type = 0;
    std::memcpy(&type, record.data(), sizeof type);
    Tally& tally = result_.tally;
    switch (type) {
      case PERF_RECORD_SAMPLE:
        if (!kept_.keeps(record)) return false;
        look_at_sample(record);
        return true;
      case PERF_RECORD_LOST:
        tally.lost_records += word_at(record, kFirstWord + sizeof(uint64_t));
        break;
      case PERF_RECORD_LOST_SAMPLES:
        tally.lost_samples += word_at(record, kFirstWord);
        break;
      case PERF_RECORD_THROTTLE:
        ++tally.throttles;
        break;
      default:
        break;
    }
    if (hooks_.look) hooks_.look(record);
    return true;
  }

  void look_at_sample(Bytes record) {
    Tally& tally = result_.tally;
    ++tally.samples;
    uint64_t time_ns = word_at(record, sizeof(perf_event_header) + kSampleTimeOffset);
    if (tally.first_sample_ns == 0 || time_ns < tally.first_sample_ns) tally.first_sample_ns = time_ns;
    if (time_ns > tally.last_sample_ns) tally.last_sample_ns = time_ns;
  }

  void obey_interrupts() {
    int interrupts = hooks_.interrupts ? hooks_.interrupts() : 0;
    if (interrupts == 0) return;
    uint64_t now = now_ns();
    if (interrupted_ns_ == 0) interrupted_ns_ = now;
    result_.interrupted = true;
    if (command_ == nullptr || interrupts > 1 || now - interrupted_ns_ > kStopPatienceNs) stop_now_ = true;
    if (command_ != nullptr && !terminated_ && now - interrupted_ns_ > kSignalPatienceNs) {
      command_->terminate();
      terminated_ = true;
    }
  }

  // The program goes on without being sampled.
  void obey_limit() {
    if (limited_ || hooks_.most_samples == 0 || result_.tally.samples < hooks_.most_samples) return;
    session_.disable();
    limited_ = true;
  }

  void show_progress() {
    uint64_t now = now_ns();
    if (!hooks_.progress || now - progress_ns_ < kProgressNs) return;
    progress_ns_ = now;
    hooks_.progress({now - start_ns_, result_.tally});
  }

  Session& session_;
  Command* command_;
  const Target& target_;
  const RunHooks& hooks_;
  uint64_t start_ns_;
  uint64_t progress_ns_ = 0;
  uint64_t interrupted_ns_ = 0;
  bool terminated_ = false;
  bool stop_now_ = false;
  bool limited_ = false;
  bool blind_ = false;
  std::vector<pollfd> polled_;
  KeptSamples kept_;
  RunResult result_;
};

constexpr int kNotExecutableStatus = 126;  // POSIX, Shell Command Language, 2.8.2

// Events that wait for an exec are enabled by it; all others now.
bool exec_enables(const Session& session) {
  return !session.events().empty() && session.events().front().attr.enable_on_exec != 0;
}

}  // namespace

Result<RunResult> run(Session& session, Command* command, const Target& target, const RunHooks& hooks) {
  if (!exec_enables(session)) session.enable();
  if (command != nullptr) {
    if (Status started = command->go(); !started) {
      RunResult result;
      result.exit_status = kNotExecutableStatus;
      result.not_started = started.error().message;
      return result;
    }
  }
  return Run(session, command, target, hooks).to_the_end();
}

}  // namespace hm::linux_pmu
