// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/schedule/blocked_thread.h"

#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/decimal.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {

// The file (proc_pid_syscall(5)) contains "running", or the number of the system call that blocks the thread;
// -1 if no system call blocks it.
bool is_blocked_in_its_code(uint32_t tid) {
  constexpr char kFolder[] = "/proc/self/task/", kFile[] = "/syscall";
  constexpr int64_t kCloseOnExec = 02000000;
  char path[sizeof(kFolder) + kMaxDecimalDigits + sizeof(kFile)] = {};
  __builtin_memcpy(path, kFolder, sizeof(kFolder));
  char* end = write_decimal(path + sizeof(kFolder) - 1, tid);
  __builtin_memcpy(end, kFile, sizeof(kFile));
  int64_t fd = system_call(kOpen, pointer_argument(path), kCloseOnExec);
  if (fd < 0) return false;
  char text[8] = {};
  int64_t got = system_call(kRead, fd, pointer_argument(text), sizeof(text) - 1);
  system_call(kClose, fd);
  return got > 2 && text[0] == '-' && text[1] == '1' && text[2] == ' ';
}

}  // namespace hm::soft::direct
