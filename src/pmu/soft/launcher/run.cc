// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "base/unique_fd.h"
#include "pmu/command_files.h"
#include "pmu/shell_status.h"
#include "pmu/soft/inject/tracee_stop.h"
#include "pmu/soft/launcher/surroundings.h"
#include "pmu/soft/launcher/target.h"
#include "pmu/soft/ring/doorbell.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

constexpr uint64_t kRoundNs = 20'000'000;  // a doorbell ends the wait earlier

Session* rung_session;  // set by ChildBell

// Redirects the standard files of commands that are started during the lifetime of this object.
class OutputOfCommands {
 public:
  explicit OutputOfCommands(const pmu::CommandFiles& files) {
    if (files.input.valid()) redirect(STDIN_FILENO, files.input.get());
    if (!files.output.valid()) return;
    redirect(STDOUT_FILENO, files.output.get());
    if (files.also_errors) redirect(STDERR_FILENO, files.output.get());
  }
  OutputOfCommands(const OutputOfCommands&) = delete;
  OutputOfCommands& operator=(const OutputOfCommands&) = delete;
  ~OutputOfCommands() {
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      if (kept_[fd].valid()) ::dup2(kept_[fd].get(), fd);
    }
  }

 private:
  void redirect(int fd, int to) {
    kept_[fd] = UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (kept_[fd].valid()) ::dup2(to, fd);
  }

  UniqueFd kept_[STDERR_FILENO + 1];
};

// Fails if the limit on file sizes is smaller than a ring. A process that exceeds the limit is killed by
// SIGXFSZ.
Status check_file_size_limit(const Session& session) {
  rlimit files{};
  uint64_t needed = ring_file_bytes(session.ring_data_bytes);
  if (::getrlimit(RLIMIT_FSIZE, &files) != 0 || files.rlim_cur >= needed) return {};
  return make_error(
      ErrorCode::kPermission,
      "files may be of {} KiB at most here (ulimit -f), and what a profiled process shares with the recorder takes {} KiB: raise the limit",
      files.rlim_cur / 1024, (needed + 1023) / 1024);
}

// Returns true if the environment variable has the value 1.
bool is_set(const char* variable) {
  const char* value = ::secure_getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

ChildBell::ChildBell(Session& session) {
  rung_session = &session;
  struct sigaction action {};
  action.sa_handler = [](int) { ring_doorbell(*rung_session); };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGCHLD, &action, &before_);
}

ChildBell::~ChildBell() { ::sigaction(SIGCHLD, &before_, nullptr); }

Run::Run(Engine& engine, const RunOptions& options, Collector::Sink sink)
    : engine_(engine), options_(options), sink_(std::move(sink)) {}

Run::~Run() {
  attached_.reset();
  if (!children_.empty()) engine_.stop_serving(session());
}

Status Run::start() {
  for (const std::vector<std::string>& command : options_.commands) {
    if (auto target = resolve_target(command[0]); !target) return target.error();
  }
  Session wanted = options_.session;
  wanted.magic = kSessionMagic;
  wanted.recorder_user = ::geteuid();
  wanted.ring_data_bytes = kRingDataBytes;
  wanted.checks_engine = is_set("HARDMETER_CHECK") ? 1 : 0;
  if (Status enough = check_file_size_limit(wanted); !enough) return enough;
  if (Status limited = limit(wanted, options_.limits); !limited) return limited;
  if (Status observed = observe_heap(wanted, options_.heap); !observed) return observed;
  auto folder = SessionFolder::create(wanted);
  if (!folder) return folder.error();
  folder_.emplace(*std::move(folder));
  Status started = options_.running.processes.empty() ? start_commands() : attach();
  if (!started) return started;
  begin_ns_ = monotonic_ns() + options_.limits.start_after_ms * 1'000'000;
  return {};
}

Status Run::start_commands() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphaned descendants become children of this process
  for (const std::vector<std::string>& command : options_.commands) {
    if (Status started = start_command(command); !started) {
      end_commands(SIGKILL);
      return started;
    }
  }
  bell_.emplace(session());  // set up last, because a command inherits the state of the signal handler
  collector_.emplace(*folder_, sink_, options_.block_sink);
  collector_->expect_only_descendants();
  return {};
}

Status Run::attach() {
  collector_.emplace(*folder_, sink_, options_.block_sink);
  attached_.emplace(engine_, session(), folder_->path(), options_.running, *collector_);
  return attached_->attach();
}

Status Run::start_command(const std::vector<std::string>& command) {
  auto target = resolve_target(command[0]);
  if (!target) return target.error();
  Result<pmu::CommandFiles> files = pmu::open_command_files(options_.output, options_.output_file);
  if (!files) return files.error();
  OutputOfCommands redirected(*files);
  auto child = engine_.start(session(), folder_->path(), *target, command, options_.environment);
  if (!child) return child.error();
  children_.push_back({.pid = *child});
  return {};
}

void Run::begin_commands() {
  __atomic_store_n(&session().postponed, 0u, __ATOMIC_RELEASE);
  futex_wake(&session().postponed);
}

void Run::end_commands(int signal) const {
  for (const Child& each : children_) {
    if (!each.ended) ::kill(each.pid, signal);
  }
}

void Run::add_to(pmu::Wait& wait) const {
  wait.doorbells.push_back({&session().doorbell, doorbell_});
  wait.at_most(attached_ ? attached_->wait_ns() : kRoundNs);
  uint64_t now = monotonic_ns();
  if (session().held != 0 && begin_ns_ > now) wait.at_most(begin_ns_ - now);
}

Status Run::round() {
  begin_collection();
  doorbell_ = __atomic_load_n(&session().doorbell, __ATOMIC_ACQUIRE);
  if (Status status = collector_->collect(); !status) return status;
  if (attached_) {  // child processes belong to the caller
    attached_->round();
  } else {
    reap();
    engine_.serve(session());
  }
  obey_limit();
  return {};
}

// Starts the collection when its time has come. Threads check session().held by themselves.
void Run::begin_collection() {
  if (session().held == 0 || monotonic_ns() < begin_ns_) return;
  __atomic_store_n(&session().held, 0u, __ATOMIC_RELEASE);
}

void Run::reap() {
  int status = 0;
  rusage usage{};
  pid_t pid = 0;
  while ((pid = look_at_child(P_ALL, 0, WNOHANG, status)) > 0) {
    if (!is_delivery(status) && ::wait4(pid, &status, WNOHANG | __WALL, &usage) != pid) continue;
    if (engine_.take_status(session(), pid, status)) continue;
    reaped_ += cpu_time_of(usage);
    auto child = std::ranges::find(children_, pid, &Child::pid);
    if (child == children_.end()) continue;
    child->ended = true;
    child->exit_status = pmu::shell_status(status);
    if (std::ranges::all_of(children_, &Child::ended)) commands_ended_ns_ = monotonic_ns();
  }
  childless_ = pid < 0;
}

void Run::obey_limit() {
  if (options_.max_samples == 0 || collector_->samples() < options_.max_samples) return;
  stop();
  if (attached_) attached_->let_go();  // a command and an attached process both continue
}

bool Run::over() const {
  if (stop_now_) return true;
  if (attached_) return attached_->over();
  if (commands_ended_ns_ == 0 || engine_.awaits_program()) return false;
  if (!collector_->anybody_lives()) return true;
  // Forked children that were killed before they could report their arrival.
  if (childless_ && collector_->live_processes() == 0) return true;
  // The others are daemons, or forks that never arrive. perf, too, ends with its program.
  return monotonic_ns() - commands_ended_ns_ > kForkPatienceNs;
}

void Run::end(pmu::End how) {
  interrupted_ = true;
  if (attached_) attached_->let_go();
  if (how == pmu::End::kNow) stop_now_ = true;
  if (how != pmu::End::kUrged || terminated_) return;
  terminated_ = true;
  stop();
  end_commands(SIGTERM);
}

int Run::exit_status() const {
  auto failed = std::ranges::find_if(children_, [](const Child& each) { return each.exit_status != 0; });
  return failed == children_.end() ? 0 : failed->exit_status;
}

CpuTime Run::cpu_time() const {
  if (attached_) return attached_->cpu_time();
  if (!engine_.runs_here()) return {};
  return commands_ended_ns_ == 0 ? CpuTime() : reaped_;
}

std::vector<pid_t> Run::command_processes() const {
  std::vector<pid_t> pids;
  std::ranges::transform(children_, std::back_inserter(pids), &Child::pid);
  return pids;
}

size_t Run::live_processes() const {
  if (attached_) return attached_->live_processes();
  return collector_ ? collector_->live_processes() : 0;
}

void Run::stop() { __atomic_store_n(&session().stop, 1u, __ATOMIC_RELEASE); }

Status Run::finish() {
  uint64_t outlived = attached_ ? 0 : collector_->live_processes();
  if (outlived != 0) stop();
  if (Status status = collector_->finish(); !status) return status;
  if (attached_ && session().rings_created == 0) {
    std::vector<std::string> shortfalls = engine_.attachment_shortfalls();
    std::string_view processes = options_.running.processes.size() == 1 ? "process" : "processes";
    std::string why = std::ranges::all_of(options_.running.processes, is_gone)
                          ? fmt::format("the {} ended before", processes)
                          : fmt::format("no thread of the {} ran meanwhile", processes);
    return make_error(shortfalls.empty() ? ErrorCode::kNotFound : ErrorCode::kIo,
                      "nothing was measured: {}{}{}", why, shortfalls.empty() ? "" : "; ",
                      fmt::join(shortfalls, "; "));
  }
  bool nobody_came = session().rings_created == 0 && session().unrecorded == 0 && !interrupted_;
  if (std::vector<std::string> reasons = engine_.attachment_shortfalls(); nobody_came && !reasons.empty())
    return make_error(ErrorCode::kIo, "nothing was measured: {}", fmt::join(reasons, "; "));
  if (nobody_came) {
    return make_error(
        ErrorCode::kIo,
        "nothing was measured: the {} could not open its session in {}, or is of another version of hardmeter; install it again as a whole",
        engine_.name(), folder_->path());
  }
  result_.totals = collector_->totals();
  result_.totals.outlived = engine_.runs_here() ? outlived : 0;  // a guest ends with its programs
  result_.collection = use_of(session());
  result_.missing_allocators = missing_allocators(session());
  if (attached_) result_.episodes = attached_->episode_totals();
  result_.attachment_shortfalls = engine_.attachment_shortfalls();
  const Thinning& thinning = session().thinning;
  if (thinning.on != 0) std::ranges::transform(thinning.samples, result_.doublings.begin(), doublings_after);
  result_.cpu_time = cpu_time();
  result_.undecodable = collector_->undecodable();
  return {};
}

}  // namespace hm::soft
