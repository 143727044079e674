// SPDX-License-Identifier: MIT
#include "pmu/linux/recorder.h"

#include <algorithm>
#include <cstring>

#include "pmu/shell_status.h"

namespace hm::linux_pmu {
namespace {

constexpr uint64_t kTickNs = 100'000'000;  // the rings wake the loop earlier, when they are half full
// If the thread of a ring's own event has ended, the ring wakes the loop no more, even if other events write
// into it.
constexpr uint64_t kBlindTickNs = 10'000'000;

uint64_t word_at(Bytes record, size_t offset) {
  uint64_t word = 0;
  if (record.size() >= offset + sizeof word) std::memcpy(&word, record.data() + offset, sizeof word);
  return word;
}

// Events that wait for an exec are enabled by the exec, all others when the recording starts.
bool exec_enables(const Session& session) {
  return !session.events().empty() && session.events().front().attr.enable_on_exec != 0;
}

}  // namespace

Recorder::Recorder(Session& session, Command* command, const Target& target, RecorderHooks hooks)
    : session_(session), command_(command), target_(target), hooks_(std::move(hooks)), kept_(session) {
  for (const auto& ring : session_.rings()) polled_.push_back({ring->fd(), POLLIN, 0});
  if (command_ != nullptr) polled_.push_back({command_->ended_fd(), POLLIN, 0});
}

std::optional<pmu::Refusal> Recorder::start() {
  if (!exec_enables(session_)) session_.enable();
  if (command_ == nullptr) return std::nullopt;
  Status started = command_->go();
  if (started) return std::nullopt;
  return pmu::Refusal{pmu::kNotExecutableStatus, started.error().message};
}

void Recorder::add_to(pmu::Wait& wait) const {
  wait.descriptors.insert(wait.descriptors.end(), polled_.begin(), polled_.end());
  wait.at_most(blind_ ? kBlindTickNs : kTickNs);
}

Status Recorder::round(std::span<const pollfd> seen) {
  for (size_t i = 0; i < seen.size() && i < session_.rings().size(); ++i) {
    if ((seen[i].revents & (POLLHUP | POLLERR)) == 0) continue;
    polled_[i].fd = -1;
    blind_ = true;
  }
  Status status;
  for (const auto& ring : session_.rings()) {
    tally_.bytes += ring->reader().drain_runs([this](Bytes record) { return look(record); },
                                              [&](Bytes run) {
                                                if (status.ok()) status = hooks_.take(run);
                                              });
  }
  // The program continues without being sampled.
  if (!limited_ && hooks_.max_samples != 0 && tally_.samples >= hooks_.max_samples) {
    session_.disable();
    limited_ = true;
  }
  return status;
}

bool Recorder::over() {
  bool target_ended = target_.by_task() && !target_lives();
  if (command_ == nullptr) return stop_now_ || limited_ || target_ended;
  std::optional<int> status = command_->status();
  if (!status && target_ended) {  // without the target, the command has nothing to wait for
    command_->terminate();
    return true;
  }
  exit_status_ = status.value_or(stop_now_ ? pmu::kInterruptedStatus : 0);
  return stop_now_ || status.has_value();
}

bool Recorder::target_lives() const {
  Kernel& kernel = session_.kernel();
  return std::ranges::any_of(target_.pids, [&](pid_t pid) { return is_process_alive(kernel, pid); }) ||
         std::ranges::any_of(target_.tids, [&](pid_t tid) { return is_thread_alive(kernel, tid); });
}

void Recorder::end(pmu::End how) {
  if (command_ == nullptr || how == pmu::End::kNow) stop_now_ = true;
  if (command_ == nullptr || how != pmu::End::kUrged || terminated_) return;
  command_->terminate();
  terminated_ = true;
}

void Recorder::finish() {
  counted_ = session_.read();
  for (const auto& ring : session_.rings()) tally_.damaged_rings += ring->reader().damaged() ? 1 : 0;
}

std::optional<pmu::CommandEnd> Recorder::command_end() const {
  if (command_ == nullptr) return std::nullopt;
  return pmu::CommandEnd{exit_status_, command_->cpu_time()};
}

// Updates the tally. Returns true if the record is to be kept.
bool Recorder::look(Bytes record) {
  constexpr size_t kFirstWord = sizeof(perf_event_header);
  uint32_t type = 0;
  std::memcpy(&type, record.data(), sizeof type);
  switch (type) {
    case PERF_RECORD_SAMPLE:
      if (!kept_.keeps(record)) return false;
      look_at_sample(record);
      return true;
    case PERF_RECORD_LOST:
      tally_.lost_records += word_at(record, kFirstWord + sizeof(uint64_t));
      break;
    case PERF_RECORD_LOST_SAMPLES:
      tally_.lost_samples += word_at(record, kFirstWord);
      break;
    case PERF_RECORD_THROTTLE:
      ++tally_.throttles;
      break;
    default:
      break;
  }
  if (hooks_.look) hooks_.look(record);
  return true;
}

void Recorder::look_at_sample(Bytes record) {
  ++tally_.samples;
  uint64_t time_ns = word_at(record, sizeof(perf_event_header) + kSampleTimeOffset);
  if (tally_.first_sample_ns == 0 || time_ns < tally_.first_sample_ns) tally_.first_sample_ns = time_ns;
  if (time_ns > tally_.last_sample_ns) tally_.last_sample_ns = time_ns;
}

}  // namespace hm::linux_pmu
