// SPDX-License-Identifier: MIT
// The process area: data behind the engine's image in the target's memory, through which the launcher and the
// engine communicate.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/magic.h"

namespace hm::soft::direct {

// Address at which the engine is linked (CMakeLists.txt has the same number). It is below the lowest address
// at which the kernel loads position-independent programs (ELF_ET_DYN_BASE, 0x555555554000). Programs with a
// sanitizer refuse to start if memory is mapped outside the range that the sanitizer leaves to the program.
// The address is in all of these ranges: ThreadSanitizer's (0x550000000000 to 0x568000000000),
// MemorySanitizer's (0x510000000000 to 0x600000000000) and AddressSanitizer's (from 0x10007fff8000).
inline constexpr uint64_t kEngineBase = 0x554000000000;
// Address of the models that processes share: behind the engine, and equal in all processes.
inline constexpr uint64_t kCommonModelsBase = kEngineBase + (uint64_t{1} << 30);
inline constexpr uint64_t kEngineEnd = kEngineBase + (uint64_t{1} << 32);

// Areas for the engine's other memory. The kernel loads position-independent programs between the two, and
// places a program's mappings above both (mmap(2) goes downwards from below the stack). So the program's
// mappings have the addresses of a native run. If an area is full, the kernel chooses another place. Tables
// of terabytes (touch_table.h) go to kTableArea; the first of them ends within MemorySanitizer's range, too.
struct OwnArea {
  uint64_t begin, bytes;
};
inline constexpr OwnArea kOwnArea{kEngineEnd, uint64_t{1} << 36};
inline constexpr OwnArea kTableArea{0x570000000000, uint64_t{1} << 45};

// State of a thread that the launcher takes over. The first of these threads in a process starts the engine.
struct StartInfo {
  uint64_t magic;
  uint64_t registers[16];  // indexed by the registers' numbers in instructions
  uint64_t ip;
  uint64_t flags;
  uint64_t fs_base;
  uint64_t signal_mask;
  uint64_t vectors[8];  // xmm0 to xmm3: written by the engine's first instructions
  char session_folder[256];
  // A descriptor of that folder if the process does not find it by its path; -1: it does. The engine owns the
  // descriptor.
  int64_t folder_descriptor;
  // Address of the thread's rseq area, and the signature that it was registered with (rseq(2)); 0: none.
  uint64_t restart_area;
  uint32_t restart_signature;
};
// Includes the size, which differs in other versions.
inline constexpr uint64_t kStartMagic = uint64_t{sizeof(StartInfo)} << 32 | kStartTag;

// A range of address space that the engine has mapped.
struct OwnMapping {
  uint64_t start;
  uint64_t bytes;  // 0: it is unmapped
};
inline constexpr uint32_t kMaxOwnMappings = 16384;

enum Released : uint32_t {
  kInside,
  kBeingLetGo,  // all threads have left except the one that lets the process go
  kLetGo,       // the process is as it would be without the engine, except for the engine's memory
  kPaused,      // as kLetGo, until a thread enters the engine again
};

// Counts of the threads inside the engine, and how threads leave it.
struct Attachment {
  // Written by the launcher.
  uint64_t trampoline;   // the address of the trampoline; 0: threads do not leave the engine
  uint32_t taken_over;   // number of threads that have been taken over
  uint32_t was_running;  // not 0: the process was attached to; 0: the launcher started its program
  // Written by the engine.
  uint32_t arrived;        // number of these threads that have saved their state
  uint32_t born;           // number of threads created by threads inside the engine
  uint32_t gone;           // number of threads that have ended or left
  uint32_t released;       // a value of Released
  uint32_t lost_mappings;  // not 0: the engine has more than kMaxOwnMappings
  uint32_t leaving;        // not 0: all threads of this process leave for good; a LeaveReason
  uint64_t leave_call;     // hm_leave_call (switch.S)
  uint64_t call_return;    // return address of the target's system calls
};

struct ProcessArea {
  StartInfo start;  // of the thread that is being taken over
  Attachment attachment;
  uint64_t mapping_count;  // number of entries of `mappings`
  OwnMapping mappings[kMaxOwnMappings];
};

// Each thread inside the engine has a block, aligned to its size, with two stacks for the engine. The signal
// stack has a mark at its lowest address that identifies the thread. The stack for the rest of the engine's
// code is above the signal stack.
inline constexpr uint64_t kThreadBlockBytes = 128u << 10;
inline constexpr uint64_t kSignalStackBytes = kThreadBlockBytes / 2;

struct SignalStackMark {
  uint64_t thread;  // a Thread's address
  uint64_t tag;     // the block's address ^ kSignalStackTag; no other memory has this value at that address
};
inline constexpr uint64_t kSignalStackTag = 0x6861'7264'6d65'7472;

// The last instructions of a thread that leaves the engine, and the first that the launcher lets a stopped
// thread run. They are outside the engine's memory, which may already be unmapped. They make one system call,
// then load all registers from a TrampolineFrame at rsp. So if the launcher dies in between, the thread
// continues with its program.
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

// Size in bytes of the red zone: the area below the stack pointer that may hold a function's data (System V
// ABI, AMD64 supplement, "The Stack Frame"). The trampoline's last instruction skips it.
inline constexpr uint64_t kRedZone = 128;
constexpr uint64_t trampoline_frame_below(uint64_t stack_pointer) {
  return stack_pointer - kRedZone - sizeof(TrampolineFrame);
}

}  // namespace hm::soft::direct
