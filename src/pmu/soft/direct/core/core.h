// SPDX-License-Identifier: MIT
// One modelled core, and the thread that runs on it. Copied code addresses the Core through GS, with offsets
// that fit an instruction's displacement. The most frequently used fields come first.
//
// While copied code runs, three host registers are reserved for the engine: r10 and r11 are scratch registers
// of checks, r15 holds the tick. The target's values of these three are saved in `registers`. All other
// target registers are in the host's registers.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pmu/soft/direct/core/thunks.h"
#include "pmu/soft/direct/core/touch_table.h"
#include "pmu/soft/sampling/modelled_core.h"

namespace hm::soft::direct {

struct Thread;

// How a thread's code is copied. A thread that is not collected runs uninstrumented copies: nothing is
// counted, and no model is updated. Between bursts (burst/bursts.h) a collected thread runs touching copies:
// they count time, and record in the touch table which lines they use.
// Sampling copies count each frequent event down (frequent_events.h); their exits are not linked.
enum class Mode : uint8_t { kUninstrumented, kTouching, kCollecting, kSampling };
inline constexpr unsigned kModes = 4;

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

// Register values at the start of a repeated string instruction.
struct StringOperands {
  uint64_t count, source, destination;
  const StringPlan* plan;
};

// Register values at the start of an instruction that accesses memory element by element.
struct ElementOperands {
  alignas(64) uint8_t index[64];  // vector register with the indices
  alignas(64) uint8_t mask[64];   // vector register or mask register with the mask
  const ElementsPlan* plan;
  uint64_t done;  // number of accesses, counted once the instruction has run
};

// The target's values while a copy is about to become, or has just been, a restartable sequence of its own
// (translate/translator_restartable.cc).
struct RestartSaves {
  uint64_t ax, cx, dx, flags;
  uint64_t descriptor;  // of the thread's area: replaced meanwhile
};

// Samples that are due at one access: at most one for each event.
struct PendingSample {
  event::EventId id;
  Tick now;
  Cause cause;
};
struct PendingSamples {
  uint32_t count;
  PendingSample samples[event::kEventCount];
};

// The last branches of the running thread. `next` wraps at 256, the number of entries.
struct BranchRing {
  uint8_t next;
  uint32_t sites[256];    // branch site numbers (program/branch_sites.h); 0: no branch yet
  uint64_t targets[256];  // targets of the indirect branches
};

// A target thread's registers, except the vector registers from xmm4 on: those stay in the host's registers
// while the engine's own code runs.
struct Context {
  uint64_t registers[16];  // indexed by Reg
  uint64_t flags;
  uint64_t ip;
  uint64_t fs_base;
  alignas(16) uint64_t vectors[8];  // xmm0 to xmm3
};

// What copied code has counted, at some point of a time slice.
struct FrequentCounts {
  uint64_t tick, loads, stores;
};

struct Core {
  Core* self;
  Thread* thread;   // the thread that runs here
  Context context;  // while copied code runs, valid only for the reserved registers and what the code has
                    // written
  uint64_t tick;    // valid while no copied code runs
  uint64_t loads;   // loads in the running thread's time slice
  uint64_t stores;
  uint64_t engine_stack;      // highest address of the stack for the engine's own code
  uint64_t exit;              // number of the exit through which copied code was left
  uint64_t resume;            // address in the code cache at which to continue
  uint64_t attention;         // not 0: a signal may have to be delivered before copied code continues
  uint64_t checks_alignment;  // not 0: thunks clear the alignment check flag, which the target has once set
  uint64_t thunk_flags;       // the target's flags, while a thunk runs without that flag
  uint64_t saved_flags;   // status flags, saved by checks between an instruction that sets flags and one that
                          // reads them
  uint64_t saved_ax;      // rax, while the flags are saved
  uint64_t spilled;       // target value of the register that stands in for r15 (Spills::stand_in)
  uint64_t spilled_base;  // target value of the register that stands in for rip (Spills::base)
  StringOperands string;
  void* thunks[kThunks];   // thunk addresses, indexed by Thunk
  uintptr_t owner;         // address of the owning thread, and whether it has released the core (cores.cc)
  uint64_t slice_tick;     // tick at which the running thread's time slice began
  uint64_t activation_sp;  // stack pointer of the running thread's activation (sampling/activation.h)
  uint64_t switch_tick;  // copied code leaves once the tick exceeds this value: when the next burst begins or
                         // the current one ends (burst/bursts.h), or when the core has run its window
                         // (schedule/pace.h); 0: leave at the next check
  uint64_t next_switch_tick;  // tick at which the next burst begins or the current one ends
  uint64_t last_switch_tick;  // tick at which the last burst ended
  uint64_t window_end;        // modelled cycle at which the core's window ends (schedule/pace.h)
  uint32_t window;            // number of that window
  uint64_t kernel_ticks;    // part of the tick for accesses by the kernel, which are no slots of the program
  bool between_bursts;      // events on the core are not counted
  bool counts_all;          // before the first burst: every event is counted (BurstPlan::exact_slots)
  uint8_t burst_doublings;  // of the next or current burst's length (burst_doublings())
  CoreFilters filters;
  ModelledCore model;
  BranchRing branches;
  PendingSamples pending;
  Counted burst;  // of the current burst
  uint64_t burst_begin_ns;
  uint64_t
      stratum_rest;  // ticks between the next or current burst and the following stratum (burst/bursts.h)
  uint64_t episode_tick;  // tick at which the episode began (emulate/episodes.h)
  uint64_t branch;        // address of the last indirect branch through which copied code was left
  ElementOperands elements;
  RestartSaves restart;
  uint64_t state_ax;  // rax, while an instruction that saves state has another value (Plan::state_components)
  // Of samples of frequent events (frequent_events.h):
  bool samples_ahead;          // they are found ahead
  bool sampling;               // the running copy counts them down
  FrequentCounts in_counters;  // counts up to which the thread's counters are complete; unused if `sampling`
  uint64_t sample_tick;        // copies leave before the tick exceeds this value
  uint64_t slots_ahead;        // most slots that the copy could have run that was left for this reason
  // Of the touch table (touch_parts.h), if the core has one:
  uint64_t touch_table_bytes;
  uint64_t* open_touch_parts;  // a bit for each part: it is accessible
  uint32_t open_touch_part_count;
  alignas(64) IndirectTarget indirect[kModes][kIndirectTargets];
};

// The filters identify a cache slot by its offset in Core. A hint has 16 bits for that offset.
inline constexpr uint32_t kDataOffset = offsetof(Core, filters.data);
inline constexpr uint32_t kNowhereOffset = offsetof(Core, filters.data[CoreFilters::kNowhere]);
inline constexpr uint32_t kStorePlaces = offsetof(Core, filters.stores) - kDataOffset;  // from the DataPlace
inline constexpr uint32_t kCodeOffset = offsetof(Core, filters.code);
static_assert(kDataOffset + sizeof(CoreFilters::data) <= 65536);

// Offset of a core's models. The models follow the Core in one range of address space. The presence words of
// its code pages (model::CodePage) follow the models. All offsets are the same for each core.
inline constexpr uint64_t kModelsOffset = (sizeof(Core) + 4095) & ~uint64_t{4095};

// Offset of a code page's touch stamps in the page's data: they follow the presence words.
constexpr uint32_t touched_offset(uint32_t lines_per_page) {
  return static_cast<uint32_t>(model::CodePage::bytes(lines_per_page));
}

inline TouchStamp* touch_table(Core& core) {
  return reinterpret_cast<TouchStamp*>(reinterpret_cast<char*>(&core) + kTouchTableOffset);
}

// Returns the core's presence words at this offset from the core.
inline model::CodePage& code_page_at(Core& core, uint64_t offset) {
  return *reinterpret_cast<model::CodePage*>(reinterpret_cast<char*>(&core) + offset);
}

// Returns true if a register is reserved while copied code runs. The target's value is then in the Core, at
// saved_register_offset().
constexpr bool is_reserved(uint8_t reg) { return reg == kR10 || reg == kR11 || reg == kR15; }
constexpr int32_t saved_register_offset(Reg reg) {
  return static_cast<int32_t>(offsetof(Core, context.registers) + sizeof(uint64_t) * reg);
}

}  // namespace hm::soft::direct
