// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/guest_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/unique_fd.h"
#include "pmu/shell_status.h"
#include "pmu/soft/guest/guest_job.h"
#include "pmu/soft/guest/session_link.h"
#include "pmu/soft/launcher/other_program.h"
#include "pmu/soft/launcher/qemu_monitor.h"

namespace hm::soft {
namespace {

constexpr int kFailed = 125;

// The two ends of a connection.
struct Ends {
  UniqueFd here, qemus;
};

// QEMU gets pipes of its own: it would make hardmeter's output non-blocking, and refuses a terminal's.
struct Links {
  Ends input, output, errors, job, monitor;

  bool make() {
    return make_pipe(input.qemus, input.here) && make_pipe(output.here, output.qemus) &&
           make_pipe(errors.here, errors.qemus) && make_sockets(job) && make_sockets(monitor);
  }
  void close_ends_of_qemu() {
    for (Ends* each : {&input, &output, &errors, &job, &monitor}) each->qemus.reset();
  }

 private:
  static bool make_pipe(UniqueFd& from, UniqueFd& to) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    from.reset(ends[0]);
    to.reset(ends[1]);
    return true;
  }
  static bool make_sockets(Ends& made) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    made.here.reset(ends[0]);
    made.qemus.reset(ends[1]);
    return true;
  }
};

[[noreturn]] void become_qemu(const GuestRun& run, const std::vector<std::string>& words,
                              const Links& links) {
  ::setpgid(0, 0);  // Ctrl-C is for hardmeter and the process that waits for QEMU
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setenv(guest::kSessionVariable, run.session_folder.c_str(), 1);
  ::dup2(links.input.qemus.get(), kGuestInput);
  ::dup2(links.output.qemus.get(), kGuestOutput);
  ::dup2(links.errors.qemus.get(), kGuestErrors);
  ::dup2(links.job.qemus.get(), kJobSocket);
  ::dup2(links.monitor.qemus.get(), kMonitorSocket);
  int nowhere = ::open("/dev/null", O_RDWR);
  int output = ::open(run.console.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  std::vector<char*> arguments = pointers_to(words);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

// Copies the bytes that have arrived in `from`. Returns false at its end.
bool copy_some(int from, int to) {
  std::array<char, 65536> part{};
  ssize_t got = ::read(from, part.data(), part.size());
  for (ssize_t done = 0; done < got;) {
    ssize_t written = ::write(to, part.data() + done, static_cast<size_t>(got - done));
    if (written < 0 && errno != EINTR) return false;
    done += std::max<ssize_t>(written, 0);
  }
  return got > 0 || (got < 0 && errno == EINTR);
}

// Copies the input in another process, because writing it waits until the guest reads.
pid_t pass_on_input(const Links& links) {
  pid_t process = ::fork();
  if (process != 0) return process;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int each :
       {links.output.here.get(), links.errors.here.get(), links.job.here.get(), links.monitor.here.get()})
    ::close(each);
  while (copy_some(STDIN_FILENO, links.input.here.get())) {
  }
  ::_exit(0);
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

constexpr int kForever = -1;

// Returns false if QEMU ends without this answer, or if the time is over.
bool has_answered(int socket, guest::JobAnswer expected, int timeout_ms) {
  pollfd polled{socket, POLLIN, 0};
  int ready;
  while ((ready = ::poll(&polled, 1, timeout_ms)) < 0 && errno == EINTR) {
  }
  if (ready <= 0) return false;
  char answer = 0;
  ssize_t got;
  while ((got = ::read(socket, &answer, 1)) < 0 && errno == EINTR) {
  }
  return got == 1 && answer == expected;
}

bool send_job(int socket, const std::string& job) {
  for (size_t done = 0; done < job.size();) {
    ssize_t sent = ::send(socket, job.data() + done, job.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    done += static_cast<size_t>(std::max<ssize_t>(sent, 0));
  }
  return true;
}

// One start of QEMU.
struct Start {
  Links links;
  pid_t qemu = -1;

  [[nodiscard]] bool begin(const GuestRun& run, const std::vector<std::string>& words) {
    if (!links.make()) return false;
    qemu = ::fork();
    if (qemu == 0) become_qemu(run, words, links);
    links.close_ends_of_qemu();
    return qemu > 0;
  }
  [[nodiscard]] bool has_booted() const {
    return has_answered(links.job.here.get(), guest::kWaits, kForever);
  }
  // The guest waits for it.
  [[nodiscard]] bool give(const std::string& job, int timeout_ms) const {
    int socket = links.job.here.get();
    return send_job(socket, job) && has_answered(socket, guest::kHasJob, timeout_ms);
  }
};

// Returns false if there is no snapshot, or if it does not work. It is then removed.
bool continue_snapshot(const GuestRun& run, Start& start) {
  constexpr int kTimeoutMs = 120'000;  // it takes a second
  if (!run.snapshot.exists() || !run.snapshot.copy_tables(run.session_folder)) return false;
  std::vector<std::string> words = run.words;
  words.insert(words.end(), {"-incoming", "file:" + run.snapshot.state()});
  if (!start.begin(run, words)) return false;
  if (QemuMonitor(start.links.monitor.here.get()).run() && start.give(run.job, kTimeoutMs)) return true;
  ::kill(start.qemu, SIGKILL);
  wait_for(start.qemu);
  run.snapshot.remove();
  return false;
}

void save(const GuestRun& run, const Start& start) {
  std::string path = run.snapshot.can_be_saved() ? run.snapshot.begin() : std::string();
  if (path.empty()) return;
  if (QemuMonitor(start.links.monitor.here.get()).save(path))
    run.snapshot.keep(run.session_folder);
  else
    run.snapshot.give_up();
}

// If the guest does not boot, QEMU has ended or will end.
void boot(const GuestRun& run, Start& start) {
  std::vector<std::string> words = run.words, more = run.boot_words();
  words.insert(words.end(), more.begin(), more.end());
  if (!start.begin(run, words)) ::_exit(kFailed);
  if (!start.has_booted()) return;
  save(run, start);
  static_cast<void>(start.give(run.job, kForever));
}

void pass_on_outputs(const Links& links) {
  pollfd polled[] = {{links.output.here.get(), POLLIN, 0}, {links.errors.here.get(), POLLIN, 0}};
  const int to[] = {STDOUT_FILENO, STDERR_FILENO};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (::poll(polled, std::size(polled), -1) < 0) continue;
    for (size_t i = 0; i < std::size(polled); ++i) {
      if (polled[i].revents != 0 && !copy_some(polled[i].fd, to[i])) polled[i].fd = -1;
    }
  }
}

}  // namespace

bool has_input() {
  struct stat input {};
  if (::fstat(STDIN_FILENO, &input) != 0) return false;
  return S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode) || (S_ISREG(input.st_mode) && input.st_size != 0);
}

void run_guest(const GuestRun& run) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  Start start;
  if (!continue_snapshot(run, start)) {
    start = {};
    boot(run, start);
  }
  pid_t input = has_input() ? pass_on_input(start.links) : -1;
  start.links.input.here.reset();
  pass_on_outputs(start.links);
  if (input > 0) ::kill(input, SIGKILL);
  ::_exit(pmu::shell_status(wait_for(start.qemu)));
}

}  // namespace hm::soft
