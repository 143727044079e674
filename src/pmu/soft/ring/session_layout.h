// SPDX-License-Identifier: MIT
// What the recorder and the profiled processes share: one session folder in memory with a file `session` that
// the recorder writes, and a ring file for each process image. Freestanding plain data; both sides are built
// together, and a magic number that carries the version keeps others out.
#pragma once

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event_id.h"
#include "model/geometry.h"
#include "model/reuse_times.h"
#include "model/size_counts.h"
#include "pmu/soft/ring/burst_sums.h"
#include "pmu/soft/ring/magic.h"
#include "pmu/soft/ring/region_call.h"
#include "pmu/soft/ring/thinning.h"

namespace hm::soft {

inline constexpr uint64_t kRingMagic = uint64_t{1} << 32 | kRingTag;  // and the version

inline constexpr char kSessionFileName[] = "session";
// A link to the folder of the Valgrind engine's files. Environments, in which the engine gets this link's
// path, are private to a process's user; command lines are not.
inline constexpr char kEngineLinkName[] = "engine";
inline constexpr char kRingFilePrefix[] = "ring-";
inline constexpr char kSpareFilePrefix[] = "spare-";
// The last level that all processes share (model/session_cache.h), where there is one: Session::shares_cache.
inline constexpr char kSessionCacheFileName[] = "cache";

// Branch stack filters, as bits; 0 records none.
enum BranchFilter : uint32_t { kBranchAny = 1, kBranchCall = 2, kBranchReturn = 4 };

inline constexpr uint32_t kBranchDepth = 32;
inline constexpr uint32_t kMaxCallChain = 127;

struct EventConfig {
  uint32_t counted;  // not 0: count it
  uint32_t sampled;  // not 0: and take a sample every `period` events
  uint64_t id;       // the perf event id that its samples carry
  uint64_t period;   // as if all were counted (period_in_bursts)
};

// The request of a process that is about to call execve: the recorder is to load the engine into the next
// program (exec_request.h).
enum ExecState : uint32_t {
  kExecNone,
  kExecAsked,      // process
  kExecFollowed,   // recorder: it traces the thread
  kExecRefused,    // recorder: it cannot
  kExecFailed,     // process: execve returned
  kExecReleased,   // recorder: it does not trace the thread any more
  kExecWithdrawn,  // process: it no longer waits; the recorder frees the entry
};

struct ExecRequest {
  uint32_t thread;   // its id; 0: the entry is free
  uint32_t process;  // 0 while the entry is free, or just taken
  uint32_t state;    // ExecState: a futex
};
inline constexpr uint32_t kMaxExecRequests = 64;

// A ring file that the recorder makes for a process that may not let files grow so far (RLIMIT_FSIZE). Its
// name is kSpareFilePrefix and its index (spare_ring.h).
enum SpareState : uint32_t {
  kSpareNone,
  kSpareReady,    // recorder: there is a file
  kSpareClaimed,  // process: it is about to open it
  kSpareTaken,    // process: it has opened it; the recorder gives it a ring's name and makes another
};
inline constexpr uint32_t kMaxSpares = 16;

// Only bursts are counted (direct/burst/bursts.h). A slot is an instruction or a data access.
struct BurstPlan {
  uint64_t slots = uint64_t{1} << 16;      // of a burst; 0: everything is counted
  uint64_t gap_slots = uint64_t{1} << 24;  // between two bursts, in the mean
  uint64_t exact_slots = 0;  // so many of all processes come first, in which everything is counted
};

// How many events one that is counted in a burst stands for.
constexpr uint64_t scale_of(const BurstPlan& plan) {
  return plan.slots == 0 ? 1 : (plan.gap_slots + plan.slots) / plan.slots;
}

// Of the events of a burst that are counted.
constexpr uint64_t period_in_bursts(const EventConfig& event, const BurstPlan& plan) {
  uint64_t period = event.period / scale_of(plan);
  return period != 0 ? period : 1;
}

// A function inside which threads are collected, from its entry to its return.
inline constexpr uint32_t kMaxFunctions = 16;
inline constexpr uint32_t kMaxFunctionName = 512;
struct CollectedFunction {
  char name[kMaxFunctionName];  // as the user wrote it, ended by a zero
  uint32_t found;               // written by processes; not 0: one of them has it
  uint32_t reserved;
  uint64_t entered;  // written by processes: how many activations began
};

// A region of a program, marked by itself to be collected (region_call.h).
inline constexpr uint32_t kMaxRegions = 16;
enum RegionState : uint32_t { kRegionFree, kRegionTaken, kRegionNamed };
struct CollectedRegion {
  uint32_t state;  // written by processes: RegionState
  char name[kMaxRegionName];
  uint64_t entered;  // written by processes: how often
};

// A function that allocates, beside those that are known everywhere.
inline constexpr uint32_t kMaxAllocators = 16;
struct NamedAllocator {
  char name[kMaxFunctionName];  // as the user wrote it, ended by a zero
  uint32_t size_argument;       // which argument is the block's size: 1 to 6
  uint32_t found;               // written by processes; not 0: one of them has it
};

// What the copying engine takes the processor to lack where it runs code of [begin, end): for tests.
struct AbsentFeatures {
  uint32_t features;  // bits of features.h
  uint64_t begin;
  uint64_t end;
};

// What threads are to do that are in the copying engine of a running process (Session::let_go).
enum LetGo : uint32_t {
  kStay,
  kLeaveForGood,
  kLeaveForNow,  // the engine's memory stays, for the next episode
};

struct Session {
  uint64_t magic;
  // Fixed before the first process starts.
  EventConfig events[event::kEventCount];
  uint32_t jitter;            // not 0: periods vary a little, from a fixed seed
  uint32_t branch_filter;     // BranchFilter bits
  uint32_t call_chain_depth;  // of the chains that engines find themselves; 0: none
  uint32_t stack_bytes;       // samples of the copying engine come with so much of the stack (stack_record.h)
  uint32_t ring_data_bytes;   // a power of two
  uint32_t copies_only;       // not 0: the copying engine models nothing, to measure what copying costs
  AbsentFeatures absent;
  uint32_t trace_blocks;       // not 0: the copying engine reports the blocks that it copies (block_record.h)
  uint32_t classifies_misses;  // not 0: samples have the classes of their misses
  uint64_t tlb_cycles;         // not 0: every so many cycles a sample says what the TLBs hold
  uint32_t obeys_regions;      // not 0: of programs that mark regions, only these are collected
  uint32_t function_count;     // of `functions`; 0: threads are collected wherever they are
  model::MachineGeometry geometry;
  uint32_t modelled_cores;  // of a process; 0: as many as the host has CPUs for it
  model::SizeRanges sizes;  // of caches for data, and TLBs, that see every access
  CollectedFunction functions[kMaxFunctions];
  uint32_t heap_blocks;      // not 0: samples have the heap block in which their data lies
  uint32_t allocator_count;  // of `allocators`
  uint64_t heap_site_id;     // the perf event id of records about allocation sites
  NamedAllocator allocators[kMaxAllocators];
  BurstPlan bursts{0, 0};
  uint32_t shares_cache;         // not 0: the last level is one for all processes
  uint64_t common_models_bytes;  // 0: there is no memory for models that processes share
  uint32_t recorder_user;        // who opens the rings
  uint32_t began_in_midst;       // not 0: processes ran before they were measured
  Thinning thinning;
  // Changed while processes run, by the recorder or by processes.
  uint32_t stop;            // recorder: no more samples; keep counting
  uint32_t held;            // recorder: not 0: nothing is collected yet
  uint32_t postponed;       // recorder: not 0: programs do not begin yet; a futex
  uint32_t let_go;          // recorder, or who cannot go on: LetGo
  uint32_t doorbell;        // processes: a futex, incremented when a ring fills or a process begins or ends
  uint32_t rings_created;   // processes: how many ring files there have been
  int32_t forks_under_way;  // both: forked children and followed programs that have no ring yet
  uint32_t unrecorded;      // processes: how many could not make a ring and run without one
  uint32_t unshared;        // processes: how many have common memory that is not in the shared models
  uint32_t without_frames;  // processes: how many the kernel tells no physical addresses, which they go by
  uint32_t cut_short;       // processes: how many the engine had to end before they were done
  uint32_t lost_flags;      // processes: how often code read status flags that had not been kept
  uint32_t lost_pages;    // processes: how many pages of what they share are their own now, for want of room
  uint32_t heap_sites;    // processes: how many numbers of allocation sites are used
  uint64_t run_cycles;    // processes: the latest time of the run that one of them has told (run_time.h)
  uint64_t exact_slots;   // processes: how many have been taken of those that come first (BurstPlan)
  uint32_t follows_exec;  // recorder: not 0 while it answers exec_requests
  ExecRequest exec_requests[kMaxExecRequests];
  CollectedRegion regions[kMaxRegions];
  uint32_t region_programs;           // processes: how many programs began that mark regions
  uint32_t spares_wanted;             // processes: how many wait for a spare ring
  uint32_t spares_made;               // recorder: a futex
  uint32_t spare_states[kMaxSpares];  // SpareState
  // Not 0: the recorder lives but does not answer: it is stopped, or waits for its output. Processes set it
  // after a wait in vain, and do not wait for the recorder until it resets the field in its next round.
  uint32_t stalled;
};
// And the size, which another version's is not.
inline constexpr uint64_t kSessionMagic = uint64_t{sizeof(Session)} << 32 | kSessionTag;

// Behind the session, in the same file, if files may be so large: the models that processes share
// (model/processes.h). Most of it is never written, and takes no memory.
inline constexpr uint64_t kPageBytes = 4096;
inline constexpr uint64_t kCommonModelsOffset = (sizeof(Session) + kPageBytes - 1) / kPageBytes * kPageBytes;
inline constexpr uint64_t kCommonModelsBytes = uint64_t{1} << 28;

// What was counted during some slots.
struct Counted {
  uint64_t slots;
  uint64_t cycles;  // of the cost model
  uint64_t events[event::kEventCount];
};

// One thread's exact totals so far. The process writes, the recorder reads at any time.
struct ThreadTotals {
  uint32_t tid;  // 0: the slot is free
  uint32_t exited;
  uint64_t started_ns;
  uint64_t ended_ns;
  uint64_t slots;   // instructions and data accesses; some of them only between bursts
  Counted counted;  // in all
  Counted exact;    // of that, what was counted in no burst, but before the first (BurstPlan::exact_slots)
};

inline constexpr uint32_t kMaxThreads = 4096;
// Slots of `threads` for which there is memory before the process begins; for the others when they are first
// used.
inline constexpr uint32_t kFirstThreads = 256;

enum RingState : uint32_t { kRingLive = 1, kRingFinished = 2 };

struct RingStatus {
  uint64_t magic;  // written last: the rest is valid once it is there
  uint32_t pid;
  uint32_t state;           // RingState
  uint32_t consumer_futex;  // the recorder increments it after it freed space
  uint32_t producer_waits;  // not 0 while the process waits for space
  uint64_t waits;           // how often it had to
  uint64_t lost;            // records that were dropped because the recorder freed no space for seconds
  uint32_t thread_slots;    // how many of `threads` were ever used
  uint32_t unread;          // recorder: not 0: it takes the process to be over, and reads here no more
  uint32_t slot_hint;       // the process's: from which of these it looks for a free one (thread_slots.h)
  model::SizeCounts
      sizes;  // of the process's threads together, each with an own cache where it has an own core
  model::SizeCounts size_batches[model::kSizeBatches];  // of `sizes`, where sets are sampled, or in bursts
  model::SizeCounts further_sizes[model::SizeRanges::kMostFurther];  // likewise
  model::ReuseCounts reuses;                                         // of `sizes`
  BurstSums bursts;
  ThreadTotals threads[kMaxThreads];
};

inline constexpr uint64_t kStatusOffset = kPageBytes;
inline constexpr uint64_t kDataOffset =
    kStatusOffset + (sizeof(RingStatus) + kPageBytes - 1) / kPageBytes * kPageBytes;

// The file: the kernel's own perf_event_mmap_page, the status, the data area (at data_offset, data_size
// bytes).
constexpr uint64_t ring_file_bytes(uint32_t data_bytes) { return kDataOffset + data_bytes; }

// What of it is used by every process. The rest, slots of more threads, lies in between.
inline constexpr uint64_t kFirstBytes =
    kStatusOffset + offsetof(RingStatus, threads) + kFirstThreads * sizeof(ThreadTotals);

// A message to the user from a process. Only the recorder sees this record; it is never written to a file.
inline constexpr uint32_t kNoticeRecord = 0x484d;

enum class Notice : uint32_t {
  kUndecodable = 1,  // an instruction that the engine does not know; `ip` and its bytes follow
  kLeft = 2,         // the process goes on natively, unmeasured; `ip` is the LeaveReason
};

// Why a process goes on natively.
enum class LeaveReason : uint32_t {
  kNone = 0,
  kSandbox = 1,       // it installs a filter of system calls (seccomp(2)), which might refuse the engine's
  kUserDispatch = 2,  // it diverts system calls to a handler (prctl(2), PR_SET_SYSCALL_USER_DISPATCH)
  kGsBase = 3,        // it uses the GS segment, which the engine needs
  kTooMuchCode = 4,   // it has more code than the engine has room for
  kNoMemory = 5,      // the system refuses the engine memory
  kNoTimeStamp = 6,   // it forbids itself to read the time-stamp counter, which the engine reads
};

struct NoticeRecord {
  perf_event_header header;
  uint32_t notice;
  uint32_t pid;
  uint64_t ip;
  uint8_t bytes[16];
};

}  // namespace hm::soft
