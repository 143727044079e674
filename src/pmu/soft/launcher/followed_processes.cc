// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/followed_processes.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/numbered_entries.h"
#include "base/process_files.h"
#include "pmu/soft/inject/process_limits.h"
#include "pmu/soft/inject/remote_calls.h"
#include "pmu/soft/inject/sandbox.h"
#include "pmu/soft/inject/tracee_stop.h"
#include "pmu/soft/launcher/burst_room.h"
#include "pmu/soft/launcher/surroundings.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

// Sets the request's state to `to` and wakes the process if the state is still `from`.
bool reply(ExecRequest& request, uint32_t from, uint32_t to) {
  if (!__atomic_compare_exchange_n(&request.state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  futex_wake(&request.state);
  return true;
}

void free_place(ExecRequest& request) {
  request.state = kExecNone;
  request.process = 0;
  __atomic_store_n(&request.thread, 0u, __ATOMIC_RELEASE);
}

bool is_free(const ExecRequest& request) { return __atomic_load_n(&request.thread, __ATOMIC_RELAXED) == 0; }

// True if the thread has ended, or if there is none (0): it may be killed while it waits for the answer.
bool is_over(pid_t thread) { return thread == 0 || (::kill(thread, 0) != 0 && errno == ESRCH); }

struct Asking {
  pid_t process = 0;
  pid_t thread = 0;
};

// Returns the thread with this ID in the PID namespace of the process; 0 if there is none.
pid_t thread_with_number(pid_t process, pid_t inside) {
  for (pid_t thread : numbered_entries(fmt::format("/proc/{}/task", process))) {
    if (number_in_namespace(thread) == inside) return thread;
  }
  return 0;
}

// Finds the process that asks. A process in another PID namespace writes the IDs that it has there, and is
// found if no other descendant has the same ones.
Asking asking_process(const ExecRequest& request) {
  Asking claimed{static_cast<pid_t>(request.process), static_cast<pid_t>(request.thread)};
  if (claimed.process > 1 && has_thread(claimed.process, claimed.thread) &&
      descends_from_us(claimed.process) && number_in_namespace(claimed.process) == claimed.process)
    return claimed;
  Asking found;
  for (pid_t process : numbered_entries("/proc")) {
    if (process == claimed.process || number_in_namespace(process) != claimed.process) continue;
    pid_t thread = descends_from_us(process) ? thread_with_number(process, claimed.thread) : 0;
    if (thread == 0) continue;
    if (found.process != 0) return {};
    found = {process, thread};
  }
  return found;
}

}  // namespace

Error tracing_error(int error_number) {
  return make_error(
      ErrorCode::kPermission,
      "the copying engine cannot start programs: ptrace(PTRACE_SEIZE) of a child failed: {}. Check /proc/sys/kernel/yama/ptrace_scope (2 requires CAP_SYS_PTRACE, 3 forbids ptrace to all processes) and the container's seccomp profile, or use --engine=valgrind",
      errno_text(error_number));
}

bool FollowedProcesses::follow(pid_t process, pid_t thread) {
  // PTRACE_O_EXITKILL is not set: if the recorder dies, the programs continue.
  constexpr long kOptions = PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
  if (::ptrace(PTRACE_SEIZE, thread, nullptr, kOptions) != 0) return false;
  traced_.push_back({thread, process, nullptr});
  return true;
}

void FollowedProcesses::serve(Session& session) {
  bool scarce = std::ranges::none_of(session.exec_requests, is_free);
  for (ExecRequest& request : session.exec_requests) {
    if (__atomic_load_n(&request.thread, __ATOMIC_ACQUIRE) == 0) continue;
    switch (__atomic_load_n(&request.state, __ATOMIC_ACQUIRE)) {
      case kExecAsked:
        answer(request);
        break;
      case kExecFailed:
      case kExecWithdrawn:
        if (Traced* traced = find(request)) release(traced->thread);
        break;
      default:
        break;
    }
    bool withdrawn = __atomic_load_n(&request.state, __ATOMIC_ACQUIRE) == kExecWithdrawn;
    Traced* traced = find(request);
    if (!withdrawn &&
        !(scarce && is_over(traced != nullptr ? traced->thread : asking_process(request).thread)))
      continue;
    if (traced != nullptr) traced->request = nullptr;
    free_place(request);
  }
}

void FollowedProcesses::answer(ExecRequest& request) {
  // Any process that has access to the session may write a request, so only descendants are traced.
  auto [process, thread] = asking_process(request);
  if (process != 0 && is_followed(process)) return;  // answered in a later round
  bool followed = process != 0 && follow(process, thread);
  if (followed) traced_.back().request = &request;
  if (!reply(request, kExecAsked, followed ? kExecFollowed : kExecRefused) && followed) release(thread);
}

// True if a thread of the process is traced already. The first of several threads that call execve ends the
// others, and waits until their tracer has seen them end. Tracing another thread would wait for that execve
// (cred_guard_mutex in kernel/ptrace.c).
bool FollowedProcesses::is_followed(pid_t process) const {
  return std::ranges::find(traced_, process, &Traced::process) != traced_.end();
}

FollowedProcesses::Traced* FollowedProcesses::find(const ExecRequest& request) {
  auto found = std::ranges::find(traced_, &request, &Traced::request);
  return found == traced_.end() ? nullptr : &*found;
}

FollowedProcesses::Traced* FollowedProcesses::find(pid_t pid) {
  auto found = std::ranges::find(traced_, pid, &Traced::thread);
  return found == traced_.end() ? nullptr : &*found;
}

void FollowedProcesses::forget(pid_t thread) {
  std::erase_if(traced_, [&](const Traced& each) { return each.thread == thread; });
}

void FollowedProcesses::release(pid_t thread) {
  Traced* traced = find(thread);
  if (traced == nullptr || traced->releasing) return;
  traced->releasing = true;
  ::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
}

void FollowedProcesses::detach(const Traced& traced, int signal) {
  ::ptrace(PTRACE_DETACH, traced.thread, nullptr, signal);
  if (traced.request != nullptr) reply(*traced.request, kExecFailed, kExecReleased);
  forget(traced.thread);
}

bool FollowedProcesses::take(Session& session, pid_t pid, int status) {
  if (!WIFSTOPPED(status)) {
    if (Traced* traced = find(pid); traced != nullptr && traced->request != nullptr)
      free_place(*traced->request);
    forget(pid);
    return false;
  }
  if (ptrace_event_of(status) == PTRACE_EVENT_EXEC) {
    if (!forget_process(session, pid) || !take_over(session, pid)) leave(session, pid);
    return true;
  }
  bool is_signal = is_delivery(status);
  int signal = is_signal ? WSTOPSIG(status) : 0;
  Traced* traced = find(pid);
  if (traced != nullptr && traced->releasing) {
    detach(*traced, signal);
  } else if (!is_signal && WSTOPSIG(status) != SIGTRAP) {
    ::ptrace(PTRACE_LISTEN, pid, nullptr, nullptr);  // a group-stop, until SIGCONT
  } else {
    ::ptrace(PTRACE_CONT, pid, nullptr, signal);
  }
  return true;
}

// Called after exec, before the new program runs: removes the process's other threads and their requests,
// which no longer exist. Returns false if the process had withdrawn its request.
bool FollowedProcesses::forget_process(Session& session, pid_t process) {
  for (const Traced& each : traced_) {
    if (each.process == process && each.request != nullptr) free_place(*each.request);
  }
  // Requests of threads that were not traced yet. A request has the IDs of its own PID namespace.
  pid_t inside = number_in_namespace(process);
  for (ExecRequest& request : session.exec_requests) {
    if (is_free(request) || static_cast<pid_t>(request.process) != inside || find(request) != nullptr)
      continue;
    pid_t asking = asking_process(request).process;
    if (asking == 0 || asking == process) free_place(request);
  }
  bool wanted = false;
  std::erase_if(traced_, [&](const Traced& each) {
    if (each.process != process) return false;
    wanted = wanted || !each.releasing;
    return true;
  });
  return wanted;
}

Status FollowedProcesses::take_over(Session& session, pid_t process) {
  forget_process(session, process);
  Status status = suits_engine(process);
  if (status.ok()) status = Sandbox().check(process, process);
  if (!status) return status;
  if (Status room = has_room_for_bursts(session, process); !room)
    return leave_for(session, process, room.error().message);
  __atomic_fetch_add(&session.forks_under_way, 1, __ATOMIC_SEQ_CST);
  Status injected = inject_engine(process, image_, session_folder_);
  if (!injected) {
    __atomic_fetch_sub(&session.forks_under_way, 1, __ATOMIC_SEQ_CST);
    bool by_limit = injected.error().code == ErrorCode::kPermission;
    return by_limit ? leave_for(session, process, injected.error().message) : injected;
  }
  ::ptrace(PTRACE_DETACH, process, nullptr, nullptr);
  return {};
}

Status FollowedProcesses::leave_for(Session& session, pid_t process, const std::string& sentence) {
  if (shortfalls_.empty()) shortfalls_.push_back(sentence);  // the later reasons are similar
  leave(session, process);
  return {};
}

void FollowedProcesses::leave(Session& session, pid_t process) {
  remove_limit_reserves(process);  // set by the previous program
  __atomic_fetch_add(&session.unrecorded, 1, __ATOMIC_RELEASE);
  bool has_ended = ::ptrace(PTRACE_DETACH, process, nullptr, nullptr) != 0;  // killed before it ran
  if (has_ended) __atomic_fetch_sub(&session.unrecorded, 1, __ATOMIC_RELEASE);
}

void FollowedProcesses::stop(Session& session) {
  __atomic_store_n(&session.follows_exec, 0u, __ATOMIC_RELEASE);
  constexpr int kMaxRounds = 100;
  for (int round = 0; round < kMaxRounds; ++round) {
    serve(session);
    for (const Traced& each : std::vector<Traced>(traced_)) release(each.thread);
    if (traced_.empty()) return;
    int status = 0;
    for (const Traced& each : std::vector<Traced>(traced_)) {
      if (take_stop(each.thread, WNOHANG, status) > 0) take(session, each.thread, status);
    }
    ::usleep(1000);
  }
}

Status try_tracing() {
  pid_t parent = ::getpid(), child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it must not outlive a recorder that is killed here
    if (::getppid() == parent) ::pause();
    ::_exit(0);
  }
  if (child < 0) return make_error(ErrorCode::kIo, "cannot make a process: {}", errno_text(errno));
  bool permitted = ::ptrace(PTRACE_SEIZE, child, nullptr, nullptr) == 0;
  Status status = permitted ? Status{} : tracing_error(errno);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return status;
}

}  // namespace hm::soft
