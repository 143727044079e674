// SPDX-License-Identifier: MIT
#include "pmu/linux/command.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "pmu/command_files.h"
#include "pmu/shell_status.h"

namespace hm::linux_pmu {
namespace {

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return make_error(ErrorCode::kIo, "cannot create a pipe: {}", errno_text(errno));
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void redirect(const pmu::CommandFiles& files) {
  if (files.input.valid()) ::dup2(files.input.get(), STDIN_FILENO);
  if (!files.output.valid()) return;
  ::dup2(files.output.get(), STDOUT_FILENO);
  if (files.also_errors) ::dup2(files.output.get(), STDERR_FILENO);
}

[[noreturn]] void become(const std::vector<char*>& arguments, int start, int failure) {
  char byte = 0;
  if (::read(start, &byte, 1) != 1) ::_exit(0);  // the command is not wanted any more
  ::execvp(arguments[0], arguments.data());
  int error = errno;
  (void)!::write(failure, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

Result<Command> Command::prepare(const std::vector<std::string>& words, pmu::CommandOutput output,
                                 const std::string& output_file) {
  Result<pmu::CommandFiles> files = pmu::open_command_files(output, output_file);
  if (!files) return files.error();
  Result<Pipe> start = make_pipe();
  if (!start) return start.error();
  Result<Pipe> failure = make_pipe();
  if (!failure) return failure.error();
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = ::fork();
  if (child < 0) return make_error(ErrorCode::kIo, "cannot start {}: {}", words[0], errno_text(errno));
  if (child == 0) {
    start->write.reset();
    redirect(*files);
    become(arguments, start->read.get(), failure->write.get());
  }
  UniqueFd ended(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  return Command(words[0], child, std::move(ended), std::move(start->write), std::move(failure->read));
}

Status Command::go() {
  char byte = 1;
  if (::write(start_.get(), &byte, 1) != 1)
    return make_error(ErrorCode::kIo, "cannot start {}: {}", name_, errno_text(errno));
  // The read ends when the exec closes the child's write end. prepare() has closed the parent's copy.
  int error = 0;
  ssize_t got = 0;
  do got = ::read(failure_.get(), &error, sizeof error);
  while (got < 0 && errno == EINTR);
  if (got != sizeof error) return {};
  const char* hint = error == ENOENT ? " (the program, or the interpreter that it names)" : "";
  return make_error(ErrorCode::kPermission, "cannot run '{}': {}{}", name_, errno_text(error), hint);
}

std::optional<int> Command::status() {
  int status = 0;
  rusage usage{};
  if (!status_ && ::wait4(pid_, &status, WNOHANG, &usage) == pid_) {
    status_ = pmu::shell_status(status);
    cpu_time_ = cpu_time_of(usage);
  }
  return status_;
}

void Command::terminate() {
  if (status()) return;
  ::kill(pid_, SIGTERM);
  ::kill(pid_, SIGCONT);  // a stopped process would not receive SIGTERM
}

}  // namespace hm::linux_pmu
