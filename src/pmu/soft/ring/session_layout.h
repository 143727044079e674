// SPDX-License-Identifier: MIT
// Memory shared by the recorder and the profiled processes: a session folder with a file `session`, which the
// recorder writes, and a ring file for each process image. Freestanding plain data. Both sides are built
// together; a magic number with the version rejects other versions.
#pragma once

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event_id.h"
#include "model/cost/costs.h"
#include "model/geometry.h"
#include "model/reuse_times.h"
#include "model/size_counts.h"
#include "pmu/soft/ring/burst_groups.h"
#include "pmu/soft/ring/counted.h"
#include "pmu/soft/ring/defined_machine.h"
#include "pmu/soft/ring/magic.h"
#include "pmu/soft/ring/models.h"
#include "pmu/soft/ring/region_call.h"
#include "pmu/soft/ring/thinning.h"

namespace hm::soft {

inline constexpr uint64_t kRingMagic = uint64_t{1} << 32 | kRingTag;  // and the version

inline constexpr char kSessionFileName[] = "session";
// A link to the folder of the Valgrind engine's files. The engine gets the link's path in its environment,
// which is private to a process's user, unlike a command line.
inline constexpr char kEngineLinkName[] = "engine";
inline constexpr char kRingFilePrefix[] = "ring-";
inline constexpr char kSpareFilePrefix[] = "spare-";
// The last-level cache that all processes share (model/session_cache.h), if any: Session::shares_cache.
inline constexpr char kSessionCacheFileName[] = "cache";

// Branch stack filters, as bits; 0 records none.
enum BranchFilter : uint32_t { kBranchAny = 1, kBranchCall = 2, kBranchReturn = 4 };

inline constexpr uint32_t kBranchDepth = 32;
inline constexpr uint32_t kMaxCallChain = 127;

struct EventConfig {
  uint32_t counted;  // not 0: count it
  uint32_t sampled;  // not 0: also take a sample every `period` events
  uint64_t id;       // the perf event id that its samples carry
  uint64_t period;   // period if all events are counted (period_in_bursts)
};

// The request of a process that is about to call execve: the recorder should load the engine into the next
// program (exec_request.h).
enum ExecState : uint32_t {
  kExecNone,
  kExecAsked,      // process
  kExecFollowed,   // recorder: it traces the thread
  kExecRefused,    // recorder: it cannot trace the thread
  kExecFailed,     // process: execve returned
  kExecReleased,   // recorder: it no longer traces the thread
  kExecWithdrawn,  // process: it no longer waits; the recorder frees the entry
};

struct ExecRequest {
  uint32_t thread;   // thread id; 0: the entry is free
  uint32_t process;  // 0 while the entry is free, or just taken
  uint32_t state;    // ExecState: a futex
};
inline constexpr uint32_t kMaxExecRequests = 64;

// A ring file that the recorder makes for a process with files that may not grow that large (RLIMIT_FSIZE).
// Its name is kSpareFilePrefix and its index (spare_ring.h).
enum SpareState : uint32_t {
  kSpareNone,
  kSpareReady,    // recorder: the file exists
  kSpareClaimed,  // process: it is about to open the file
  kSpareTaken,  // process: it has opened the file; the recorder renames it to a ring's name and makes another
};
inline constexpr uint32_t kMaxSpares = 16;

// Only bursts are counted (direct/burst/bursts.h). A slot is an instruction or a data access.
// Bursts become longer and less frequent in equal measure: the counted part of the run stays the same. A
// short run then has many bursts, and a long one updates the models less often, in particular if each update
// takes long.
struct BurstPlan {
  uint64_t slots = uint64_t{1} << 13;      // per burst, at first; 0: everything is counted
  uint64_t gap_slots = uint64_t{1} << 21;  // mean number between two bursts, at first
  uint64_t exact_slots = 0;  // initial slots, over all processes, in which everything is counted
  // Number of bursts, or the sum of their weights (burst_weight()), after which bursts become twice as long,
  // and half as frequent. 0: never. The first kEarlyDoublings come sooner.
  uint64_t bursts_per_doubling = 1024;

  static constexpr uint32_t kMaxCores = 8;  // each has a table of last uses of all lines of the address space
  static constexpr unsigned kEarlyDoublings = 3, kMaxDoublings = 6;
  [[nodiscard]] constexpr uint64_t bursts_per_early_doubling() const { return (bursts_per_doubling + 3) / 4; }
};

// Returns by how many powers of two bursts and gaps are longer than at first, after bursts of this total
// weight.
constexpr unsigned burst_doublings(const BurstPlan& plan, uint64_t weight) {
  if (plan.bursts_per_doubling == 0) return 0;
  uint64_t early = weight / plan.bursts_per_early_doubling();
  if (early < BurstPlan::kEarlyDoublings) return static_cast<unsigned>(early);
  uint64_t later =
      (weight - BurstPlan::kEarlyDoublings * plan.bursts_per_early_doubling()) / plan.bursts_per_doubling;
  constexpr uint64_t kMaxLater = BurstPlan::kMaxDoublings - BurstPlan::kEarlyDoublings;
  return BurstPlan::kEarlyDoublings + static_cast<unsigned>(later < kMaxLater ? later : kMaxLater);
}

// Returns the weight of a burst in burst_doublings(). `lines` is the number of lines that the models received
// when the burst began. The early bursts have weight 1, because a short run needs all of them. The weight of
// a later burst grows with the ratio of the time of this update to the time of the gap. The sampled part of a
// gap does not depend on the weight, so estimates stay unbiased.
constexpr uint64_t burst_weight(const BurstPlan& plan, unsigned doublings, uint64_t lines) {
  constexpr uint64_t kMaxWeight = 8;
  constexpr uint64_t kSlotsPerLine = 1024;  // updates in an eighth of a program's own time double the weight
  if (doublings < BurstPlan::kEarlyDoublings) return 1;
  uint64_t weight = 1 + lines * kSlotsPerLine / (plan.gap_slots << doublings);
  return weight < kMaxWeight ? weight : kMaxWeight;
}

// Returns the number of events that one event counted in a burst represents.
constexpr uint64_t scale_of(const BurstPlan& plan) {
  return plan.slots == 0 ? 1 : (plan.gap_slots + plan.slots) / plan.slots;
}

// Returns the sampling period in terms of the events counted in bursts.
constexpr uint64_t period_in_bursts(const EventConfig& event, const BurstPlan& plan) {
  uint64_t period = event.period / scale_of(plan);
  return period != 0 ? period : 1;
}

// A function inside which threads are collected, from its entry to its return.
inline constexpr uint32_t kMaxFunctions = 16;
inline constexpr uint32_t kMaxFunctionName = 512;
struct CollectedFunction {
  char name[kMaxFunctionName];  // as the user wrote it, NUL-terminated
  uint32_t found;               // written by processes; not 0: a process has the function
  uint32_t reserved;
  uint64_t entered;  // written by processes: number of activations
};

// A region that the program itself marks to be collected (region_call.h).
inline constexpr uint32_t kMaxRegions = 16;
enum RegionState : uint32_t { kRegionFree, kRegionTaken, kRegionNamed };
struct CollectedRegion {
  uint32_t state;  // written by processes: RegionState
  char name[kMaxRegionName];
  uint64_t entered;  // written by processes: number of entries
};

// A function that allocates, in addition to the built-in allocators.
inline constexpr uint32_t kMaxAllocators = 16;
struct NamedAllocator {
  char name[kMaxFunctionName];  // as the user wrote it, NUL-terminated
  uint32_t size_argument;       // number of the argument with the block's size: 1 to 6
  uint32_t found;               // written by processes; not 0: a process has the function
};

// Processor features that the copying engine treats as absent while it runs code in [begin, end): those that
// the named processor of a reproducible run lacks, or, in tests, any.
struct AbsentFeatures {
  uint32_t features;  // bits of features.h
  uint64_t begin;
  uint64_t end;
};

// Instruction to threads inside the copying engine of a running process (Session::let_go).
enum LetGo : uint32_t {
  kStay,
  kLeaveForGood,
  kLeaveForNow,  // the engine's memory stays for the next episode
};

struct Session {
  uint64_t magic;
  // Fixed before the first process starts.
  EventConfig events[event::kEventCount];
  uint32_t jitter;            // not 0: periods vary by up to their half, from a fixed seed
  uint32_t branch_filter;     // BranchFilter bits
  uint32_t call_chain_depth;  // of chains that engines find themselves; 0: none
  uint32_t stack_bytes;       // stack bytes per sample of the copying engine (stack_record.h)
  uint32_t ring_data_bytes;   // a power of two
  uint32_t copies_only;       // not 0: the copying engine models nothing, to measure the cost of copying
  uint32_t checks_engine;     // not 0: the copying engine checks its invariants (direct/runtime/check.h)
  AbsentFeatures absent;
  DefinedMachine defined;
  uint64_t layout;               // not 0: number of another memory layout than the usual one
  uint32_t trace_blocks;         // not 0: the copying engine reports the blocks it copies (block_record.h)
  uint32_t classifies_misses;    // not 0: samples contain the classes of their misses
  Models models = Models::kAll;  // no others are needed
  uint64_t tlb_cycles;           // cycles between samples with the TLBs' contents; 0: none
  uint32_t system_call_memory;   // not 0: system calls count the lines of their buffers
  uint32_t obeys_regions;        // not 0: if a program marks regions, only these are collected
  uint32_t function_count;       // number of `functions`; 0: threads are collected everywhere
  model::MachineGeometry geometry;
  model::Costs costs;       // of the cycles, if they are calibrated
  uint32_t calibrated;      // not 0: cycles are an estimate of time on a machine (model/cost/stalls.h)
  uint32_t modelled_cores;  // per process; 0: as many as the CPUs it may run on
  uint32_t guest_modes;     // of a guest, what to measure: 1, user mode; 2, kernel mode; 3, both
  model::SizeRanges sizes;  // sizes of data caches and TLBs that see every access
  CollectedFunction functions[kMaxFunctions];
  uint32_t heap_blocks;      // not 0: samples contain the heap block of their data
  uint32_t allocator_count;  // number of `allocators`
  uint64_t heap_site_id;     // the perf event id of records about allocation sites
  NamedAllocator allocators[kMaxAllocators];
  BurstPlan bursts{0, 0};
  uint32_t shares_cache;         // not 0: all processes share one last-level cache
  uint64_t common_models_bytes;  // 0: no memory for models that processes share
  uint32_t recorder_user;        // user who opens the rings
  uint32_t began_in_midst;       // not 0: processes ran before the measurement began
  Thinning thinning;
  // Changed while processes run, by the recorder or by processes.
  uint32_t stop;            // recorder: take no more samples, but keep counting
  uint32_t held;            // recorder: not 0: collect nothing yet
  uint32_t guest_ended;     // a guest: not 0: its program has ended
  uint32_t postponed;       // recorder: not 0: programs must not begin yet; a futex
  uint32_t let_go;          // recorder, or a process that cannot continue: LetGo
  uint32_t doorbell;        // processes: a futex, incremented when a ring fills or a process begins or ends
  uint32_t rings_created;   // processes: number of ring files made so far
  int32_t forks_under_way;  // both: forked children and followed programs without a ring yet
  uint32_t unrecorded;  // processes: number of processes that run without a ring, because making it failed
  uint32_t unshared;    // processes: number of processes with common memory that is not in the shared models
  uint32_t without_frames;  // processes: number of processes without the physical addresses that they need
  uint32_t cut_short;       // processes: number of processes that the engine had to end early
  uint32_t checking;       // processes: number of programs whose engine checks its invariants (checks_engine)
  uint32_t lost_flags;     // processes: number of times that code read status flags that had not been kept
  uint32_t lost_pages;     // processes: number of shared pages now modelled as private, for lack of space
  uint32_t heap_sites;     // processes: number of allocation site numbers in use
  uint64_t run_cycles;     // processes: the latest time of the run on any core (run_time.h)
  uint64_t exact_slots;    // processes: number of initial exact slots used so far (BurstPlan)
  uint64_t burst_weight;   // processes: sum of burst_weight() over the bursts so far
  uint64_t longest_burst;  // processes: number of slots of the longest burst so far
  uint32_t follows_exec;   // recorder: not 0 while it answers exec_requests
  ExecRequest exec_requests[kMaxExecRequests];
  CollectedRegion regions[kMaxRegions];
  uint32_t region_programs;           // processes: number of started programs that mark regions
  uint32_t spares_wanted;             // processes: number of processes waiting for a spare ring
  uint32_t spares_made;               // recorder: a futex
  uint32_t spare_states[kMaxSpares];  // SpareState
  // Not 0: the recorder lives but does not answer, because it is stopped or blocked on its output. A process
  // sets the field after a wait in vain. Processes do not wait for the recorder until it resets the field in
  // its next round.
  uint32_t stalled;
};
// Includes the size, which differs between versions.
inline constexpr uint64_t kSessionMagic = uint64_t{sizeof(Session)} << 32 | kSessionTag;

// The models that processes share (model/processes.h) follow the session in its file, if files may be that
// large. Most of this area is never written, and takes no memory.
inline constexpr uint64_t kPageBytes = 4096;
inline constexpr uint64_t kCommonModelsOffset = (sizeof(Session) + kPageBytes - 1) / kPageBytes * kPageBytes;
inline constexpr uint64_t kCommonModelsBytes = uint64_t{1} << 28;

// One thread's exact totals so far. The process writes them, and the recorder reads them at any time.
struct ThreadTotals {
  uint32_t tid;  // 0: the slot is free
  uint32_t exited;
  uint64_t started_ns;
  uint64_t ended_ns;
  uint64_t slots;   // instructions and data accesses, including those between bursts
  Counted counted;  // all that was counted
  Counted exact;    // the part of it that was counted before the first burst (BurstPlan::exact_slots)
};

inline constexpr uint32_t kMaxThreads = 4096;
// Slots of `threads` with memory from the start of the process. The other slots get memory at their first
// use.
inline constexpr uint32_t kFirstThreads = 256;

enum RingState : uint32_t { kRingLive = 1, kRingFinished = 2 };

struct RingStatus {
  uint64_t magic;  // written last: once it is set, the rest is valid
  uint32_t pid;
  uint32_t state;           // RingState
  uint32_t consumer_futex;  // incremented by the recorder after it has freed space
  uint32_t producer_waits;  // not 0 while the process waits for space
  uint64_t waits;           // number of waits
  uint64_t lost;            // records dropped because the recorder freed no space for seconds
  uint32_t thread_slots;    // number of `threads` ever used
  uint32_t unread;          // recorder: not 0: it considers the process ended, and no longer reads this ring
  uint32_t slot_hint;       // the process's: index from which it searches for a free slot (thread_slots.h)
  model::SizeCounts sizes;  // of all the process's threads, with one cache per modelled core
  model::SizeCounts size_batches[model::kSizeBatches];  // batches of `sizes`, with sampled sets or bursts
  model::SizeCounts further_sizes[model::SizeRanges::kMaxFurther];  // counts like `sizes`, at further sizes
  model::ReuseCounts reuses;                                        // of `sizes`
  BurstGroups bursts;
  ThreadTotals threads[kMaxThreads];
};

inline constexpr uint64_t kStatusOffset = kPageBytes;
inline constexpr uint64_t kDataOffset =
    kStatusOffset + (sizeof(RingStatus) + kPageBytes - 1) / kPageBytes * kPageBytes;

// The file: the kernel's own perf_event_mmap_page, the status, and the data area (at data_offset, data_size
// bytes).
constexpr uint64_t ring_file_bytes(uint32_t data_bytes) { return kDataOffset + data_bytes; }

// The first part, which every process uses. After it come the slots of more threads.
inline constexpr uint64_t kFirstBytes =
    kStatusOffset + offsetof(RingStatus, threads) + kFirstThreads * sizeof(ThreadTotals);

// A message to the user from a process. Only the recorder sees this record; it is never written to a file.
inline constexpr uint32_t kNoticeRecord = 0x484d;

enum class Notice : uint32_t {
  kUndecodable = 1,  // the engine cannot decode an instruction; `ip` and its bytes follow
  kLeft = 2,         // the process continues natively, unmeasured; `ip` is the LeaveReason
};

// The reason why a process continues natively.
enum class LeaveReason : uint32_t {
  kNone = 0,
  kSandbox = 1,       // it installs a filter of system calls (seccomp(2)), which might refuse the engine's
  kUserDispatch = 2,  // it diverts system calls to a handler (prctl(2), PR_SET_SYSCALL_USER_DISPATCH)
  kGsBase = 3,        // it uses the GS segment, which the engine needs
  kTooMuchCode = 4,   // its code exceeds the engine's space
  kNoMemory = 5,      // the system refuses the engine memory
  kNoTimeStamp = 6,   // it forbids itself to read the time-stamp counter, which the engine reads
  kTraced = 7,  // it lets its parent trace it (ptrace(2)), which would see the engine's registers and signals
  kDescriptors = 8,      // it needs all descriptors up to its limit, and the engine holds three of them
  kAddresses = 9,        // it maps memory in place of the engine's (mmap(2) with MAP_FIXED)
  kUnreadableCode = 10,  // its code cannot be read any more, as that of a truncated file
};

struct NoticeRecord {
  perf_event_header header;
  uint32_t notice;
  uint32_t pid;
  uint64_t ip;
  uint8_t bytes[16];
};

}  // namespace hm::soft
