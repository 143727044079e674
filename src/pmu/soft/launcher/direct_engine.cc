// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/direct_engine.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/unique_fd.h"
#include "pmu/soft/inject/remote_calls.h"
#include "pmu/soft/inject/tracee_stop.h"
#include "pmu/soft/launcher/defined_machine.h"
#include "pmu/soft/launcher/engine_folder.h"
#include "pmu/soft/launcher/fixed_addresses.h"
#include "pmu/soft/launcher/other_program.h"

namespace hm::soft {
namespace {

constexpr char kImage[] = "hardmeter-direct";

struct Pipe {
  UniqueFd read_end, write_end;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return make_error(ErrorCode::kIo, "cannot create a pipe: {}", errno_text(errno));
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// Runs in the child: becomes the command once a byte arrives. Its addresses are fixed, so that counts do not
// vary from run to run. If exec fails, exits with errno as the status.
[[noreturn]] void become_command(Pipe go, const std::string& program, const std::vector<std::string>& command,
                                 const std::vector<std::string>& environment) {
  std::vector<char*> arguments = pointers_to(command);
  std::vector<char*> variables = pointers_to(environment);
  if (!environment.empty()) {  // a reproducible run
    environ = variables.data();
    define_limits();
  }
  go.write_end = UniqueFd();
  char byte = 0;
  if (::read(go.read_end.get(), &byte, 1) != 1) ::_exit(EPERM);
  fix_addresses();
  ::execvp(program.c_str(), arguments.data());  // execvp runs a script without `#!` with the shell
  ::_exit(errno);
}

// Returns the reason why the child ended before it ran its program. `child` has ended and is not reaped yet.
Error ended_too_early(const std::string& program, pid_t child) {
  siginfo_t seen{};
  ::waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOWAIT);
  if (seen.si_code == CLD_EXITED)
    return make_error(ErrorCode::kIo, "cannot run {}: {}", program, errno_text(seen.si_status));
  return make_error(ErrorCode::kIo, "cannot run {}: signal {} ended it before it began", program,
                    seen.si_status);
}

void discard(pid_t child) {
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

}  // namespace

Status DirectEngine::bring_to_program(Session& session, const std::string& program, pid_t child) {
  int status = 0;
  while (wait_for_stop(child, status)) {
    if (ptrace_event_of(status) != PTRACE_EVENT_EXEC) {
      followed_->take(session, child, status);
      continue;
    }
    return followed_->take_over(session, child);
  }
  return ended_too_early(program, child);
}

Result<pid_t> DirectEngine::start(Session& session, const std::string& session_folder,
                                  const std::string& program, const std::vector<std::string>& command,
                                  const std::vector<std::string>& environment) {
  if (session_folder.size() >= sizeof(direct::StartInfo::session_folder))
    return make_error(ErrorCode::kInvalidArgument, "the session's folder {} has too long a name",
                      session_folder);
  if (!followed_) followed_.emplace(image_, session_folder);
  auto go = make_pipe();
  if (!go) return go.error();
  pid_t child = ::fork();
  if (child < 0) return make_error(ErrorCode::kIo, "cannot start {}: {}", command[0], errno_text(errno));
  if (child == 0) become_command(*std::move(go), program, command, environment);
  if (!followed_->follow(child, child)) {
    Error error = tracing_error(errno);
    discard(child);
    return error;
  }
  __atomic_store_n(&session.follows_exec, 1u, __ATOMIC_RELEASE);
  (void)!::write(go->write_end.get(), "", 1);
  if (Status status = bring_to_program(session, program, child); !status) {
    discard(child);
    return status.error();
  }
  return child;
}

Result<std::unique_ptr<Engine>> find_direct_engine() {
  auto folder = engine_folder(kImage);
  if (!folder) return folder.error();
  auto image = read_engine_image(*folder + "/" + kImage);
  if (!image) return image.error();
  return std::unique_ptr<Engine>(std::make_unique<DirectEngine>(*std::move(image)));
}

}  // namespace hm::soft
