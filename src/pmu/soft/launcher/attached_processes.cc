// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/attached_processes.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/process_status.h"
#include "base/text_file.h"
#include "pmu/soft/inject/process_memory.h"
#include "pmu/soft/launcher/burst_room.h"
#include "pmu/soft/launcher/surroundings.h"

namespace hm::soft {
namespace {

// Returns the reason why ptrace(2) is refused (section "Ptrace access mode checking") and a remedy.
std::string describe_refusal(pid_t process) {
  if (::geteuid() != 0 && status_field(process, "Uid") != static_cast<long>(::getuid()))
    return "it is another user's; run as its user, or with CAP_SYS_PTRACE";
  long scope = std::atol(read_text("/proc/sys/kernel/yama/ptrace_scope").value_or("0").c_str());
  if (scope > 0)
    return fmt::format(
        "/proc/sys/kernel/yama/ptrace_scope is {}, which {}", scope,
        scope > 2 ? "only a reboot can change" : "reserves that for CAP_SYS_PTRACE; set it to 0");
  return "it has capabilities that hardmeter lacks, or it (PR_SET_DUMPABLE) or a security module forbids it; run with CAP_SYS_PTRACE";
}

// Checks that this process may trace `process`, without stopping it: reads memory at address 0, because the
// kernel checks the permission before the address. Accepts a process that has no memory (any more).
Status try_tracing_of(pid_t process) {
  char byte = 0;
  if (read_memory(process, 0, &byte, sizeof(byte)) || errno == EFAULT || errno == ESRCH) return {};
  return make_error(ErrorCode::kPermission, "cannot attach to process {}: {}: {}", process, errno_text(errno),
                    describe_refusal(process));
}

// A child of vfork(2) has its parent's memory until it runs a program: the engine would be in the parent,
// whose threads do not know of it.
bool has_parents_memory(pid_t process) {
  constexpr int kMemory = 1;  // KCMP_VM of linux/kcmp.h
  auto parent = static_cast<pid_t>(status_field(process, "PPid"));
  return parent > 0 && ::syscall(SYS_kcmp, process, parent, kMemory, 0, 0) == 0;
}

std::string sharing_sentence(pid_t process) {
  return fmt::format(
      "cannot attach to process {}: it shares the memory of its parent, as a child of vfork(2) does until it runs a program",
      process);
}

Status check(pid_t process) {
  const auto refuse = [&](ErrorCode code, std::string_view why) {
    return make_error(code, "cannot attach to process {}: {}", process, why);
  };
  // No check of EPERM: a process that may trace need not have the right to send signals.
  if (::kill(process, 0) != 0 && errno == ESRCH) return refuse(ErrorCode::kNotFound, errno_text(errno));
  if (process == ::getpid()) return refuse(ErrorCode::kInvalidArgument, "that is hardmeter itself");
  if (Status permitted = try_tracing_of(process); !permitted) return permitted;
  // euidaccess(3) checks with the capabilities; access(2) checks as the real user.
  if (::euidaccess(fmt::format("/proc/{}/exe", process).c_str(), F_OK) != 0) {
    constexpr pid_t kKernelThreads = 2;  // the parent of all others
    bool is_kernels = process == kKernelThreads || status_field(process, "PPid") == kKernelThreads;
    return is_kernels ? refuse(ErrorCode::kUnsupported, "it is a thread of the kernel")
                      : refuse(ErrorCode::kNotFound, "it has ended");
  }
  if (long tracer = status_field(process, "TracerPid"); tracer != 0)
    return refuse(ErrorCode::kPermission,
                  fmt::format("process {} traces it (a debugger, strace, or another hardmeter)", tracer));
  return suits_engine(process);
}

// Waits while another process removes the remains of a killed recorder there.
bool reserve(AttachedProcess& process) {
  constexpr int kMaxLooks = 1000;
  constexpr useconds_t kBetweenUs = 5000;
  for (int i = 0; i < kMaxLooks; ++i) {
    if (process.reserve()) return true;
    ::usleep(kBetweenUs);
  }
  return false;
}

}  // namespace

AttachedProcesses::~AttachedProcesses() {
  if (cleaner_ && !any()) cleaner_->dismiss();
}

Status AttachedProcesses::attach(Session& session, const std::string& session_folder, pid_t process) {
  if (!cleaner_) cleaner_.emplace(image_, session_folder);
  session_folder_ = session_folder;
  refused_for_now_.erase(process);
  sharing_.erase(process);
  Status begun = begin(session, process);
  if (begun.ok() || refused_for_now_.contains(process) || sharing_.contains(process)) return begun;
  refused_.insert(process);
  if (begun.error().code != ErrorCode::kNotFound) add_shortfall(begun.error().message);
  return begun;
}

Status AttachedProcesses::begin(Session& session, pid_t process) {
  auto attached = std::make_unique<AttachedProcess>(process, image_, session_folder_);
  if (has_parents_memory(process)) {
    sharing_.insert(process);
    return make_error(ErrorCode::kUnsupported, "{}", sharing_sentence(process));
  }
  bool is_ours = reserve(*attached);  // false while a cleaner works on it
  if (Status good = check(process); !good) return good;
  if (Status room = has_room_for_bursts(session, process); !room) return room;
  if (!is_ours)
    return make_error(ErrorCode::kPermission,
                      "cannot attach to process {}: another hardmeter is about to attach to it", process);
  if (Status looked = attached->look(session); !looked) {
    if (attached->is_native_child()) refused_for_now_[process] = looked.error().message;
    return looked;
  }
  if (attached->found_leftover())
    add_shortfall(
        fmt::format("a killed hardmeter had left memory in process {}, which was removed first", process));
  processes_.push_back(std::move(attached));
  return {};
}

void AttachedProcesses::serve(Session& session) {
  uint32_t wish = __atomic_load_n(&session.let_go, __ATOMIC_ACQUIRE);
  for (const auto& each : processes_) {
    if (wish == kLeaveForGood) each->let_go();  // also if the engine met an instruction that it cannot run
    if (wish == kLeaveForNow) each->pause();
    if (Status looked = each->look(session); !looked) add_shortfall(looked.error().message);
  }
}

// Adds the sentence unless it is already there.
void AttachedProcesses::add_shortfall(const std::string& sentence) {
  if (std::ranges::find(shortfalls_, sentence) == shortfalls_.end()) shortfalls_.push_back(sentence);
}

std::vector<std::string> AttachedProcesses::shortfalls() const {
  std::vector<std::string> all = shortfalls_;
  for (const auto& [process, sentence] : refused_for_now_) all.push_back(sentence);
  // Those that have ended ran no program of their own.
  for (pid_t process : sharing_) {
    if (::kill(process, 0) == 0) all.push_back(sharing_sentence(process));
  }
  return all;
}

bool AttachedProcesses::knows(pid_t process) const {
  return refused_.contains(process) || std::ranges::any_of(processes_, [&](const auto& each) {
           return each->process() == process && !each->is_over();
         });
}

void AttachedProcesses::adopt(const std::vector<pid_t>& recorded) {
  for (pid_t process : recorded) {
    if (knows(process)) continue;
    auto child = std::make_unique<AttachedProcess>(process, image_, session_folder_);
    if (child->adopt()) processes_.push_back(std::move(child));
  }
}

void AttachedProcesses::let_go(Session& session) {
  __atomic_store_n(&session.let_go, uint32_t{kLeaveForGood}, __ATOMIC_SEQ_CST);
  for (const auto& each : processes_) each->let_go();
}

void AttachedProcesses::pause(Session& session) {
  __atomic_store_n(&session.let_go, uint32_t{kLeaveForNow}, __ATOMIC_SEQ_CST);
  for (const auto& each : processes_) each->pause();
}

void AttachedProcesses::resume(Session& session) {
  __atomic_store_n(&session.let_go, uint32_t{kStay}, __ATOMIC_SEQ_CST);
  for (const auto& each : processes_) each->resume();
}

bool AttachedProcesses::all_rest() const {
  return std::ranges::all_of(processes_, [](const auto& each) { return each->is_resting(); });
}

std::vector<pid_t> AttachedProcesses::ids() const {
  std::vector<pid_t> all;
  for (const auto& each : processes_) {
    if (!each->is_over()) all.push_back(each->process());
  }
  return all;
}

bool AttachedProcesses::any() const {
  return std::ranges::any_of(processes_, [](const auto& each) { return !each->is_over(); });
}

}  // namespace hm::soft
