// SPDX-License-Identifier: MIT
// What a software PMU's sample carries that perf has no field for. It rides in PERF_SAMPLE_RAW, which perf
// passes over for events that are not tracepoints. Freestanding: the engines write it, the profile reads it.
#pragma once

#include <stdint.h>

namespace hm::record {

inline constexpr uint32_t kExtensionMagic = 0x31584d48;  // "HMX1" in file order

enum class AccessKind : uint8_t {
  kNone = 0,
  kLoad = 1,
  kStore = 2,
  kFetch = 3,
  kReadModifyWrite = 4,
  kPrefetch = 5,  // by an instruction: what it misses is no event, so that no sample has it
};

// Why an access missed a level: what would have had to be different for it to hit. The first three are those
// of Hill and Smith, "Evaluating Associativity in CPU Caches", IEEE Transactions on Computers 38 (1989).
enum class MissClass : uint8_t {
  kNone = 0,        // it hit, never got there, or nobody looked
  kCompulsory = 1,  // nothing: the line was used for the first time
  kCapacity = 2,    // a larger cache: also a fully associative one of the same size would have missed
  kConflict = 3,    // more ways: a fully associative LRU cache of the same size would have hit
  // No cache helps where another core has written the line since.
  kTrueSharing = 4,   // among others, bytes that the access uses
  kFalseSharing = 5,  // none of these
  kSharing = 6,       // one or the other
  // Of a last level that programs share: the process alone would have found the line there.
  kOtherProgram = 7,
  // The measurement began in the midst of the run, and the line has not been used since: it may have been
  // before.
  kNoHistory = 8,
};
inline constexpr MissClass kLastMissClass = MissClass::kNoHistory;

// Why a load had to wait for an older store (event mob_load_replay_retired).
enum class LoadReplay : uint8_t {
  kNone = 0,     // it had not, or nobody looked
  kBlocked = 1,  // the store wrote a part of what it reads, and the store buffer forwards only the whole
  kAlias = 2,    // the store wrote elsewhere, to an address with the same last 12 bits
};

// What a sample's modelled cycles count.
enum class CyclesOf : uint8_t {
  kUnknown = 0,  // nothing to go by: not the whole run is modelled, or an older recording has a thread's
  kRun = 1,      // the run's time since it began: comparable between threads and processes
};

// The RAW payload, after its u32 size. Packed: the payload starts at an offset of 4 modulo 8.
struct [[gnu::packed]] SampleExtension {
  uint32_t magic;         // kExtensionMagic
  uint64_t cycles;        // a time on the modelled machine, by `cycles_of`
  uint16_t access_bytes;  // size of the access that caused the event; 0 where there was none
  AccessKind access_kind;
  MissClass l1_class;  // likewise of those below
  MissClass l2_class;
  MissClass l3_class;
  LoadReplay load_replay;
  CyclesOf cycles_of;
};
static_assert(sizeof(SampleExtension) == 20);

// Behind it, where the sample is of a miss of data: how far apart the last misses of this instruction were,
// the latest first.
inline constexpr uint32_t kStepsMagic = 0x32584d48;  // "HMX2"
inline constexpr unsigned kMissSteps = 3;

struct [[gnu::packed]] MissSteps {
  uint32_t count;  // of those that are known; the others are 0
  int64_t bytes[kMissSteps];
};

struct [[gnu::packed]] StepsExtension {
  uint32_t magic;  // kStepsMagic
  MissSteps steps;
};
static_assert(sizeof(StepsExtension) == 32);

// Behind it, where the sample is of a miss whose classes are told: what would have become of it on other
// machines, and how long its line was not asked for.
inline constexpr uint32_t kWhatIfMagic = 0x33584d48;  // "HMX3"

struct [[gnu::packed]] WhatIf {
  enum Question : uint8_t {
    kNextLine = 1,   // the first level fetches the next line of a page beside each one that it misses
    kHugePages = 2,  // pages of 2 MiB, of which the first TLB has as many as of the others
  };
  uint8_t asked;         // Questions, as bits
  uint8_t would_hit;     // of these
  uint8_t reuse_told;    // not 0: what follows is known
  uint8_t reuse_more;    // not 0: it was more than that
  uint32_t reuse_lines;  // distinct lines that missed the first level since this one did before
};

struct [[gnu::packed]] WhatIfExtension {
  uint32_t magic;  // kWhatIfMagic
  WhatIf what_if;
  uint32_t reserved;
};
static_assert(sizeof(WhatIfExtension) == 16);

// Behind it, where the recording asked about caches of all sizes (sample of any access): how deep in its
// set's recency order the accessed line was, for each number of sets; 0 is the most recent, `ways` that it
// was not there.
inline constexpr uint32_t kDepthsMagic = 0x34584d48;  // "HMX4"
inline constexpr unsigned kMostSetCounts = 16;

struct [[gnu::packed]] DepthsExtension {
  uint32_t magic;  // kDepthsMagic
  uint8_t least_sets_log2;
  uint8_t set_counts;  // least_sets, twice that, ...
  uint8_t ways;
  uint8_t line_log2;
  uint8_t depth[kMostSetCounts];  // by number of sets
};
static_assert(sizeof(DepthsExtension) == 24);

// Behind these, every so many cycles (record --tlb): the pages that the core's TLBs for data hold, those of
// the first level and then of the second, the most recent of each set first; a page of both stands there
// twice. `count` times TlbPage follow, up to a multiple of 8 of them, the last being kNoTlbPage. Where the
// modelled caches go by physical addresses they are the pages' frames, kNoTlbPage where one is not known.
inline constexpr uint32_t kTlbMagic = 0x31544d48;  // "HMT1" in file order
inline constexpr uint32_t kMostTlbPages = 1024;
enum TlbFlag : uint8_t {
  kTlbComplete = 1,  // else there were more pages than these
  kTlbFrames = 2,    // the numbers are of frames
};

struct [[gnu::packed]] TlbExtension {
  uint32_t magic;  // kTlbMagic
  uint16_t count;
  uint8_t page_log2;
  uint8_t flags;  // TlbFlag bits
};
struct [[gnu::packed]] TlbPage {
  uint32_t low;
  uint8_t high;  // of the page's number, 40 bits
};
inline constexpr uint64_t kNoTlbPage = (uint64_t{1} << 40) - 1;
static_assert(sizeof(TlbExtension) % 8 == 0 && sizeof(TlbPage) * 8 % 8 == 0);

// Behind a SampleExtension, in the same payload, where the address lies in a block of the heap.
inline constexpr uint32_t kHeapBlockMagic = 0x31424d48;  // "HMB1" in file order

struct [[gnu::packed]] HeapBlockExtension {
  uint32_t magic;  // kHeapBlockMagic
  uint64_t start;
  uint64_t bytes;  // as asked for
  uint32_t site;   // where it was allocated: HeapSiteExtension::site; 0: not known
};
static_assert((sizeof(SampleExtension) + sizeof(HeapBlockExtension)) % 8 == 4);

// An allocation site is told of by one sample, of an event of its own, before the first that refers to it:
// with the registers and a copy of the stack as they were at the allocator's first instruction; its address
// is where the call returns to. This is its RAW payload.
inline constexpr char kHeapSiteEvent[] = "heap_site";
inline constexpr uint64_t kHeapSiteConfig = 0x48454150;  // perf_event_attr::config; no event's number
inline constexpr uint32_t kHeapSiteMagic = 0x31534d48;   // "HMS1" in file order

struct [[gnu::packed]] HeapSiteExtension {
  uint32_t magic;       // kHeapSiteMagic
  uint32_t site;        // its number in this recording, from 1
  uint32_t any_caller;  // not 0: calls from one place by several paths, of which the stack is one
};
static_assert(sizeof(HeapSiteExtension) % 8 == 4);

// A feature section of the file header that perf ignores: UTF-8 JSON that says which PMU made the recording,
// its geometry and its exact totals.
inline constexpr unsigned kFeatureHardmeter = 200;

}  // namespace hm::record
