// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/attached_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>

#include "base/numbered_entries.h"
#include "base/text_file.h"
#include "base/unique_fd.h"
#include "pmu/soft/inject/interrupted_call.h"
#include "pmu/soft/inject/passed_folder.h"
#include "pmu/soft/inject/process_limits.h"
#include "pmu/soft/inject/process_memory.h"
#include "pmu/soft/inject/sandbox.h"
#include "pmu/soft/inject/thread_place.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

using direct::Attachment;
using direct::ProcessArea;

constexpr uint64_t kCode64 = 0x33;  // arch/x86/include/asm/segment.h, __USER_CS

bool has_ended(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

// A process that is about to end, or is a zombie, has no program.
bool has_program(pid_t process) {
  char first = 0;
  return ::readlink(fmt::format("/proc/{}/exe", process).c_str(), &first, sizeof(first)) >= 0;
}

// True if the launcher and the engine can write below the stack pointer, where they store the thread's
// registers when it enters and leaves. A program may hold a count, or the address of a table, in it for a
// while.
bool has_stack(pid_t process, uint64_t stack_pointer) {
  uint64_t last = direct::trampoline_frame_below(stack_pointer);
  uint64_t word = 0;
  for (uint64_t place : {direct::trampoline_frame_below(last), last}) {
    if (!read_memory(process, place, &word, sizeof(word)) ||
        !write_memory(process, place, &word, sizeof(word)))
      return false;
  }
  return true;
}

Error cannot_attach(pid_t process, std::string_view why) {
  return make_error(ErrorCode::kUnsupported, "cannot attach to process {}: {}", process, why);
}

}  // namespace

bool AttachedProcess::is_engines(uint64_t address) const {
  return address >= image_.begin && address < image_.begin + image_.bytes();
}

std::optional<Attachment> AttachedProcess::read_attachment() const {
  Attachment attachment{};
  uint64_t place = image_.end + offsetof(ProcessArea, attachment);
  if (!trampoline_ || !read_memory(process_, place, &attachment, sizeof(attachment))) return std::nullopt;
  return attachment;
}

// True if a thread inside has met code that cannot be measured. All threads then leave, and none is sent in
// again.
bool AttachedProcess::is_leaving() const {
  std::optional<Attachment> attachment = read_attachment();
  return attachment && attachment->leaving != 0;
}

// Checks that the engine in the process belongs to this session: a hostile program may write another
// process's number to its ring.
bool AttachedProcess::adopt() {
  is_child_ = looked_ = true;
  direct::StartInfo start{};
  bool is_ours =
      read_memory(process_, image_.end, &start, sizeof(start)) &&
      std::string_view(start.session_folder, ::strnlen(start.session_folder, sizeof(start.session_folder))) ==
          session_folder_;
  return is_ours && find_trampoline();
}

bool AttachedProcess::find_trampoline() {
  Attachment attachment{};
  uint64_t place = image_.end + offsetof(ProcessArea, attachment);
  if (!read_memory(process_, place, &attachment, sizeof(attachment)) || attachment.trampoline == 0)
    return false;
  trampoline_.emplace(attachment.trampoline);
  taken_over_ = attachment.taken_over;
  return true;
}

// Finds the memory of a killed recorder's engine; threads may still sleep in it.
Status AttachedProcess::find_leftover() {
  looked_ = true;
  direct::StartInfo start{};
  bool is_there = read_memory(process_, image_.end, &start, sizeof(start)) && find_trampoline();
  if (!is_there) return {};
  start.session_folder[sizeof(start.session_folder) - 1] = '\0';
  // If the folder is this session's, the process has a copy of its parent's engine, without the threads
  // inside.
  is_native_child_ = start.session_folder == session_folder_;
  if (is_native_child_)
    return cannot_attach(process_, "its parent forked it natively while it was measured itself");
  UniqueFd session(::open(fmt::format("{}/{}", start.session_folder, kSessionFileName).c_str(),
                          O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
  if (session.valid() && recorder_lives(session.get()))
    return cannot_attach(process_, "another hardmeter measures it");
  found_leftover_ = is_leftover_ = true;
  phase_ = Phase::kLeaving;
  return {};
}

void AttachedProcess::begin_anew() {
  places_.clear();
  trampoline_.reset();
  taken_over_ = looks_without_anybody_ = 0;
  is_leftover_ = entered_ = false;
  phase_ = Phase::kMeasuring;
}

bool AttachedProcess::has_leftover() { return find_leftover().ok() && is_leftover_; }

std::optional<StoppedThread> AttachedProcess::stop(pid_t thread) {
  StoppedThread::Failure failure{};
  auto stopped = StoppedThread::stop(process_, thread, failure);
  if (failure == StoppedThread::Failure::kLate) late_.push_back(thread);
  if (failure == StoppedThread::Failure::kRefused) places_[thread] = Place::kUnsuitable;
  return stopped;
}

void AttachedProcess::release_late() {
  std::erase_if(late_, [&](pid_t thread) {
    StoppedThread::Failure failure{};
    (void)StoppedThread::stop_late(process_, thread, failure);
    return failure != StoppedThread::Failure::kLate;
  });
}

Status AttachedProcess::look(Session& session) {
  release_late();
  if (phase_ == Phase::kOver) return {};
  if (phase_ == Phase::kResting) {
    if (has_ended(process_)) phase_ = Phase::kOver;
    return {};
  }
  if (!looked_) {
    if (Status free = find_leftover(); !free) return free;
  }
  std::vector<pid_t> threads = numbered_entries(fmt::format("/proc/{}/task", process_));
  if (threads.empty() || has_ended(process_)) {
    phase_ = Phase::kOver;
    return {};
  }
  std::erase_if(places_,
                [&](const auto& each) { return std::ranges::find(threads, each.first) == threads.end(); });
  std::erase_if(threads, [&](pid_t each) { return std::ranges::find(late_, each) != late_.end(); });
  if (trampoline_ && !read_attachment()) {
    phase_ = Phase::kOver;
    if (is_child_ || !has_program(process_)) return {};  // the engine has counted it
    return make_error(ErrorCode::kUnsupported,
                      "process {} has become another program, which was not measured", process_);
  }
  if (phase_ == Phase::kMeasuring && is_leaving()) let_go();
  if (phase_ == Phase::kMeasuring) return take_over_running(session, threads);
  Status status = end_measuring(session, threads);
  if (phase_ == Phase::kOver && is_leftover_) begin_anew();
  return status;
}

Status AttachedProcess::end_measuring(Session& session, const std::vector<pid_t>& threads) {
  auto attachment = read_attachment();
  bool is_pause = phase_ == Phase::kPausing;
  if (!attachment) {  // no thread was ever inside
    phase_ = is_pause ? Phase::kResting : Phase::kOver;
    return {};
  }
  bool all_left = attachment->gone == attachment->taken_over + attachment->born;
  bool is_native = attachment->released == direct::kPaused && all_left;
  if (is_native && is_pause)
    phase_ = Phase::kResting;
  else if (is_native || attachment->released == direct::kLetGo)
    clear(threads);
  else if (attachment->released == direct::kInside && all_left)
    return send_one_through(session, threads);
  else if (is_leftover_ && attachment->arrived != attachment->taken_over)
    forget_unsent(threads);
  else
    move_sleepers(threads, *attachment);
  return {};
}

Status AttachedProcess::take_over_running(Session& session, const std::vector<pid_t>& threads) {
  for (pid_t thread : threads) {
    if (places_.contains(thread) || !is_running(process_, thread)) continue;
    auto attachment = read_attachment();
    bool is_free = !attachment || attachment->arrived == attachment->taken_over;
    if (!is_free) return {};  // one at a time: the process area has room for one thread's start
    auto stopped = stop(thread);
    if (!stopped) continue;
    if (Status status = take_over(session, *stopped); !status) return status;
  }
  return {};
}

// If the thread cannot be taken over now, it continues natively and is examined again later.
Status AttachedProcess::take_over(Session& session, StoppedThread& stopped) {
  const user_regs_struct& registers = stopped.registers();
  if (registers.cs != kCode64) return cannot_attach(process_, "it runs a 32-bit program");
  if (trampoline_ && registers.gs_base != 0) {
    places_[stopped.thread()] = Place::kInside;  // set by a thread inside
    return {};
  }
  // The thread is about to get a core, or it runs natively and the engine passes a signal to it.
  if (trampoline_ && is_engines(registers.rip)) return {};
  if (registers.gs_base != 0)
    return cannot_attach(process_, "it uses the GS register, which the copying engine needs");
  bool is_between = restart_of(registers).needed || (trampoline_ && trampoline_->holds(registers.rip));
  if (is_between || !has_stack(process_, registers.rsp)) return {};
  return enter(session, stopped);
}

RangeUse AttachedProcess::use_of_engines_range() const {
  std::string maps = read_text(fmt::format("/proc/{}/maps", process_)).value_or("");
  return use_of_range(maps, image_.begin, image_.begin + image_.bytes(), direct::kEngineEnd);
}

Status AttachedProcess::make_room(const RemoteCall& call) {
  switch (use_of_engines_range()) {
    case RangeUse::kFree:
      return {};
    case RangeUse::kCutOff: {
      auto unmapped = call(SYS_munmap, image_.begin, image_.bytes(), 0, 0, 0, 0);
      return unmapped ? Status{} : unmapped.error();
    }
    case RangeUse::kTaken:
      break;
  }
  return cannot_attach(
      process_,
      fmt::format("it has memory of its own at {:#x}, where the copying engine has to be", image_.begin));
}

Status AttachedProcess::remove_unfinished_engine() {
  char first = 0;
  bool is_mapped = read_memory(process_, image_.begin, &first, sizeof(first));
  if (!is_mapped || find_trampoline()) return {};  // if the engine was complete, a thread may be in it
  for (pid_t thread : numbered_entries(fmt::format("/proc/{}/task", process_))) {
    if (use_of_engines_range() != RangeUse::kCutOff) return {};
    auto stopped = stop(thread);
    if (!stopped) continue;
    auto trampoline = Trampoline::put(process_, thread);
    if (!trampoline) return trampoline.error();
    TrampolineCalls calls(*stopped, *trampoline);
    Status status = calls.begin();
    if (status.ok()) status = make_room(calls.as_function());
    if (Status ended = calls.end(); status.ok()) status = ended;
    trampoline->remove(thread);
    return status;
  }
  return {};
}

Status AttachedProcess::bring_engine(StoppedThread& stopped) {
  Status status = check_free_descriptors(process_);
  if (status.ok()) status = add_limit_reserves(process_);
  if (status.ok()) status = bring_engine_within_limits(stopped);
  if (!status.ok()) remove_limit_reserves(process_);
  return status;
}

Status AttachedProcess::bring_engine_within_limits(StoppedThread& stopped) {
  auto trampoline = Trampoline::put(process_, stopped.thread());
  if (!trampoline) return trampoline.error();
  TrampolineCalls calls(stopped, *trampoline);
  RemoteCall call = calls.as_function();
  Status status = calls.begin();
  if (status.ok()) status = make_room(call);
  if (status.ok()) status = map_engine(process_, image_, call);
  Attachment attachment{};
  attachment.trampoline = trampoline->address();
  attachment.was_running = 1;
  uint64_t place = image_.end + offsetof(ProcessArea, attachment);
  if (status.ok() && !write_memory(process_, place, &attachment, sizeof(attachment)))
    status = cannot_attach(process_, errno_text(errno));
  if (Status ended = calls.end(); status.ok()) status = ended;
  if (!status.ok()) {
    trampoline->remove(stopped.thread());
    return status;
  }
  trampoline_ = *trampoline;
  return {};
}

// The first thread that enters opens the session.
Result<int> AttachedProcess::pass_session(StoppedThread& stopped) {
  if (entered_ || finds_session(process_, session_folder_)) return -1;
  TrampolineCalls calls(stopped, *trampoline_);
  Status status = calls.begin();
  Result<int> passed = status.ok() ? pass_folder(process_, calls.as_function(), image_.end, session_folder_)
                                   : Result<int>(status.error());
  if (Status ended = calls.end(); !ended) return ended.error();
  return passed;
}

Status AttachedProcess::enter(Session& session, StoppedThread& stopped) {
  if (Status checked = sandbox_.check(process_, stopped.thread()); !checked) return checked;
  if (!trampoline_) {
    if (Status brought = bring_engine(stopped); !brought) return brought;
  }
  Result<int> passed = pass_session(stopped);
  if (!passed) return passed.error();
  user_regs_struct native = settled(stopped.registers());
  direct::StartInfo start = start_info(native, stopped.signal_mask(), session_folder_);
  start.folder_descriptor = *passed;
  start.restart_area = stopped.restart_area().address;
  start.restart_signature = stopped.restart_area().signature;
  uint32_t taken_over = taken_over_ + 1;
  uint64_t count_place = image_.end + offsetof(ProcessArea, attachment.taken_over);
  if (!write_memory(process_, image_.end, &start, sizeof(start)) ||
      !write_memory(process_, count_place, &taken_over, sizeof(taken_over)))
    return {};  // the process has just ended or executed a program: the next look() finds out
  user_regs_struct inside = native;
  inside.rip = image_.entry;
  inside.rdi = image_.end;
  if (!stopped.set_registers(inside)) return cannot_attach(process_, errno_text(errno));
  stopped.set_signal_mask(~uint64_t{0});
  if (!entered_) __atomic_fetch_add(&session.forks_under_way, 1, __ATOMIC_SEQ_CST);
  entered_ = true;
  lock_.release();
  taken_over_ = taken_over;
  places_[stopped.thread()] = Place::kInside;
  stopped.detach();
  return {};
}

}  // namespace hm::soft
