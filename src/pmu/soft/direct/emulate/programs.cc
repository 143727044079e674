// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/programs.h"

#include <asm/stat.h>
#include <linux/fcntl.h>

#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/emulate/invariants.h"
#include "pmu/soft/direct/emulate/processes.h"
#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/exec_request.h"

namespace hm::soft::direct {
namespace {

constexpr int64_t kSysGetxattr = 191, kSysFgetxattr = 193, kSysFstatat = 262;
constexpr int64_t kOpenFlags = 02000000 | 04000;  // O_CLOEXEC | O_NONBLOCK

// The arguments that identify the program. Only the kernel reads the strings that they point to, because the
// pointers may be invalid.
struct ProgramFile {
  int64_t folder;
  int64_t path;
  int64_t flags;  // AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW
};

ProgramFile file_of(const Context& context, uint64_t number) {
  const uint64_t* r = context.registers;
  if (number == kExecve) return {AT_FDCWD, static_cast<int64_t>(r[kDi]), 0};
  return {static_cast<int>(r[kDi]), static_cast<int64_t>(r[kSi]), static_cast<int64_t>(r[kR8])};
}

bool has_capabilities(const ProgramFile& file) {
  constexpr char kName[] = "security.capability";
  if (file.folder == AT_FDCWD) return system_call(kSysGetxattr, file.path, pointer_argument(kName)) > 0;
  int64_t fd = (file.flags & AT_EMPTY_PATH) != 0
                   ? file.folder
                   : system_call(kSysOpenat, file.folder, file.path, kOpenFlags);
  bool has = fd >= 0 && system_call(kSysFgetxattr, fd, pointer_argument(kName)) > 0;
  if (fd >= 0 && fd != file.folder) system_call(kSysClose, fd);
  return has;
}

enum class Prospect { kFails, kOrdinary, kPrivileged };

// Predicts the result of an execve, so that a search of PATH does not need the recorder.
Prospect prospect_of(const ProgramFile& file) {
  constexpr int64_t kStatFlags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW;
  constexpr uint32_t kTypeMask = 0170000, kRegular = 0100000, kExecutable = 0111, kChangesUser = 06000;
  struct stat status {};
  if (system_call(kSysFstatat, file.folder, file.path, pointer_argument(&status), file.flags & kStatFlags) <
      0)
    return Prospect::kFails;
  if ((status.st_mode & kTypeMask) != kRegular || (status.st_mode & kExecutable) == 0)
    return Prospect::kFails;
  // A traced program does not get the privileges that its file grants.
  bool privileged = (status.st_mode & kChangesUser) != 0 || has_capabilities(file);
  return privileged ? Prospect::kPrivileged : Prospect::kOrdinary;
}

// Returns kCallAgain if a signal must be taken first.
int64_t run(Thread& thread, uint64_t number) {
  bool ends_others = ring() != nullptr && !is_of_vfork(thread);
  if (ends_others) g_process.cores.stop_other_threads(thread);
  pass_signals_to_exec(thread);
  check_before_call(thread);
  int64_t result = hm_raw_system_call(&thread.context, number, nullptr, &thread.signals.arrived);
  restore_signals_after_exec(thread);
  if (ends_others) g_process.cores.resume_other_threads();
  return result;
}

int64_t run_unmeasured(Thread& thread, uint64_t number) {
  __atomic_fetch_add(&session()->unrecorded, 1, __ATOMIC_RELEASE);
  begin_native_program();
  int64_t result = run(thread, number);
  resume_after_native_program();
  __atomic_fetch_sub(&session()->unrecorded, 1, __ATOMIC_RELEASE);
  return result;
}

}  // namespace

int64_t replace_program(Thread& thread, uint64_t number) {
  Prospect prospect = session() == nullptr ? Prospect::kFails : prospect_of(file_of(thread.context, number));
  if (prospect == Prospect::kFails) return run(thread, number);
  ExecAsking asking(*session(), g_process.recording.session_descriptor());
  bool followed = prospect == Prospect::kOrdinary &&
                  asking.follow(static_cast<uint32_t>(system_call(kSysGetpid)), thread.tid);
  if (!followed) return run_unmeasured(thread, number);
  int64_t result = run(thread, number);
  asking.failed();
  return result;
}

}  // namespace hm::soft::direct
