// SPDX-License-Identifier: MIT
// Data of a software PMU's sample for which perf has no field. The data is stored in PERF_SAMPLE_RAW, which
// perf ignores for events that are not tracepoints. Freestanding: the engines write it, the profile reads it.
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
  kPrefetch = 5,  // prefetch instruction; its misses are no events, so no sample has this kind
  kFlush = 6,     // clflush or clflushopt, which cause no events: no sample has this kind
};

// Why an access missed a cache level. The first three classes are those of Hill and Smith, "Evaluating
// Associativity in CPU Caches", IEEE Transactions on Computers 38 (1989).
enum class MissClass : uint8_t {
  kNone = 0,        // a hit, the access did not reach this level, or misses were not classified
  kCompulsory = 1,  // first use of the line, at all or since it was flushed
  kCapacity = 2,    // a fully associative LRU cache of the same size would have missed, too
  kConflict = 3,    // a fully associative LRU cache of the same size would have hit
  // Coherence misses: another core has written the line since, so no cache size or associativity would avoid
  // the miss.
  kTrueSharing = 4,   // the other core wrote bytes that the access uses
  kFalseSharing = 5,  // the other core wrote only other bytes of the line
  kSharing = 6,       // true or false sharing; which of the two is unknown
  // In a last-level cache that programs share: if the process had run alone, the line would still be cached.
  kOtherProgram = 7,
  // The measurement began during the run, and this is the first recorded use of the line. The line may have
  // been used before the measurement.
  kNoHistory = 8,
};
inline constexpr MissClass kLastMissClass = MissClass::kNoHistory;

// Why a load waited for an older store (event mob_load_replay_retired).
enum class LoadReplay : uint8_t {
  kNone = 0,     // the load did not wait, or waits were not modelled
  kBlocked = 1,  // the store wrote only a part of the loaded bytes; the buffer forwards only whole loads
  kAlias = 2,    // the store wrote to a different address with the same last 12 bits
};

// Meaning of a sample's modelled cycles.
enum class CyclesOf : uint8_t {
  kUnknown = 0,  // not usable: the run is not modelled completely, or an older recording counts a single
                 // thread's cycles
  kRun = 1,      // cycles since the run began: comparable between threads and processes
};

// The RAW payload, after its u32 size. Packed: the payload starts at an offset of 4 modulo 8.
struct [[gnu::packed]] SampleExtension {
  uint32_t magic;         // kExtensionMagic
  uint64_t cycles;        // time on the modelled machine; `cycles_of` defines its origin
  uint16_t access_bytes;  // size of the access that caused the event; 0 if there was no access
  AccessKind access_kind;
  MissClass l1_class;  // miss class per cache level, or kNone
  MissClass l2_class;
  MissClass l3_class;
  LoadReplay load_replay;
  CyclesOf cycles_of;
};
static_assert(sizeof(SampleExtension) == 20);

// Follows the SampleExtension if the data belongs to the kernel of a guest: the name of the object, such as
// "dentry (slab)", up to the first NUL.
inline constexpr uint32_t kKernelObjectMagic = 0x314b4d48;  // "HMK1" in file order
inline constexpr unsigned kKernelObjectName = 44;

struct [[gnu::packed]] KernelObjectExtension {
  uint32_t magic;  // kKernelObjectMagic
  char name[kKernelObjectName];
};
static_assert(sizeof(KernelObjectExtension) % 8 == 0);

// Follows the SampleExtension if the sample is of a data miss: the address differences between the last
// misses of this instruction, latest first.
inline constexpr uint32_t kStepsMagic = 0x32584d48;  // "HMX2"
inline constexpr unsigned kMissSteps = 3;

struct [[gnu::packed]] MissSteps {
  uint32_t count;  // number of known steps; the others are 0
  int64_t bytes[kMissSteps];
};

struct [[gnu::packed]] StepsExtension {
  uint32_t magic;  // kStepsMagic
  MissSteps steps;
};
static_assert(sizeof(StepsExtension) == 32);

// Follows if the sample is of a classified miss: whether the access would have hit on other machines, and the
// reuse distance of its line.
inline constexpr uint32_t kWhatIfMagic = 0x33584d48;  // "HMX3"

struct [[gnu::packed]] WhatIf {
  enum Question : uint8_t {
    kNextLine = 1,   // the first level also fetches the next line of the page on each miss
    kHugePages = 2,  // 2 MiB pages; the first-level TLB holds as many of them as of the actual pages
  };
  uint8_t asked;         // the simulated machines, as bits of Question
  uint8_t would_hit;     // the simulated machines on which the access would have hit, as bits of Question
  uint8_t reuse_known;   // nonzero: reuse_more and reuse_lines are valid
  uint8_t reuse_more;    // nonzero: the reuse distance exceeds reuse_lines
  uint32_t reuse_lines;  // distinct lines that missed the first level since the last miss of this line
};

struct [[gnu::packed]] WhatIfExtension {
  uint32_t magic;  // kWhatIfMagic
  WhatIf what_if;
  uint32_t reserved;
};
static_assert(sizeof(WhatIfExtension) == 16);

// Follows if the recording simulates caches of all sizes (sample of any access): the depth of the accessed
// line in its set's LRU order, for each number of sets. 0 is the most recent line; `ways` means that the set
// did not hold the line.
inline constexpr uint32_t kDepthsMagic = 0x34584d48;  // "HMX4"
inline constexpr unsigned kMaxSetCounts = 16;

struct [[gnu::packed]] DepthsExtension {
  uint32_t magic;  // kDepthsMagic
  uint8_t least_sets_log2;
  uint8_t set_counts;  // number of set counts: min_sets, twice that, ...
  uint8_t ways;
  uint8_t line_log2;
  uint8_t depth[kMaxSetCounts];  // in order of the number of sets
};
static_assert(sizeof(DepthsExtension) == 24);

// Follows if the kernel made the access in a system call, on behalf of the program. The sample's instruction
// is the system call.
inline constexpr uint32_t kSystemCallMagic = 0x35584d48;  // "HMX5"

struct [[gnu::packed]] SystemCallExtension {
  uint32_t magic;  // kSystemCallMagic
  uint32_t reserved;
};
static_assert(sizeof(SystemCallExtension) == 8);

// Follows at regular intervals of cycles (record --tlb): the pages in the core's data TLBs, the first level
// and then the second, most recent page of each set first. A page in both levels occurs twice. `count`
// entries TlbPage follow, padded with kNoTlbPage to a multiple of 8 entries. If the modelled caches are
// physically addressed, the entries are page frame numbers, or kNoTlbPage if unknown.
inline constexpr uint32_t kTlbMagic = 0x31544d48;  // "HMT1" in file order
inline constexpr uint32_t kMaxTlbPages = 1024;
enum TlbFlag : uint8_t {
  kTlbComplete = 1,  // if not set, the TLBs held further pages
  kTlbFrames = 2,    // the entries are page frame numbers
};

struct [[gnu::packed]] TlbExtension {
  uint32_t magic;  // kTlbMagic
  uint16_t count;
  uint8_t page_log2;
  uint8_t flags;  // TlbFlag bits
};
struct [[gnu::packed]] TlbPage {
  uint32_t low;
  uint8_t high;  // upper part of the 40-bit page number
};
inline constexpr uint64_t kNoTlbPage = (uint64_t{1} << 40) - 1;
static_assert(sizeof(TlbExtension) % 8 == 0 && sizeof(TlbPage) * 8 % 8 == 0);

// Follows a SampleExtension in the same payload if the address lies in a heap block.
inline constexpr uint32_t kHeapBlockMagic = 0x31424d48;  // "HMB1" in file order

struct [[gnu::packed]] HeapBlockExtension {
  uint32_t magic;  // kHeapBlockMagic
  uint64_t start;
  uint64_t bytes;  // as requested from the allocator
  uint32_t site;   // allocation site: HeapSiteExtension::site; 0: unknown
};
static_assert((sizeof(SampleExtension) + sizeof(HeapBlockExtension)) % 8 == 4);

// RAW payload of a sample that describes an allocation site. The sample belongs to an event of its own and
// precedes the first sample that refers to the site. It holds the registers and a copy of the stack at the
// allocator's first instruction; its address is the return address of the call.
inline constexpr char kHeapSiteEvent[] = "heap_site";
inline constexpr uint64_t kHeapSiteConfig = 0x48454150;  // perf_event_attr::config; no real event has it
inline constexpr uint32_t kHeapSiteMagic = 0x31534d48;   // "HMS1" in file order

struct [[gnu::packed]] HeapSiteExtension {
  uint32_t magic;       // kHeapSiteMagic
  uint32_t site;        // number of the site in this recording, from 1
  uint32_t any_caller;  // nonzero: several call paths lead to this call site; the stack is one of them
};
static_assert(sizeof(HeapSiteExtension) % 8 == 4);

// A feature section of the file header that perf ignores: UTF-8 JSON with the PMU that made the recording,
// its geometry and its exact totals.
inline constexpr unsigned kFeatureHardmeter = 200;
// Another one: the files that the recording needs (symbol/files/file_archive.h), stored by `hardmeter
// archive`.
inline constexpr unsigned kFeatureFiles = 201;

}  // namespace hm::record
