// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/tracee_stop.h"

#include <cerrno>

namespace hm::soft {
namespace {

constexpr int kCoreDumped = 0x80;  // WCOREDUMP() in a status

int status_of(const siginfo_t& info) {
  switch (info.si_code) {
    case CLD_EXITED:
      return W_EXITCODE(info.si_status, 0);
    case CLD_KILLED:
      return info.si_status;
    case CLD_DUMPED:
      return info.si_status | kCoreDumped;
    default:
      return W_STOPCODE(info.si_status);  // with the event in the higher bits
  }
}

}  // namespace

pid_t look_at_child(idtype_t type, pid_t child, int options, int& status) {
  siginfo_t info{};
  // Without WSTOPPED, only traced threads are reported when they stop, and not those that job control stops.
  while (::waitid(type, static_cast<id_t>(child), &info, options | WEXITED | WNOWAIT | __WALL) != 0) {
    if (errno != EINTR) return -1;
  }
  if (info.si_pid != 0) status = status_of(info);
  return info.si_pid;
}

pid_t take_stop(pid_t thread, int options, int& status) {
  pid_t found = look_at_child(P_PID, thread, options, status);
  if (found <= 0 || is_delivery(status)) return found;
  return ::waitpid(thread, &status, options | __WALL);
}

}  // namespace hm::soft
