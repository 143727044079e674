// SPDX-License-Identifier: MIT
// What the launcher and the engine tell each other through the target's memory: a process area behind the
// engine's image.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/magic.h"

namespace hm::soft::direct {

// Where the engine is linked (CMakeLists.txt has the same number): below the lowest address at which the
// kernel loads position-independent programs (ELF_ET_DYN_BASE, 0x555555554000). Programs with a sanitizer
// refuse to start if other memory is mapped outside of what they leave to the program: of the ranges that
// ThreadSanitizer (0x550000000000 to 0x568000000000), MemorySanitizer (0x510000000000 to 0x600000000000) and
// AddressSanitizer (from 0x10007fff8000) leave, this is in the one that all have.
inline constexpr uint64_t kEngineBase = 0x554000000000;
// Behind it, at the same address in all processes, the models that they share.
inline constexpr uint64_t kCommonModelsBase = kEngineBase + (uint64_t{1} << 30);
inline constexpr uint64_t kEngineEnd = kEngineBase + (uint64_t{1} << 32);

// The state of a thread that is taken over. The first one brings the engine to life.
struct StartInfo {
  uint64_t magic;
  uint64_t registers[16];  // by their numbers in instructions
  uint64_t ip;
  uint64_t flags;
  uint64_t fs_base;
  uint64_t signal_mask;
  uint64_t vectors[8];  // xmm0 to xmm3: written by the engine's first instructions
  char session_folder[256];
};
// And the size, which another version's is not.
inline constexpr uint64_t kStartMagic = uint64_t{sizeof(StartInfo)} << 32 | kStartTag;

// A piece of address space that the engine has mapped.
struct OwnMapping {
  uint64_t start;
  uint64_t bytes;  // 0: it is unmapped
};
inline constexpr uint32_t kMostOwnMappings = 16384;

enum Released : uint32_t {
  kInside,
  kBeingLetGo,  // all threads have left but the one that does this
  kLetGo,       // the process is as it would be without the engine, but for its memory
  kPaused,      // likewise, until a thread is sent in again
};

// Who is inside, and how to come out.
struct Attachment {
  // Written by the launcher.
  uint64_t trampoline;   // the address of the trampoline; 0: threads do not leave the engine
  uint32_t taken_over;   // how many threads have been taken over
  uint32_t was_running;  // not 0: the process was attached to; 0: the launcher started its program
  // Written by the engine.
  uint32_t arrived;        // how many of these have brought their state to safety
  uint32_t born;           // threads that were made by others inside
  uint32_t gone;           // threads that have ended or left
  uint32_t released;       // Released
  uint32_t lost_mappings;  // not 0: the engine has more than kMostOwnMappings
  uint32_t leaving;        // not 0: all threads of this process leave for good; a LeaveReason
  uint64_t leave_call;     // hm_leave_call (switch.S)
  uint64_t call_return;    // where the target's system calls return to
};

struct ProcessArea {
  StartInfo start;  // of the thread that is being taken over
  Attachment attachment;
  uint64_t mapping_count;  // of `mappings`
  OwnMapping mappings[kMostOwnMappings];
};

// Each thread inside has a block, aligned to its size, with two stacks for the engine: the signal stack, at
// whose lowest address a mark names the thread, and above it the one for the rest of the engine's code.
inline constexpr uint64_t kThreadBlockBytes = 128u << 10;
inline constexpr uint64_t kSignalStackBytes = kThreadBlockBytes / 2;

struct SignalStackMark {
  uint64_t thread;  // a Thread's address
  uint64_t tag;     // the block's address ^ kSignalStackTag: no other memory has that there
};
inline constexpr uint64_t kSignalStackTag = 0x6861'7264'6d65'7472;

// The last instructions of a thread that leaves the engine, and the first that the launcher lets a thread run
// that it has stopped. They do not lie in the engine's memory, as that may be gone then. One system call,
// after which all registers are loaded from a TrampolineFrame at rsp: so if the launcher dies in between, the
// thread goes on with its program.
inline constexpr uint8_t kTrampoline[] = {
    0x0f, 0x05,              // syscall
    0x58, 0x59, 0x5a,        // pop rax, rcx, rdx
    0x5e, 0x5f,              // pop rsi, rdi
    0x41, 0x58, 0x41, 0x59,  // pop r8, r9
    0x41, 0x5a, 0x41, 0x5b,  // pop r10, r11
    0x9d,                    // popfq
    0xc2, 0x80, 0x00,        // ret 128
};
inline constexpr uint32_t kTrampolineAfterCall = 2;

struct TrampolineFrame {
  uint64_t ax, cx, dx, si, di, r8, r9, r10, r11, flags, ip;
};

// Below it nothing of a function's may lie (System V ABI, AMD64 supplement, "The Stack Frame"): the 128 bytes
// that the trampoline's last instruction skips.
inline constexpr uint64_t kRedZone = 128;
constexpr uint64_t trampoline_frame_below(uint64_t stack_pointer) {
  return stack_pointer - kRedZone - sizeof(TrampolineFrame);
}

}  // namespace hm::soft::direct
