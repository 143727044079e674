// SPDX-License-Identifier: MIT
#include "agent/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/unexpected_error.h"

namespace hm::agent {
namespace {

constexpr auto kBetweenQuestions = std::chrono::milliseconds(100);

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

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

[[noreturn]] void be_child(const std::function<Status()>& work, pid_t parent, int report_fd) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  Status done = without_exceptions(work);
  std::string message = done ? "" : done.error().message;
  bool was_sent = ::write(report_fd, message.data(), message.size()) == static_cast<ssize_t>(message.size());
  ::_exit(done && was_sent ? 0 : 1);
}

}  // namespace

Result<Child> Child::start(const std::function<Status()>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return make_error(ErrorCode::kIo, "cannot create a pipe: {}", errno_text(errno));
  UniqueFd reads(ends[0]), writes(ends[1]);
  pid_t parent = ::getpid(), process = ::fork();
  if (process < 0) return make_error(ErrorCode::kIo, "cannot start a process: {}", errno_text(errno));
  if (process == 0) be_child(work, parent, writes.get());
  return Child(process, std::move(reads));
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, 0)), message_(std::move(other.message_)) {}

Child::~Child() {
  if (process_ == 0) return;
  kill();
  wait_for(process_);
}

bool Child::ends_within(std::chrono::milliseconds patience) const {
  pollfd waiting{message_.get(), POLLIN, 0};
  return ::poll(&waiting, 1, static_cast<int>(patience.count())) > 0;
}

void Child::kill() { ::kill(process_, SIGKILL); }

Status Child::result() {
  std::string message = read_all(message_.get());
  int status = wait_for(std::exchange(process_, 0));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (message.empty()) message = "its measuring process was killed";
  return make_error(ErrorCode::kIo, "{}", message);
}

Status in_own_process(const std::function<Status()>& work, const std::function<bool()>& stops) {
  Result<Child> child = Child::start(work);
  if (!child) return child.error();
  while (!child->ends_within(kBetweenQuestions)) {
    if (stops()) child->kill();
  }
  return child->result();
}

}  // namespace hm::agent
