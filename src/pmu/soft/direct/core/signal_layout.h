// SPDX-License-Identifier: MIT
// Layout of the signal frame that the kernel puts on a stack, and of arguments of the signal system calls
// (arch/x86/include/uapi/asm/sigcontext.h, ucontext.h, siginfo.h). Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

inline constexpr int kSignals = 64;
// kPreempt is SIGSTKFLT, which the engine sends to its threads (core/preempt_signal.h).
enum Signal : int {
  kIllegal = 4,
  kTrap = 5,
  kBus = 7,
  kFloatingPoint = 8,
  kKill = 9,
  kSegv = 11,
  kPreempt = 16,
  kStop = 19,
  kBadCall = 31  // SIGSYS
};

using SignalMask = uint64_t;
constexpr SignalMask mask_of(int signal) { return uint64_t{1} << (signal - 1); }

// Arguments of rt_sigprocmask(2) and similar calls: the size of a mask, and SIG_SETMASK.
inline constexpr uint64_t kMaskBytes = sizeof(SignalMask);
inline constexpr uint64_t kSetMask = 2;

// Signals that the kernel delivers first if several are pending (kernel/signal.c, SYNCHRONOUS_MASK).
inline constexpr SignalMask kSynchronous = mask_of(kSegv) | mask_of(kBus) | mask_of(kIllegal) |
                                           mask_of(kTrap) | mask_of(kFloatingPoint) | mask_of(kBadCall);

// Signals that the engine handles whatever the target requests. The reasons are faults on pages that it
// watches, and its own single steps. Also, a process that dies of a fault must have the target's registers.
inline constexpr SignalMask kEngines = mask_of(kSegv) | mask_of(kBus) | mask_of(kTrap) | mask_of(kIllegal) |
                                       mask_of(kFloatingPoint) | mask_of(kPreempt);

struct SignalInfo {
  int32_t number, error, code, padding;
  uint64_t address;  // address of a fault
  uint8_t rest[104];
};
static_assert(sizeof(SignalInfo) == 128);

struct SignalStack {
  uint64_t start;
  int32_t flags;
  int32_t padding;
  uint64_t bytes;
};
inline constexpr int32_t kOnStack = 1, kDisabled = 2;
inline constexpr int32_t kDisarms = INT32_MIN;  // SS_AUTODISARM: a handler that begins disables the stack

// struct sigaction, in the layout of the system call.
struct SignalAction {
  uint64_t handler;  // or kDefault, kIgnore
  uint64_t flags;
  uint64_t restorer;
  SignalMask mask;
};
inline constexpr uint64_t kDefault = 0, kIgnore = 1;
inline constexpr uint64_t kNoChildStop = 1, kNoChildWait = 2, kWithInfo = 4, kOnAlternateStack = 0x08000000,
                          kRestart = 0x10000000, kNoDefer = 0x40000000, kResetHandler = 0x80000000,
                          kHasRestorer = 0x04000000;

struct SignalContext {
  uint64_t r8, r9, r10, r11, r12, r13, r14, r15, di, si, bp, bx, dx, ax, cx, sp, ip, flags;
  uint64_t segments;  // cs, gs, fs, ss: 16 bits each
  uint64_t error, trap, old_mask, fault_address;
  uint64_t vector_state;  // its address
  uint64_t reserved[8];
};

inline constexpr uint64_t kCode64 = 0x33;  // arch/x86/include/asm/segment.h, __USER_CS

// Returns true if the code is not 64-bit code: its segment is that of 32-bit programs, or in the local table.
inline bool is_in_other_segment(const SignalContext& registers) {
  constexpr uint64_t kCodeSegment = 0xffff;
  return (registers.segments & kCodeSegment) != kCode64;
}

struct UserContext {
  uint64_t flags;
  uint64_t link;
  SignalStack stack;
  SignalContext registers;
  SignalMask mask;
};
static_assert(sizeof(UserContext) == 304);

struct SignalFrame {
  uint64_t return_address;
  UserContext context;
  SignalInfo info;
};

inline constexpr uint64_t kTrapFlag = 1 << 8;
inline constexpr uint64_t kAlignmentCheckFlag = 1 << 18;
inline constexpr uint64_t kDirectionBit = 1 << 10;
inline constexpr uint64_t kResumeFlag = 1 << 16;

// Returns the size in bytes of the vector state that SignalContext::vector_state points to.
inline uint64_t vector_state_bytes(uint64_t address) {
  constexpr uint64_t kSoftwareOffset = 464, kLegacyBytes = 512;
  constexpr uint32_t kMagic = 0x46505853;
  struct {
    uint32_t magic, bytes;
  } software;
  __builtin_memcpy(&software, reinterpret_cast<const void*>(address + kSoftwareOffset), sizeof(software));
  return software.magic == kMagic ? software.bytes : kLegacyBytes;
}

}  // namespace hm::soft::direct
