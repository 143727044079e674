// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/direct_engine.h"

#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "pmu/soft/launcher/engine_folder.h"

namespace hm::soft {
namespace {

constexpr char kImage[] = "hardmeter-direct";

// Addresses that do not change from run to run make counts that do not.
void become_traced_command(const std::string& program, const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  ::personality(ADDR_NO_RANDOMIZE);
  if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) ::execv(program.c_str(), arguments.data());
  ::_exit(127);
}

Error stopped_wrongly(const std::string& program, int status) {
  if (WIFEXITED(status))
    return make_error(ErrorCode::kIo,
                      "cannot start {} under the copying engine: it could not be run or traced", program);
  return make_error(ErrorCode::kIo, "cannot start {} under the copying engine: it ended by signal {}",
                    program, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

}  // namespace

Result<pid_t> DirectEngine::start(const Session&, const std::string& session_folder,
                                  const std::string& program, const std::vector<std::string>& command) {
  direct::StartInfo info{};
  if (session_folder.size() >= sizeof(info.session_folder))
    return make_error(ErrorCode::kInvalidArgument, "the session's folder {} has too long a name",
                      session_folder);
  std::memcpy(info.session_folder, session_folder.c_str(), session_folder.size());
  info.bare = ::getenv("HM_BARE") != nullptr;
  pid_t child = ::fork();
  if (child < 0) return make_error(ErrorCode::kIo, "cannot start {}: {}", command[0], errno_text(errno));
  if (child == 0) become_traced_command(program, command);
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return stopped_wrongly(program, status);
  if (Status injected = inject_engine(child, image_, info); !injected) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return injected.error();
  }
  ::ptrace(PTRACE_DETACH, child, nullptr, nullptr);
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
