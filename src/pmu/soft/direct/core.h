// SPDX-License-Identifier: MIT
// One modelled core, and the thread that runs on it. Copied code reaches it through GS, at offsets that fit
// an instruction's displacement; what it needs most often comes first.
//
// While copied code runs, three of the target's registers are not in the host's: r10 and r11 are free for
// checks, r15 is the tick. Their values are at home in `registers`; all others are in the host's own.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pmu/soft/direct/thunks.h"
#include "pmu/soft/sampling/modelled_core.h"

namespace hm::soft::direct {

struct Thread;

// A thread runs bare copies of its code while it is not collected: nothing is counted, no model is touched.
enum class Mode : uint8_t { kUninstrumented, kCollecting };
inline constexpr unsigned kModes = 2;

// Numbers of general registers, as instructions encode them.
enum Reg : uint8_t {
  kAx,
  kCx,
  kDx,
  kBx,
  kSp,
  kBp,
  kSi,
  kDi,
  kR8,
  kR9,
  kR10,
  kR11,
  kR12,
  kR13,
  kR14,
  kR15,
  kNoReg = 0xff
};

// Where an indirect branch to `target` goes on in the code cache.
struct IndirectTarget {
  uint64_t target;
  uint64_t code;
};
// An address's bits 2 to 15 are its place, so that its entry's offset is four times these.
inline constexpr uint32_t kIndirectMask = 0xfffc;
inline constexpr uint32_t kIndirectScale = sizeof(IndirectTarget) / 4;
inline constexpr uint32_t kIndirectTargets = (kIndirectMask >> 2) + 1;

struct StringPlan;    // strings.h
struct ElementsPlan;  // elements.h

// What a repeated string instruction found.
struct StringOperands {
  uint64_t count, source, destination;
  const StringPlan* plan;
};

// What an instruction finds that accesses memory element by element.
struct ElementOperands {
  alignas(64) uint8_t index[64];  // the vector register
  alignas(64) uint8_t mask[64];   // likewise, or the mask register
  const ElementsPlan* plan;
};

// Samples that are due at one access: at most one of each event.
struct PendingSample {
  event::EventId id;
  Tick now;
  Cause cause;
};
struct PendingSamples {
  uint32_t count;
  PendingSample samples[event::kEventCount];
};

// The last branches of the thread that runs. The place of the next counts on, and wraps as the ring does.
struct BranchRing {
  uint8_t next;
  uint32_t sites[256];    // by number (branch_ring.h); 0: none yet
  uint64_t targets[256];  // of those that are indirect
};

// The target's state of a thread, but for what the host's registers hold while the engine's own code runs:
// vector registers other than the first four.
struct Context {
  uint64_t registers[16];  // by Reg
  uint64_t flags;
  uint64_t ip;
  uint64_t fs_base;
  alignas(16) uint64_t vectors[8];  // xmm0 to xmm3
};

struct Core {
  Core* self;
  Thread* thread;   // that runs here
  Context context;  // while copied code runs, only r10, r11 and r15 of it, and what that has written
  uint64_t tick;    // while no copied code runs
  uint64_t loads;   // of the running thread's turn
  uint64_t stores;
  uint64_t engine_stack;  // where the stack of the engine's own code begins
  uint64_t exit;          // through which copied code was left
  uint64_t resume;        // where in the code cache to go on
  uint64_t attention;     // not 0: a signal may have to be delivered before copied code goes on
  uint64_t saved_flags;   // of checks between an instruction that sets flags and one that reads them
  uint64_t saved_ax;      // while flags are saved
  uint64_t spilled;       // of an instruction that uses r10, r11 and r15
  uint64_t spilled_base;  // of one that is relative to rip and copied far from its operand
  StringOperands string;
  void* thunks[kThunks];   // where copied code calls the engine's own, by Thunk
  uintptr_t owner;         // cores.h
  uint64_t slice_tick;     // where the running thread's turn began
  uint64_t activation_sp;  // of the running thread (sampling/activation.h)
  CoreFilters filters;
  ModelledCore model;
  BranchRing branches;
  PendingSamples pending;
  ElementOperands elements;
  alignas(64) IndirectTarget indirect[kModes][kIndirectTargets];
};

// What the filters tell of places is their offsets in a Core: a hint has 16 bits for that.
inline constexpr uint32_t kDataOffset = offsetof(Core, filters.data);
inline constexpr uint32_t kNowhereOffset = offsetof(Core, filters.data[CoreFilters::kNowhere]);
inline constexpr uint32_t kStorePlaces = offsetof(Core, filters.stores) - kDataOffset;  // from DataPlaces
inline constexpr uint32_t kCodeOffset = offsetof(Core, filters.code);
static_assert(kDataOffset + sizeof(CoreFilters::data) <= 65536);

// Behind a Core, in one piece of address space: its models, then the words of its code pages
// (model::CodePage), at the same offsets for each core.
inline constexpr uint64_t kModelsOffset = (sizeof(Core) + 4095) & ~uint64_t{4095};

// Whether the target's value of a register is at home while copied code runs.
constexpr bool is_reserved(uint8_t reg) { return reg == kR10 || reg == kR11 || reg == kR15; }
constexpr int32_t saved_register_offset(Reg reg) {
  return static_cast<int32_t>(offsetof(Core, context.registers) + sizeof(uint64_t) * reg);
}

}  // namespace hm::soft::direct
