// SPDX-License-Identifier: MIT
// All state that the engine keeps of its process, except the threads and cores themselves. hm_arrive() fills
// it. Each part has its own logic; the layers above combine the parts.
#pragma once

#include "pmu/soft/direct/burst/bursts.h"
#include "pmu/soft/direct/code/address_space.h"
#include "pmu/soft/direct/code/copies.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/core/signal_state.h"
#include "pmu/soft/direct/process/defined_state.h"
#include "pmu/soft/direct/process/program_knowledge.h"
#include "pmu/soft/direct/program/branch_sites.h"
#include "pmu/soft/direct/program/collection.h"
#include "pmu/soft/direct/program/common_models.h"
#include "pmu/soft/direct/program/heap.h"
#include "pmu/soft/direct/program/mappings.h"
#include "pmu/soft/direct/program/program_rings.h"
#include "pmu/soft/direct/program/unused_lines.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/direct/runtime/runtime.h"
#include "pmu/soft/direct/schedule/code_pages.h"
#include "pmu/soft/direct/schedule/cores.h"
#include "pmu/soft/direct/schedule/threads.h"
#include "pmu/soft/direct/session/ring_recording.h"
#include "pmu/soft/direct/translate/restartable_sequences.h"
#include "pmu/soft/sampling/session_cache_user.h"

namespace hm::soft::direct {

struct Process {
  Runtime runtime;
  alignas(64) Plan plan{};  // how collecting copies are made; constant once a copy exists
  MemoryMap maps;
  Recording recording{maps};
  SessionCacheUser session_cache;
  Threads threads{recording, session_cache};
  CodePageTable code_pages{plan};
  Cores cores{recording, threads, code_pages};
  Bursts bursts{plan, recording, threads, cores, code_pages};
  AddressSpace space;
  RestartableSequences sequences;
  BranchSites branch_sites;
  AddressSourceTable address_sources;
  ProgramKnowledge knowledge{plan,   space,      sequences,    collection,     heap,
                             common, code_pages, branch_sites, address_sources};
  Copies copies{space, cores, recording, knowledge};
  Heap heap{recording, copies};
  Collection collection{plan, maps, recording, copies, heap};
  CommonModels common{plan, maps, recording, session_cache, cores, copies};
  Mappings mappings{recording, common};
  UnusedLines unused_lines{plan, cores};
  ProgramRings rings;
  DefinedState defined;
  SignalActions* signal_actions = nullptr;
  // Core of the thread that is making a copy, set while that thread holds the lock of `copies`.
  Core* copying_for = nullptr;
  HeldLocks locks_of_arriving;     // of a thread that is being taken over
  uint32_t has_memory_limits = 0;  // not 0: the process may have memory limits (emulate/resource_limits.h)
  uint32_t locks_future = 0;       // mlockall(2)'s flags if memory mapped from now on is locked, else 0
};

// The only instance. It is global because copied code and signals enter the engine without an argument.
extern Process g_process;

inline Attachment& attachment() { return g_process.runtime.area->attachment; }
inline Session* session() { return g_process.recording.session(); }  // null if nothing is recorded
inline RingWriter* ring() { return g_process.recording.ring(); }     // null if nothing is recorded

}  // namespace hm::soft::direct
