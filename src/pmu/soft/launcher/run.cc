// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/run.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "pmu/soft/launcher/target.h"
#include "pmu/soft/ring/doorbell.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

constexpr uint32_t kFinishedRound = 68;  // PERF_RECORD_FINISHED_ROUND, tools/lib/perf/include/perf/event.h
constexpr uint64_t kSecondNs = 1000000000;

constexpr uint64_t kRoundNs = 20000000;  // a doorbell ends the wait earlier
constexpr uint64_t kProgressNs = kSecondNs / 5;
constexpr uint64_t kForkPatienceNs = 2 * kSecondNs;    // for a child that was killed before it had a ring
constexpr uint64_t kSignalPatienceNs = kSecondNs / 3;  // the terminal's own SIGINT reaches the command too
constexpr uint64_t kStopPatienceNs = 3 * kSecondNs;

int shell_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

// A process that may not make its ring as long as it is would be killed for it (SIGXFSZ).
Status check_file_size_limit(const Session& session) {
  rlimit files{};
  uint64_t needed = ring_file_bytes(session.ring_data_bytes);
  if (::getrlimit(RLIMIT_FSIZE, &files) != 0 || files.rlim_cur >= needed) return {};
  return make_error(
      ErrorCode::kPermission,
      "files may be of {} KiB at most here (ulimit -f), and what a profiled process shares with "
      "the recorder takes {} KiB: raise the limit",
      files.rlim_cur / 1024, (needed + 1023) / 1024);
}

// Rings the session's doorbell whenever a child's state changes.
class ChildBell {
 public:
  explicit ChildBell(Session& session) {
    session_ = &session;
    struct sigaction action {};
    action.sa_handler = [](int) { ring_doorbell(*session_); };
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGCHLD, &action, &before_);
  }
  ~ChildBell() { ::sigaction(SIGCHLD, &before_, nullptr); }
  ChildBell(const ChildBell&) = delete;
  ChildBell& operator=(const ChildBell&) = delete;

 private:
  static inline Session* session_;
  struct sigaction before_ {};
};

class Run {
 public:
  Run(Engine& engine, const RunOptions& options, const SessionFolder& folder, Collector::Sink sink,
      pid_t child)
      : engine_(engine),
        options_(options),
        folder_(folder),
        sink_(std::move(sink)),
        collector_(
            folder, [this](Bytes record) { return take(record); }, options.block_sink),
        child_(child),
        start_ns_(monotonic_ns()),
        begin_ns_(start_ns_ + options.limits.start_after_ms * 1000000) {}

  ~Run() { engine_.stop_serving(session()); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Result<RunResult> to_the_end() {
    while (!over()) {
      begin_collection();
      uint32_t doorbell = __atomic_load_n(&session().doorbell, __ATOMIC_ACQUIRE);
      if (Status status = round(); !status) return abandon(status.error());
      reap();
      engine_.serve(session());
      obey_interrupts();
      obey_limit();
      show_progress();
      if (!over()) futex_wait(&session().doorbell, doorbell, round_ns());
    }
    stop_sampling();
    if (Status status = collector_.finish(); !status) return abandon(status.error());
    if (nobody_came()) return nothing_measured();
    result_.elapsed_ns = monotonic_ns() - start_ns_;
    result_.totals = collector_.totals();
    result_.collection = use_of(session());
    result_.missing_allocators = missing_allocators(session());
    result_.undecodable = collector_.undecodable();
    return result_;
  }

 private:
  [[nodiscard]] Session& session() const { return folder_.session(); }

  Status take(Bytes record) {
    round_has_records_ = true;
    return sink_(record);
  }

  // When its time has come: threads look for that by themselves.
  void begin_collection() {
    if (session().held == 0 || monotonic_ns() < begin_ns_) return;
    __atomic_store_n(&session().held, 0u, __ATOMIC_RELEASE);
  }

  [[nodiscard]] uint64_t round_ns() const {
    uint64_t now = monotonic_ns();
    bool waits = session().held != 0 && begin_ns_ > now;
    return waits ? std::min(kRoundNs, begin_ns_ - now) : kRoundNs;
  }

  Status round() {
    round_has_records_ = false;
    if (Status status = collector_.collect(); !status) return status;
    if (!round_has_records_) return {};
    perf_event_header finished{kFinishedRound, 0, sizeof(finished)};
    return sink_(std::as_bytes(std::span(&finished, 1)));
  }

  void reap() {
    int status = 0;
    for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG | __WALL)) > 0;) {
      if (engine_.take_status(session(), pid, status) || pid != child_) continue;
      child_ended_ns_ = monotonic_ns();
      result_.exit_status = shell_status(status);
    }
  }

  [[nodiscard]] bool over() const {
    if (stop_now_) return true;
    if (child_ended_ns_ == 0 || engine_.awaits_program()) return false;
    if (!collector_.anybody_lives()) return true;
    // Only a fork that never arrives is left.
    return collector_.live_processes() == 0 && monotonic_ns() - child_ended_ns_ > kForkPatienceNs;
  }

  void obey_interrupts() {
    int interrupts = options_.interrupts ? options_.interrupts() : 0;
    if (interrupts == 0) return;
    uint64_t now = monotonic_ns();
    if (interrupted_ns_ == 0) interrupted_ns_ = now;
    result_.interrupted = true;
    if (now - interrupted_ns_ > kSignalPatienceNs && !terminated_) {
      terminated_ = true;
      stop_sampling();
      if (child_ended_ns_ == 0) ::kill(child_, SIGTERM);
    }
    if (interrupts > 1 || now - interrupted_ns_ > kStopPatienceNs) stop_now_ = true;
  }

  void obey_limit() {
    if (options_.most_samples != 0 && collector_.samples() >= options_.most_samples) stop_sampling();
  }

  void stop_sampling() { __atomic_store_n(&session().stop, 1u, __ATOMIC_RELEASE); }

  void show_progress() {
    uint64_t now = monotonic_ns();
    if (!options_.progress || now - progress_ns_ < kProgressNs) return;
    progress_ns_ = now;
    options_.progress(
        {now - start_ns_, collector_.live_processes(), child_ended_ns_ != 0, collector_.totals()});
  }

  [[nodiscard]] bool nobody_came() const {
    return session().rings_created == 0 && session().unrecorded == 0 && !result_.interrupted;
  }

  [[nodiscard]] Error nothing_measured() const {
    return make_error(
        ErrorCode::kIo,
        "nothing was measured: the {} could not open its session in {}, or is of another version of "
        "hardmeter; install it again as a whole",
        engine_.name(), folder_.path());
  }

  // The file cannot take more: the processes are told, and go on.
  Error abandon(Error error) {
    stop_sampling();
    return error;
  }

  Engine& engine_;
  const RunOptions& options_;
  const SessionFolder& folder_;
  Collector::Sink sink_;
  Collector collector_;
  pid_t child_;
  uint64_t start_ns_;
  uint64_t begin_ns_;  // of what is collected
  uint64_t child_ended_ns_ = 0;
  uint64_t interrupted_ns_ = 0;
  uint64_t progress_ns_ = 0;
  bool round_has_records_ = false;
  bool terminated_ = false;
  bool stop_now_ = false;
  RunResult result_;
};

}  // namespace

Result<RunResult> run_command(Engine& engine, const RunOptions& options, Collector::Sink sink) {
  auto target = resolve_target(options.command[0]);
  if (!target) return target.error();
  Session session = options.session;
  session.magic = kSessionMagic;
  session.ring_data_bytes = kRingDataBytes;
  if (Status enough = check_file_size_limit(session); !enough) return enough.error();
  if (Status limited = limit(session, options.limits); !limited) return limited.error();
  if (Status observed = observe_heap(session, options.heap); !observed) return observed.error();
  auto folder = SessionFolder::create(session);
  if (!folder) return folder.error();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // descendants that lose their parent become ours to wait for
  auto child = engine.start(folder->session(), folder->path(), *target, options.command);
  if (!child) return child.error();
  ChildBell bell(folder->session());  // not before: the command inherits what was
  return Run(engine, options, *folder, std::move(sink), *child).to_the_end();
}

}  // namespace hm::soft
