// SPDX-License-Identifier: MIT
#include "pmu/rdt/xl_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "base/unique_fd.h"

extern char** environ;

namespace hm::rdt {
namespace {

using XlClock = std::chrono::steady_clock;

constexpr auto kXlMostTime = std::chrono::seconds(30);
constexpr size_t kXlMostBytes = size_t{1} << 20;
constexpr int kXlNotFound = 127;  // as in shells

struct XlPipe {
  UniqueFd read, write;
};

Result<XlPipe> make_xl_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return make_error(ErrorCode::kIo, "cannot make a pipe for xl: {}", errno_text(errno));
  return XlPipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// Starts xl in a process group of its own, with default signal handling.
class XlSpawning {
 public:
  XlSpawning(int output, int errors) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, errors, STDERR_FILENO);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigaddset(&signals, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
  }
  XlSpawning(const XlSpawning&) = delete;
  XlSpawning& operator=(const XlSpawning&) = delete;
  ~XlSpawning() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&files_);
  }

  // Returns 0 or the error number.
  int spawn(pid_t& child, std::vector<char*>& words) {
    return ::posix_spawnp(&child, words[0], &files_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

// A child process; the destructor kills it if it still runs.
class XlProcess {
 public:
  explicit XlProcess(pid_t pid) : pid_(pid) {}
  XlProcess(const XlProcess&) = delete;
  XlProcess& operator=(const XlProcess&) = delete;
  ~XlProcess() {
    if (pid_ == 0) return;
    ::kill(-pid_, SIGKILL);
    (void)wait();
  }

  // Returns the status as waitpid(2) does; -1 if it is unknown.
  int wait() {
    int status = 0;
    pid_t ended = 0;
    do ended = ::waitpid(pid_, &status, 0);
    while (ended < 0 && errno == EINTR);
    bool known = ended == pid_;
    pid_ = 0;
    return known ? status : -1;
  }

 private:
  pid_t pid_;
};

// Returns false at the end of the file.
bool take_xl_bytes(int file, std::string& text) {
  std::array<char, 4096> bytes;
  ssize_t count = ::read(file, bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(bytes.data(), static_cast<size_t>(count));
  return count != 0;
}

// Reads until both files end. Returns false if that takes too long or there is too much output.
bool read_both(int output, int errors, std::string& printed, std::string& errors_text) {
  std::array<pollfd, 2> files{{{output, POLLIN, 0}, {errors, POLLIN, 0}}};
  std::array<std::string*, 2> texts{&printed, &errors_text};
  XlClock::time_point end = XlClock::now() + kXlMostTime;
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - XlClock::now()).count();
    if (left <= 0 || printed.size() > kXlMostBytes || errors_text.size() > kXlMostBytes) return false;
    if (::poll(files.data(), files.size(), static_cast<int>(left)) < 0 && errno != EINTR) return false;
    for (size_t i = 0; i < files.size(); ++i) {
      if (files[i].fd >= 0 && files[i].revents != 0 && !take_xl_bytes(files[i].fd, *texts[i]))
        files[i].fd = -1;
      files[i].revents = 0;
    }
  }
  return true;
}

// Returns the first line that is not empty, at most 200 characters, with unprintable characters replaced by
// '?'.
std::string first_words(const std::string& text) {
  constexpr size_t kMaxLetters = 200;
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return "without a reason";
  std::string line = text.substr(begin, std::min(text.find('\n', begin) - begin, kMaxLetters));
  for (char& letter : line) {
    if (letter < ' ' || letter > '~') letter = '?';
  }
  return line;
}

}  // namespace

Result<std::string> run_xl(const std::vector<std::string>& arguments) {
  std::string command = fmt::format("xl {}", fmt::join(arguments, " "));
  Result<XlPipe> output = make_xl_pipe(), errors = make_xl_pipe();
  if (!output) return output.error();
  if (!errors) return errors.error();
  std::vector<std::string> strings = arguments;
  std::string program = "xl";
  std::vector<char*> words{program.data()};
  for (std::string& each : strings) words.push_back(each.data());
  words.push_back(nullptr);
  pid_t child = 0;
  int error = XlSpawning(output->write.get(), errors->write.get()).spawn(child, words);
  if (error == ENOENT || error == EACCES)
    return make_error(
        ErrorCode::kUnsupported,
        "Xen domains are measured with the command xl, which is not in PATH: run hardmeter in dom0 (Debian's package xen-utils-common has xl)");
  if (error != 0) return make_error(ErrorCode::kIo, "cannot run `{}`: {}", command, errno_text(error));
  XlProcess process(child);
  output->write.reset();
  errors->write.reset();
  std::string printed, errors_text;
  if (!read_both(output->read.get(), errors->read.get(), printed, errors_text))
    return make_error(ErrorCode::kIo, "`{}` did not end in {} s, or printed without end: it was killed",
                      command, kXlMostTime.count());
  int status = process.wait();
  if (status == 0) return printed;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kXlNotFound)
    return make_error(ErrorCode::kUnsupported, "`{}` cannot be run: {}", command, first_words(errors_text));
  return make_error(ErrorCode::kIo, "`{}` failed: {}", command, first_words(errors_text));
}

}  // namespace hm::rdt
