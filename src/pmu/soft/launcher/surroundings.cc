// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/surroundings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/process_files.h"
#include "base/process_stat.h"
#include "base/text_file.h"

namespace hm::soft {
namespace {

// Returns the fields of /proc/PID/stat; state and parent are 0 if the process does not exist.
ProcessStat stat_of(pid_t process) {
  std::string stat = read_text(fmt::format("/proc/{}/stat", process)).value_or("");
  return parse_process_stat(stat).value_or(ProcessStat());  // the name in it may have line feeds
}

// Returns true if the process finds itself in /proc, under the ID that it has in its own PID namespace.
bool has_proc(pid_t process) {
  std::string itself = fmt::format("/proc/{}/root/proc/{}/maps", process, number_in_namespace(process));
  return ::euidaccess(itself.c_str(), F_OK) == 0;
}

}  // namespace

bool has_thread(pid_t process, pid_t thread) {
  return ::access(fmt::format("/proc/{}/task/{}", process, thread).c_str(), F_OK) == 0;
}

bool is_gone(pid_t process) {
  char state = stat_of(process).state;
  return state == 0 || state == 'Z' || state == 'X';
}

bool descends_from_us(pid_t process) {
  constexpr int kMaxGenerations = 10000, kMaxTries = 10;
  pid_t self = ::getpid();
  pid_t at = process;
  for (int i = 0, tries = 1; i < kMaxGenerations && at > 1; ++i) {
    ProcessStat stat = stat_of(at);
    if (stat.state == 0) {
      // An ancestor has ended, so the process has another parent by now: restart.
      if (at == process || ++tries > kMaxTries) return false;
      at = process;
      continue;
    }
    at = stat.parent;
    if (at == self) return true;
  }
  return false;
}

Status suits_engine(pid_t process) {
  std::string root = fmt::format("/proc/{}/root/", process);
  if (::euidaccess(root.c_str(), F_OK) != 0 && errno == EACCES)
    return make_error(
        ErrorCode::kPermission,
        "process {} runs a program that this user may not read, or changed its user, so the kernel hides its memory; it goes unmeasured (root may measure it, or `chmod +r` the program's file)",
        process);
  if (!has_proc(process)) {
    return make_error(
        ErrorCode::kUnsupported,
        "process {} has another root, where the copying engine finds no /proc; it goes unmeasured", process);
  }
  return {};
}

}  // namespace hm::soft
