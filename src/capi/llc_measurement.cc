// SPDX-License-Identifier: MIT
#include "capi/llc_measurement.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/text_file.h"
#include "capi/last_error.h"

namespace hm::capi {
namespace {

int no_such_target(const LlcTarget& target) {
  return failure(ESRCH, fmt::format("{} does not exist", llc_target_name(target)));
}

// Converts an error of Provider::watch().
int errno_of_watch(ErrorCode code, bool is_cpu) {
  switch (code) {
    case ErrorCode::kUnsupported:
      return EBUSY;
    case ErrorCode::kIo:
      return EAGAIN;
    case ErrorCode::kNotFound:
      return is_cpu ? ESRCH : ENOTSUP;
    default:
      return errno_of(code);
  }
}

// Converts an error of Group::add() for a thread that has not ended.
int errno_of_add(ErrorCode code) { return code == ErrorCode::kUnsupported ? EBUSY : errno_of(code); }

}  // namespace

std::string llc_target_name(const LlcTarget& target) {
  switch (target.kind) {
    case HARDMETER_LLC_THREAD:
      return fmt::format("thread {}", target.id);
    case HARDMETER_LLC_PROCESS:
      return fmt::format("process {}", target.id);
    case HARDMETER_LLC_CPU:
      return fmt::format("CPU {}", target.id);
  }
  return "target";
}

pid_t process_of_thread(pid_t thread) {
  constexpr std::string_view kBefore = "\nTgid:\t";
  std::string status = read_text(fmt::format("/proc/{}/status", thread)).value_or("");
  size_t at = status.find(kBefore);
  pid_t process = 0;
  if (at != status.npos)
    std::from_chars(status.data() + at + kBefore.size(), status.data() + status.size(), process);
  return process;
}

std::vector<pid_t> llc_threads_of(const LlcTarget& target) {
  if (target.kind == HARDMETER_LLC_CPU) return {};
  pid_t process = process_of_thread(target.id);
  if (target.kind == HARDMETER_LLC_THREAD)
    return process == 0 ? std::vector<pid_t>() : std::vector<pid_t>{target.id};
  std::vector<pid_t> threads;
  if (process != target.id) return threads;
  std::error_code error;
  std::filesystem::directory_iterator each(fmt::format("/proc/{}/task", target.id), error), end;
  for (; !error && each != end; each.increment(error)) {
    std::string name = each->path().filename().string();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc())
      threads.push_back(thread);
  }
  return threads;
}

std::shared_ptr<LlcMeasurement> LlcMeasurement::begin(std::shared_ptr<rdt::Provider> provider,
                                                      const LlcTarget& target) {
  std::shared_ptr<LlcMeasurement> begun(new LlcMeasurement(std::move(provider), target));
  // Checks that the target exists before using one of the few monitoring IDs.
  bool is_there = target.kind == HARDMETER_LLC_CPU || !llc_threads_of(target).empty();
  if (!is_there) {
    (void)no_such_target(target);
    return nullptr;
  }
  return begun->begin_group() == 0 && begun->add_threads() == 0 ? begun : nullptr;
}

int LlcMeasurement::begin_group() {
  bool is_cpu = target_.kind == HARDMETER_LLC_CPU;
  rdt::Members members;
  if (is_cpu) members.cpus.push_back(static_cast<uint32_t>(target_.id));
  Result<std::unique_ptr<rdt::Group>> group = provider_->watch(members);
  if (!group) return failure(errno_of_watch(group.error().code, is_cpu), group.error().message);
  group_ = *std::move(group);
  return 0;
}

// Threads that a thread started before it joined the group are found in the next round.
int LlcMeasurement::add_threads() {
  if (target_.kind == HARDMETER_LLC_CPU) return 0;
  constexpr int kMaxRounds = 20;
  std::set<pid_t> added;
  bool found_more = true;
  for (int round = 0; round < kMaxRounds && found_more; ++round) {
    found_more = false;
    for (pid_t thread : llc_threads_of(target_)) {
      if (added.contains(thread)) continue;
      Status status = group_->add(thread);
      if (!status.ok() && status.error().code == ErrorCode::kNotFound) continue;
      if (!status.ok()) return failure(errno_of_add(status.error().code), status.error().message);
      added.insert(thread);
      found_more = true;
    }
  }
  return added.empty() ? no_such_target(target_) : 0;
}

std::vector<rdt::Reading> LlcMeasurement::read() {
  provider_->begin_round();
  return group_->read();
}

}  // namespace hm::capi
