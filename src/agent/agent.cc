// SPDX-License-Identifier: MIT
#include "agent/agent.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <random>
#include <thread>

#include "agent/sender.h"

namespace hm::agent {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = Budget::Seconds;

constexpr auto kGlance = std::chrono::milliseconds(100);    // how late it is seen that it is to stop
constexpr auto kLongestSending = std::chrono::seconds(10);  // between two windows
constexpr auto kFirstRetry = std::chrono::seconds(1), kLongestRetry = std::chrono::seconds(60);

Seconds used(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return Seconds(static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Of this process and of those that it has waited for.
Seconds spent() { return used(RUSAGE_SELF) + used(RUSAGE_CHILDREN); }

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    ssize_t count = ::read(descriptor, buffer, sizeof(buffer));
    if (count > 0)
      text.append(buffer, static_cast<size_t>(count));
    else if (count == 0 || errno != EINTR)
      return text;
  }
}

// Runs `work` in a process of its own, which gives back the memory that a recording's symbols take, and whose
// end is not this one's. Its answer, or its error, is this one's; it ends with its parent.
Result<std::string> in_own_process(const std::function<Result<std::string>()>& work,
                                   const std::function<bool()>& stops) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return make_error(ErrorCode::kIo, "cannot make a pipe: {}", errno_text(errno));
  UniqueFd reads(ends[0]), writes(ends[1]);
  pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) return make_error(ErrorCode::kIo, "cannot start a process: {}", errno_text(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    Result<std::string> done = work();
    std::string message = done ? *done : done.error().message;
    bool told = ::write(writes.get(), message.data(), message.size()) == static_cast<ssize_t>(message.size());
    ::_exit(done && told ? 0 : 1);
  }
  writes.reset();
  for (pollfd waiting{reads.get(), POLLIN, 0}; ::poll(&waiting, 1, static_cast<int>(kGlance.count())) <= 0;) {
    if (stops()) ::kill(child, SIGKILL);
  }
  std::string message = read_all(reads.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return message;
  if (message.empty()) message = "the process that measured was killed";
  return make_error(ErrorCode::kIo, "{}", message);
}

// Of something that may fail for a while: it is tried ever more seldom, and told of when that begins, changes
// and is over.
class Trouble {
 public:
  // `over`: what to tell then.
  explicit Trouble(std::string over) : over_(std::move(over)) {}

  [[nodiscard]] bool lets_try() const { return Clock::now() >= next_try_; }
  void note(const Status& done, const Watcher& watcher) {
    std::string message = done ? "" : done.error().message;
    if (message != message_) watcher.tell(message.empty() ? over_ : message);
    message_ = message;
    retry_ = done ? kFirstRetry : std::min<Seconds>(2 * retry_, kLongestRetry);
    if (!done)
      next_try_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(retry_ * spread_(random_));
  }

 private:
  std::string over_, message_;
  Clock::time_point next_try_;
  Seconds retry_ = kFirstRetry;
  // Of many agents that lost one server not all come back to it at once.
  std::minstd_rand random_{std::random_device{}()};
  std::uniform_real_distribution<> spread_{0.5, 1.5};
};

Status status_of(const Result<std::string>& done) { return done ? Status() : Status(done.error()); }

class Agent {
 public:
  Agent(const AgentOptions& options, const Watcher& watcher, Spool spool)
      : options_(options),
        watcher_(watcher),
        spool_(std::move(spool)),
        sender_(options.store, options.credentials, options.host, watcher.tell),
        budget_(options.budget) {}

  Result<Account> run() {
    send();  // which also compares the clocks
    while (!watcher_.stops() && (options_.most_windows == 0 || account_.windows < options_.most_windows)) {
      Seconds before = spent();
      Status measured = measuring_.lets_try() ? measure() : Status();
      if (!measured && account_.failed_windows == account_.windows)
        return measured.error();  // it never worked
      send();
      bound();
      Seconds cost = spent() - before;
      Seconds lasts = std::chrono::nanoseconds(options_.window.lasts_ns);
      wait(std::max<Seconds>(budget_.pause(spent() - begun_with_, Clock::now() - begin_, lasts, cost),
                             kGlance));
    }
    send();
    account_.batches_sent = sender_.batches();
    account_.rows_sent = sender_.rows();
    account_.cpu_s = (spent() - begun_with_).count();
    account_.elapsed_s = Seconds(Clock::now() - begin_).count();
    return account_;
  }

 private:
  Status measure() {
    Window window = options_.window;
    window.clock_offset_s = sender_.clock_offset_s();
    Status measured = status_of(in_own_process(
        [&]() -> Result<std::string> {
          Result<store::Batch> batch =
              measure_window(window, options_.host, spool_.folder() + "/window.part");
          if (!batch) return batch.error();
          Status added = batch->rows.empty() ? Status() : spool_.add(*batch);
          return added ? Result<std::string>("") : Result<std::string>(added.error());
        },
        watcher_.stops));
    if (watcher_.stops()) return {};
    ++account_.windows;
    if (!measured) ++account_.failed_windows;
    measuring_.note(measured, watcher_);
    return measured;
  }

  // What waits, oldest first.
  void send() {
    if (sending_.lets_try()) sending_.note(sender_.send(spool_, kLongestSending), watcher_);
  }

  // What waits is bounded, though the store may be away for long.
  void bound() {
    Result<std::vector<Waiting>> all = spool_.waiting();
    if (!all) return bounding_.note(all.error(), watcher_);
    uint64_t bytes = 0;
    for (const Waiting& each : *all) bytes += each.bytes;
    if (bytes <= options_.most_waiting_bytes) return bounding_.note({}, watcher_);
    Result<std::string> done = in_own_process(
        [&]() -> Result<std::string> {
          Result<Spool::Bounded> bounded = spool_.bound(options_.most_waiting_bytes);
          if (!bounded) return bounded.error();
          return std::string(bounded->dropped == 0 ? "merged" : "dropped");
        },
        watcher_.stops);
    if (watcher_.stops()) return;
    bounding_.note(
        done ? make_error(ErrorCode::kIo,
                          "what waits for the store takes more than {} MiB: the oldest measurements are {}",
                          options_.most_waiting_bytes >> 20, *done)
             : done.error(),
        watcher_);
  }

  void wait(Seconds pause) const {
    for (Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
         Clock::now() < end && !watcher_.stops();)
      std::this_thread::sleep_for(std::min<Clock::duration>(kGlance, end - Clock::now()));
  }

  const AgentOptions& options_;
  const Watcher& watcher_;
  Spool spool_;
  Sender sender_;
  Budget budget_;
  Clock::time_point begin_ = Clock::now();
  Seconds begun_with_ = spent();
  Trouble measuring_{"measuring works again"}, sending_{"the store takes what is sent again"},
      bounding_{"what waits for the store is little again"};
  Account account_;
};

}  // namespace

Result<Account> run_agent(const AgentOptions& options, const Watcher& watcher) {
  Result<Spool> spool = Spool::open(options.folder);
  if (!spool) return spool.error();
  return Agent(options, watcher, *std::move(spool)).run();
}

}  // namespace hm::agent
