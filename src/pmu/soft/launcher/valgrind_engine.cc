// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/valgrind_engine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/proc_folder.h"
#include "pmu/soft/launcher/engine_folder.h"
#include "pmu/soft/launcher/other_program.h"
#include "pmu/soft/launcher/target.h"

namespace hm::soft {
namespace {

constexpr char kTool[] = "hardmeter-amd64-linux";

// Extracts "3.19.0" from the output "valgrind-3.19.0\n". Returns an empty string if the launcher cannot run.
std::string installed_version(const std::string& launcher) {
  std::string version = version_line(launcher);
  constexpr std::string_view kPrefix = "valgrind-";
  if (!version.starts_with(kPrefix)) return {};
  version = version.substr(kPrefix.size());
  return version.substr(0, version.find_first_not_of("0123456789."));
}

// Samples of events that are no memory accesses need all registers at every instruction, samples of the other
// events only at accesses.
bool needs_registers_everywhere(const Session& session) {
  using event::EventId;
  for (unsigned i = 0; i < event::kEventCount; ++i) {
    auto id = static_cast<EventId>(i);
    bool at_access = (id >= EventId::kMemoryLoads && id <= EventId::kMemoryMoves) ||
                     (id >= EventId::kL1CacheMiss && id <= EventId::kSharedLineHit);
    if (session.events[i].sampled != 0 && !at_access) return true;
  }
  return false;
}

std::string comma_separated(const std::vector<std::string>& parts) {
  std::string joined;
  for (const std::string& part : parts) joined += (joined.empty() ? "" : ",") + part;
  return joined;
}

// Builds the command line that runs `target`. It does not contain the session's folder, because all users can
// read a command line (/proc/PID/cmdline).
std::vector<std::string> engine_command(const std::string& launcher, const Session& session,
                                        const std::vector<std::string>& target) {
  std::vector<std::string> command{
      launcher,
      "--command-line-only=yes",
      "--tool=hardmeter",
      "--quiet",
      "--trace-children=yes",
      "--vgdb=no",
      "--run-libc-freeres=no",
      "--run-cxx-freeres=no",
      "--sigill-diagnostics=no",
      fmt::format("--max-threads={}", kMaxThreads),
      "--vex-guest-chase=no",  // a block ends at a taken branch, as the branch stack requires, and this is
                               // faster
      "--vex-iropt-unroll-thresh=0",  // in an unrolled loop, the second copy of the body lacks its first
                                      // instruction's address
      needs_registers_everywhere(session) ? "--vex-iropt-register-updates=allregs-at-each-insn"
                                          : "--vex-iropt-register-updates=allregs-at-mem-access",
  };
  std::string skipped = comma_separated(privileged_programs());
  if (!skipped.empty()) command.push_back("--trace-children-skip=" + skipped);
  command.emplace_back("--");
  command.insert(command.end(), target.begin(), target.end());
  return command;
}

}  // namespace

std::string ValgrindEngine::name() const { return "Valgrind " + built_valgrind_version(); }

Result<pid_t> ValgrindEngine::start(Session& session, const std::string& session_folder, const std::string&,
                                    const std::vector<std::string>& command,
                                    const std::vector<std::string>& /*environment*/) {
  std::string engine_link = session_folder + "/" + kEngineLinkName;
  if (::symlink(folder_.c_str(), engine_link.c_str()) != 0 && errno != EEXIST)
    return make_error(ErrorCode::kIo, "cannot make {}: {}", engine_link, errno_text(errno));
  // Valgrind preloads a library of this folder into each program, but LD_PRELOAD separates names by blanks
  // and colons (ld.so(8)). If the folder's path contains one, programs get this link instead. It is beside
  // the folder with the secret name, so its path does not reveal that name.
  std::string preload_link = std::filesystem::path(session_folder).parent_path() / kEngineLinkName;
  if (::symlink(folder_.c_str(), preload_link.c_str()) != 0 && errno != EEXIST)
    return make_error(ErrorCode::kIo, "cannot make {}: {}", preload_link, errno_text(errno));
  std::vector<std::string> words = engine_command(launcher_, session, command);
  std::vector<char*> arguments = pointers_to(words);
  pid_t child = ::fork();
  if (child < 0) return make_error(ErrorCode::kIo, "cannot start {}: {}", command[0], errno_text(errno));
  if (child == 0) {
    ::setenv("VALGRIND_LIB", engine_link.c_str(), 1);
    ::unsetenv("VALGRIND_OPTS");
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  return child;
}

std::string built_valgrind_version() { return HM_VALGRIND_VERSION; }

Result<std::unique_ptr<Engine>> find_valgrind_engine() {
  if (Status there = check_proc(); !there) return there.error();  // Valgrind needs it, too
  if (built_valgrind_version().empty()) {
    return make_error(
        ErrorCode::kUnsupported,
        "this hardmeter was built without the Valgrind engine: apt install valgrind (3.19 to 3.27), and build hardmeter again");
  }
  auto launcher = resolve_target("valgrind");
  if (!launcher) {
    return make_error(
        ErrorCode::kNotFound,
        "the Valgrind engine needs Valgrind {}, and `valgrind` is not in PATH: apt install valgrind installs it",
        built_valgrind_version());
  }
  std::string version = installed_version(*launcher);
  if (version != built_valgrind_version()) {
    return make_error(
        ErrorCode::kUnsupported,
        "the Valgrind engine was built for Valgrind {}, and {} is Valgrind {}; build hardmeter again with it",
        built_valgrind_version(), *launcher, version.empty() ? "of no known version" : version);
  }
  auto folder = engine_folder(kTool);
  if (!folder) return folder.error();
  return std::unique_ptr<Engine>(std::make_unique<ValgrindEngine>(*launcher, *folder));
}

}  // namespace hm::soft
