// SPDX-License-Identifier: MIT
// One modelled core, and the thread that runs on it. Copied code reaches it through GS, at offsets that fit
// an instruction's displacement; what it needs most often comes first.
//
// While copied code runs, three registers of the host are reserved for the engine: r10 and r11 are scratch
// registers of checks, r15 is the tick. The target's values of these three are saved in `registers`; those of
// all others are in the host's registers.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pmu/soft/direct/core/thunks.h"
#include "pmu/soft/direct/core/touch_table.h"
#include "pmu/soft/sampling/modelled_core.h"

namespace hm::soft::direct {

struct Thread;

// A thread runs uninstrumented copies of its code while it is not collected: nothing is counted, no model is
// touched. Between bursts (burst/bursts.h) it runs touching copies: they count time, and write to the touch
// table which lines they use.
enum class Mode : uint8_t { kUninstrumented, kTouching, kCollecting };
inline constexpr unsigned kModes = 3;

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

// An indirect branch to `target` continues at `code`, in the code cache.
struct IndirectTarget {
  uint64_t target;
  uint64_t code;
};
// An address's bits 2 to 15 are its index in the table, so that its entry's offset is four times these bits.
inline constexpr uint32_t kIndirectMask = 0xfffc;
inline constexpr uint32_t kIndirectScale = sizeof(IndirectTarget) / 4;
inline constexpr uint32_t kIndirectTargets = (kIndirectMask >> 2) + 1;

struct StringPlan;    // strings.h
struct ElementsPlan;  // elements.h

// The registers with which a repeated string instruction began.
struct StringOperands {
  uint64_t count, source, destination;
  const StringPlan* plan;
};

// The registers with which an instruction began that accesses memory element by element.
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

// What the burst under way has counted.
struct BurstCounts {
  uint64_t slots;
  uint64_t events[event::kEventCount];
};

// The last branches of the thread that runs. `next` counts modulo 256, as the ring has entries.
struct BranchRing {
  uint8_t next;
  uint32_t sites[256];    // by number (program/branch_sites.h); 0: none yet
  uint64_t targets[256];  // of those that are indirect
};

// A target thread's registers, without those that stay in the host's registers while the engine's own code
// runs: vector registers other than the first four.
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
  Context context;  // while copied code runs, only the reserved registers are valid, and what it has written
  uint64_t tick;    // valid while no copied code runs
  uint64_t loads;   // of the running thread's time slice
  uint64_t stores;
  uint64_t engine_stack;  // the highest address of the stack for the engine's own code
  uint64_t exit;          // the number of the exit by which copied code was left
  uint64_t resume;        // where in the code cache to continue
  uint64_t attention;     // not 0: a signal may have to be delivered before copied code continues
  uint64_t saved_flags;   // of checks between an instruction that sets flags and one that reads them
  uint64_t saved_ax;      // while flags are saved
  uint64_t spilled;       // a register's value, while it stands in for r15: Spills::stand_in
  uint64_t spilled_base;  // the same of one that stands in for rip: Spills::base
  StringOperands string;
  void* thunks[kThunks];      // addresses, by Thunk
  uintptr_t owner;            // cores.h
  uint64_t slice_tick;        // the tick at which the running thread's time slice began
  uint64_t activation_sp;     // of the running thread (sampling/activation.h)
  uint64_t switch_tick;       // beyond which copied code leaves: at which the next burst begins, or this one
                              // ends (burst/bursts.h), or the core has run its window (schedule/pace.h); 0:
                              // it has
  uint64_t next_switch_tick;  // that, in either case
  uint64_t last_switch_tick;  // at which the last one ended
  uint64_t window_end;        // at which of its modelled cycles the core has run its window (schedule/pace.h)
  uint32_t window;            // that window's number
  bool between_bursts;        // what happens on the core is not counted
  bool counts_all;            // there has been no burst yet: it is (BurstPlan::exact_slots)
  CoreFilters filters;
  ModelledCore model;
  BranchRing branches;
  PendingSamples pending;
  BurstCounts burst;
  uint64_t episode_tick;  // at which the episode began (emulate/episodes.h)
  uint64_t branch;        // the address of the indirect branch by which copied code was left last
  ElementOperands elements;
  alignas(64) IndirectTarget indirect[kModes][kIndirectTargets];
};

// The filters name places by their offsets in a Core; a hint has 16 bits for that.
inline constexpr uint32_t kDataOffset = offsetof(Core, filters.data);
inline constexpr uint32_t kNowhereOffset = offsetof(Core, filters.data[CoreFilters::kNowhere]);
inline constexpr uint32_t kStorePlaces = offsetof(Core, filters.stores) - kDataOffset;  // from DataPlaces
inline constexpr uint32_t kCodeOffset = offsetof(Core, filters.code);
static_assert(kDataOffset + sizeof(CoreFilters::data) <= 65536);

// Behind a Core, in one piece of address space: its models, then the presence words of its code pages
// (model::CodePage), at the same offsets for each core.
inline constexpr uint64_t kModelsOffset = (sizeof(Core) + 4095) & ~uint64_t{4095};

// Those of a page's code lines stand behind its presence words.
constexpr uint32_t touched_offset(uint32_t lines_per_page) {
  return static_cast<uint32_t>(model::CodePage::bytes(lines_per_page));
}

inline TouchStamp* touch_table(Core& core) {
  return reinterpret_cast<TouchStamp*>(reinterpret_cast<char*>(&core) + kTouchTableOffset);
}

// The core's presence words at this offset from it.
inline model::CodePage& code_page_at(Core& core, uint64_t offset) {
  return *reinterpret_cast<model::CodePage*>(reinterpret_cast<char*>(&core) + offset);
}

// Whether a register is reserved while copied code runs; then the target's value is at this offset in the
// Core.
constexpr bool is_reserved(uint8_t reg) { return reg == kR10 || reg == kR11 || reg == kR15; }
constexpr int32_t saved_register_offset(Reg reg) {
  return static_cast<int32_t>(offsetof(Core, context.registers) + sizeof(uint64_t) * reg);
}

}  // namespace hm::soft::direct
