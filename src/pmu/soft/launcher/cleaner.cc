// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/cleaner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <memory>

#include "base/numbered_entries.h"
#include "pmu/soft/inject/attached_process.h"
#include "pmu/soft/launcher/session_folder.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

// Processes in which killed recorders have left an engine.
class Leftovers {
 public:
  explicit Leftovers(const EngineImage& image) : image_(image) {}

  void find() {
    for (pid_t process : numbered_entries("/proc")) {
      if (process == ::getpid() || found_.contains(process)) continue;
      auto candidate = std::make_unique<AttachedProcess>(process, image_, kNoSession);
      if (!candidate->reserve()) continue;
      if (candidate->has_leftover())
        found_[process] = std::move(candidate);
      else
        (void)candidate->remove_unfinished_engine();
    }
  }

  void serve() {
    std::erase_if(found_, [&](const auto& each) {
      bool looked = each.second->look(*session_).ok();
      return !looked || each.second->is_over() || !each.second->removes_leftover();
    });
  }

  [[nodiscard]] bool empty() const { return found_.empty(); }

 private:
  inline static const std::string kNoSession = "none";

  const EngineImage& image_;
  std::unique_ptr<Session> session_ = std::make_unique<Session>();  // of no recorder
  std::map<pid_t, std::unique_ptr<AttachedProcess>> found_;
};

// The kernel closes the recorder's files one by one before it ends its tracing, so at first a process may
// seem to be traced by the recorder still. A process that was just being forked appears a little later, too.
void remove_leftovers(const EngineImage& image) {
  constexpr useconds_t kRoundUs = 1000;
  constexpr int kRoundsBetweenFinds = 100, kMaxRounds = 60'000, kEmptyFinds = 10;
  Leftovers leftovers(image);
  for (int round = 0, empty_finds = 0; round < kMaxRounds && empty_finds < kEmptyFinds; ++round) {
    if (round % kRoundsBetweenFinds == 0) {
      leftovers.find();
      empty_finds = leftovers.empty() ? empty_finds + 1 : 0;
    }
    leftovers.serve();
    ::usleep(kRoundUs);
  }
}

// Closes all other files of the recorder, so that readers of pipes that it wrote to see the end.
void keep_only(int file) {
  int nowhere = ::open("/dev/null", O_RDWR);
  for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);
  for (int each : numbered_entries("/proc/self/fd")) {
    if (each > STDERR_FILENO && each != file) ::close(each);
  }
}

void forget_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Runs in the child, under another name and in a separate session, so that ending the recorder by its name or
// from its terminal does not end the child.
[[noreturn]] void wait_and_clean(const EngineImage& image, const std::string& session_folder, int recorder) {
  ::setsid();
  ::prctl(PR_SET_NAME, "hm-cleaner");
  forget_signals();
  keep_only(recorder);
  (void)!::chdir("/");
  char byte = 0;
  ssize_t got = 0;
  while ((got = ::read(recorder, &byte, 1)) < 0 && errno == EINTR) {
  }
  if (got == 0) {
    remove_leftovers(image);
    remove_session_folder(session_folder);
  }
  ::_exit(0);
}

}  // namespace

Cleaner::Cleaner(const EngineImage& image, const std::string& session_folder) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  alive_ = UniqueFd(ends[1]);
  UniqueFd first(ends[0]), recorder(::fcntl(first.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!recorder.valid()) return;
  child_ = ::fork();
  if (child_ == 0) wait_and_clean(image, session_folder, recorder.get());
}

void Cleaner::dismiss() {
  if (child_ <= 0) return;
  (void)!::write(alive_.get(), "", 1);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
}

}  // namespace hm::soft
