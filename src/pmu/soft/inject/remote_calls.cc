// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/remote_calls.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/unique_fd.h"
#include "pmu/soft/inject/tracee_stop.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

// syscall; xor %edx, %edx; jmp *%rbx. At a program's beginning only rsp and rdx have defined values (System V
// ABI, AMD64 supplement, "Process Initialization").
constexpr long kLentCode = 0xe3ff'd231'050f;
constexpr long kLentMask = 0xffff'ffff'ffff;

// Returns the address of the vdso, the kernel's code in the process. Its ELF header has enough padding for
// the instructions.
uint64_t vdso_of(pid_t process) {
  UniqueFd fd(::open(fmt::format("/proc/{}/auxv", process).c_str(), O_RDONLY | O_CLOEXEC));
  std::array<Elf64_auxv_t, 64> vector{};
  if (!fd.valid() || ::read(fd.get(), vector.data(), sizeof(vector)) <= 0) return 0;
  for (const Elf64_auxv_t& each : vector) {
    if (each.a_type == AT_SYSINFO_EHDR) return each.a_un.a_val;
  }
  return 0;
}

}  // namespace

bool wait_for_stop(pid_t process, int& status) {
  if (look_at_child(P_PID, process, 0, status) != process || !WIFSTOPPED(status)) return false;
  return take_stop(process, 0, status) == process && WIFSTOPPED(status);
}

Error injection_error(pid_t process, const char* what) {
  return make_error(ErrorCode::kIo, "cannot bring the copying engine into process {}: could not {}: {}",
                    process, what, errno_text(errno));
}

namespace {

// Continues to the next system call stop, and delivers signals on the way. If a signal has stopped the
// process, it continues only for this. The kernel stops it again when the tracer detaches, unless SIGCONT has
// arrived meanwhile.
Status to_next_system_call_stop(pid_t process, pid_t thread) {
  int deliver = 0;
  while (true) {
    int status = 0;
    if (::ptrace(PTRACE_SYSCALL, thread, nullptr, deliver) != 0)
      return injection_error(process, "continue it");
    if (!wait_for_stop(thread, status))
      return make_error(ErrorCode::kIo, "cannot bring the copying engine into process {}: it has ended",
                        process);
    if (WSTOPSIG(status) == kSystemCallStop) return {};
    deliver = is_delivery(status) ? WSTOPSIG(status) : 0;
  }
}

}  // namespace

void set_call(user_regs_struct& registers, long number, const std::array<uint64_t, 6>& arguments) {
  registers.rax = static_cast<uint64_t>(number);
  registers.orig_rax = ~uint64_t{0};
  registers.rdi = arguments[0];
  registers.rsi = arguments[1];
  registers.rdx = arguments[2];
  registers.r10 = arguments[3];
  registers.r8 = arguments[4];
  registers.r9 = arguments[5];
}

Result<uint64_t> run_call(pid_t process, pid_t thread, user_regs_struct registers) {
  if (::ptrace(PTRACE_SETREGS, thread, nullptr, &registers) != 0)
    return injection_error(process, "write its registers");
  for ([[maybe_unused]] int entry_and_exit : {0, 1}) {
    if (Status status = to_next_system_call_stop(process, thread); !status) return status.error();
  }
  if (::ptrace(PTRACE_GETREGS, thread, nullptr, &registers) != 0)
    return injection_error(process, "read its registers");
  auto result = static_cast<int64_t>(registers.rax);
  if (failed(result)) {
    errno = static_cast<int>(-result);
    return injection_error(process, "have it map or unmap memory");
  }
  return registers.rax;
}

Error RemoteCalls::error(const char* what) const { return injection_error(process_, what); }

Status RemoteCalls::lend_code() {
  uint64_t vdso = vdso_of(process_);
  if (vdso == 0) {
    return make_error(ErrorCode::kUnsupported,
                      "cannot bring the copying engine into process {}: the kernel gives it no vdso",
                      process_);
  }
  lent_address_ = vdso + EI_PAD;
  errno = 0;
  lent_word_ = ::ptrace(PTRACE_PEEKTEXT, process_, lent_address_, nullptr);
  if (errno != 0) return error("read its code");
  long code = (lent_word_ & ~kLentMask) | kLentCode;
  if (::ptrace(PTRACE_POKETEXT, process_, lent_address_, code) != 0) return error("write its code");
  return {};
}

Status RemoteCalls::begin() {
  if (Status status = to_next_system_call_stop(process_, process_); !status) return status;
  if (::ptrace(PTRACE_GETREGS, process_, nullptr, &registers_) != 0) return error("read its registers");
  constexpr uint64_t kCode64 = 0x33;  // arch/x86/include/asm/segment.h, __USER_CS
  if (registers_.cs != kCode64) {
    return make_error(
        ErrorCode::kUnsupported,
        "process {} runs a 32-bit program; the software PMU runs 64-bit x86 programs only, so this one goes unmeasured",
        process_);
  }
  return lend_code();
}

Result<uint64_t> RemoteCalls::call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                                   uint64_t f) {
  user_regs_struct regs = registers_;
  regs.rip = lent_address_;
  regs.rbx = registers_.rip;
  set_call(regs, number, {a, b, c, d, e, f});
  return run_call(process_, process_, regs);
}

Status RemoteCalls::end() {
  if (lent_address_ == 0) return {};
  user_regs_struct regs = registers_;
  regs.orig_rax = ~uint64_t{0};
  if (::ptrace(PTRACE_SETREGS, process_, nullptr, &regs) != 0) return error("put its registers back");
  if (::ptrace(PTRACE_POKETEXT, process_, lent_address_, lent_word_) != 0) return error("put its code back");
  lent_address_ = 0;
  return {};
}

}  // namespace hm::soft
