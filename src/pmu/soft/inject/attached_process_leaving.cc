// SPDX-License-Identifier: MIT
// Lets a process go.
#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <memory>
#include <span>

#include "pmu/soft/inject/attached_process.h"
#include "pmu/soft/inject/interrupted_call.h"
#include "pmu/soft/inject/process_limits.h"
#include "pmu/soft/inject/process_memory.h"
#include "pmu/soft/inject/thread_place.h"

namespace hm::soft {
namespace {

using direct::ProcessArea;

// True for calls that the engine does not simply pass on. Their threads leave by themselves after the call.
bool is_engines_own(uint64_t call) {
  constexpr long kCalls[] = {SYS_clone, SYS_clone3, SYS_fork, SYS_vfork, SYS_execve, SYS_execveat};
  return std::ranges::find(kCalls, static_cast<long>(call)) != std::end(kCalls);
}

std::unique_ptr<ProcessArea> read_area(pid_t process, const EngineImage& image) {
  auto area = std::make_unique<ProcessArea>();
  return read_memory(process, image.end, area.get(), sizeof(*area)) ? std::move(area) : nullptr;
}

std::span<const direct::OwnMapping> mappings_of(const ProcessArea& area) {
  return std::span(area.mappings, std::min<uint64_t>(area.mapping_count, direct::kMaxOwnMappings));
}

// Does the trampoline's work for a thread that waits in it. The thread has two frames on its stack, the first
// of which restores its signal mask.
bool take_through(StoppedThread& stopped) {
  constexpr uint64_t kNext = sizeof(direct::TrampolineFrame) + direct::kRedZone;
  direct::TrampolineFrame unblock{}, native{};
  uint64_t mask = 0;
  user_regs_struct regs = stopped.registers();
  pid_t process = stopped.process();
  if (!read_memory(process, regs.rsp, &unblock, sizeof(unblock)) ||
      !read_memory(process, regs.rsp + kNext, &native, sizeof(native)) || unblock.ax != SYS_rt_sigprocmask ||
      !read_memory(process, unblock.si, &mask, sizeof(mask)))
    return false;
  regs.rsp += 2 * kNext;
  regs.rax = native.ax, regs.rcx = native.cx, regs.rdx = native.dx, regs.rsi = native.si,
  regs.rdi = native.di;
  regs.r8 = native.r8, regs.r9 = native.r9, regs.r10 = native.r10, regs.r11 = native.r11;
  regs.eflags = native.flags, regs.rip = native.ip;
  return stopped.set_signal_mask(mask) && stopped.set_registers(regs);
}

}  // namespace

// If only a leftover is in the process, the process is not measured after its removal.
void AttachedProcess::let_go() {
  if (phase_ != Phase::kOver) phase_ = Phase::kLeaving;
  is_leftover_ = false;
}

void AttachedProcess::pause() {
  if (phase_ == Phase::kMeasuring) phase_ = Phase::kPausing;  // a leftover is removed first
}

// To be called when no thread is inside.
void AttachedProcess::resume() {
  if (phase_ != Phase::kResting) return;
  phase_ = Phase::kMeasuring;
  places_.clear();
  entered_ = false;
  looks_without_anybody_ = 0;
}

// Cleans up after a recorder that was killed when it had counted a thread as taken over, but had not yet
// redirected the thread into the engine.
void AttachedProcess::forget_unsent(const std::vector<pid_t>& threads) {
  constexpr uint32_t kTimeout = 100;
  if (++looks_without_anybody_ < kTimeout) return;
  looks_without_anybody_ = 0;
  auto area = read_area(process_, image_);
  if (!area) return;
  uint32_t arrived = area->attachment.arrived;
  bool all_native = area->attachment.gone == arrived + area->attachment.born &&
                    std::ranges::all_of(threads, [&](pid_t each) { return runs_natively(each, *area); });
  uint64_t count = image_.end + offsetof(ProcessArea, attachment.taken_over);
  if (all_native && write_memory(process_, count, &arrived, sizeof(arrived))) taken_over_ = arrived;
}

void AttachedProcess::move_sleepers(const std::vector<pid_t>& threads, const direct::Attachment& attachment) {
  for (pid_t thread : threads) {
    auto place = blocked_at(process_, thread);
    if (!place || place->ip != attachment.call_return) continue;
    if (has_waiting_signal(process_, thread)) continue;  // the signal wakes the thread
    if (auto stopped = stop(thread)) move_out(*stopped, attachment);
  }
}

void AttachedProcess::move_out(StoppedThread& stopped, const direct::Attachment& attachment) {
  const user_regs_struct& registers = stopped.registers();
  Restart restart = restart_of(registers);
  if (registers.rip != attachment.call_return || !restart.needed || is_engines_own(registers.orig_rax) ||
      has_waiting_signal(process_, stopped.thread()))
    return;
  uint64_t block = (registers.rsp - 1) & ~(direct::kThreadBlockBytes - 1);
  direct::SignalStackMark mark{};
  if (!read_memory(process_, block, &mark, sizeof(mark)) || mark.tag != (block ^ direct::kSignalStackTag))
    return;
  user_regs_struct leaving = settled(registers);
  leaving.rip = attachment.leave_call;
  leaving.rdi = mark.thread;
  leaving.rsi = restart.call;
  if (stopped.set_registers(leaving)) stopped.detach();
}

// Completes the engine's work when no thread is inside to do so: a thread enters and leaves at once. A
// sleeping thread is woken for that only if no thread has run for a while.
Status AttachedProcess::send_one_through(Session& session, const std::vector<pid_t>& threads) {
  constexpr uint32_t kForRunning = 5, kForSleeping = 100;
  auto area = read_area(process_, image_);
  if (!area || area->attachment.arrived != area->attachment.taken_over) return {};
  if (++looks_without_anybody_ < kForRunning) return {};  // the last to leave may still release it
  bool take_sleeper = looks_without_anybody_ > kForSleeping;
  for (pid_t thread : threads) {
    if (!take_sleeper && !is_running(process_, thread)) continue;
    if (has_waiting_signal(process_, thread)) continue;
    auto stopped = stop(thread);
    if (!stopped || !is_native(stopped->registers().rip, *area) ||
        !is_native(stopped->registers().rsp, *area))
      continue;
    looks_without_anybody_ = 0;
    return enter(session, *stopped);
  }
  return {};
}

// True if the address belongs to the program.
bool AttachedProcess::is_native(uint64_t address, const direct::ProcessArea& area) const {
  return !is_engines(address) && !trampoline_->holds(address) &&
         std::ranges::none_of(mappings_of(area), [&](const direct::OwnMapping& each) {
           return address >= each.start && address - each.start < each.bytes;
         });
}

// True if the thread executes the program's code on the program's stack.
bool AttachedProcess::runs_natively(pid_t thread, const direct::ProcessArea& area) {
  if (auto place = blocked_at(process_, thread))
    return is_native(place->ip, area) && is_native(place->stack, area);
  auto stopped = stop(thread);
  return stopped && is_native(stopped->registers().rip, area) && is_native(stopped->registers().rsp, area);
}

// Unmaps the engine's memory when its work is done. Preferably uses the thread that waits for that. If there
// is none, uses a thread that runs, and after some time one that sleeps.
void AttachedProcess::clear(const std::vector<pid_t>& threads) {
  constexpr uint32_t kTimeout = 100;
  const auto waits_for_us = [&](pid_t thread) {
    auto place = blocked_at(process_, thread);
    return place && place->call == SYS_rt_sigtimedwait && trampoline_->holds(place->ip);
  };
  auto area = read_area(process_, image_);
  auto chosen = std::ranges::find_if(threads, waits_for_us);
  bool waits = chosen != threads.end();
  bool may_wake = ++looks_without_anybody_ > kTimeout;
  if (!waits)
    chosen =
        std::ranges::find_if(threads, [&](pid_t each) { return may_wake || is_running(process_, each); });
  if (!area || chosen == threads.end() || !late_.empty()) return;
  bool all_native =
      std::ranges::all_of(threads, [&](pid_t each) { return each == *chosen || runs_natively(each, *area); });
  if (!all_native) return;
  auto stopped = stop(*chosen);
  if (!stopped) return;
  const user_regs_struct& registers = stopped->registers();
  bool still_waits = trampoline_->holds(registers.rip);
  bool is_ready = still_waits || (is_native(registers.rip, *area) && is_native(registers.rsp, *area));
  if (!is_ready || !unmap_engine(*stopped, *area, still_waits)) return;
  remove_limit_reserves(process_);
  phase_ = Phase::kOver;
}

bool AttachedProcess::unmap_engine(StoppedThread& stopped, const direct::ProcessArea& area, bool waits) {
  TrampolineCalls calls(stopped, *trampoline_);
  if (!calls.begin()) return false;
  bool unmapped = true;
  for (const direct::OwnMapping& each : mappings_of(area)) {
    if (each.bytes == 0) continue;
    // Delete the entry first: if this process were killed in between, the next recorder might unmap memory
    // that the program has mapped there since.
    auto index = static_cast<uint64_t>(&each - area.mappings);
    uint64_t place = image_.end + offsetof(ProcessArea, mappings) + index * sizeof(each);
    direct::OwnMapping none{};
    unmapped = write_memory(process_, place, &none, sizeof(none)) &&
               calls.call(SYS_munmap, each.start, each.bytes).ok() && unmapped;
  }
  unmapped = unmapped && calls.call(SYS_munmap, image_.begin, image_.bytes()).ok();
  if (!calls.end() || !unmapped) return false;
  if (waits) (void)take_through(stopped);
  return true;
}

}  // namespace hm::soft
