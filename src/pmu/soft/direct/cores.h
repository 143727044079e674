// SPDX-License-Identifier: MIT
// Which thread runs on which modelled core. There are as many modelled cores as the host has CPUs for the
// target, so it costs nothing that a thread has a core for itself while it runs. Around a system call the
// thread releases its core: it gets the same one back unless another thread has taken it meanwhile.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/thread.h"

namespace hm::soft::direct {

// `most`: how many cores there may be. They are created when they are needed. `on_shared`: called once what
// they share has been built, with that.
void prepare_cores(uint32_t most, void (*on_shared)(model::SharedLevels& levels));

// Waits for a core. The thread's time slice begins on the core returned: its context is there, and GS points
// to it.
Core& take_core(Thread& thread);

// Whether the thread has a core: it has none while it is in a system call, waits, or has just begun.
bool has_core(const Thread& thread);

// Around a system call, during which the thread's state is in Thread. reacquire_core may return another core.
void release_core(Core& core);
Core& reacquire_core(Thread& thread);

// Lets another thread that waits for a core have this one first. Returns the core that the thread has then.
Core& yield_core(Core& core);

// Before the process ends, or becomes another program: no other thread gets a core, and those that run
// release theirs at the next point where their state is consistent, so that their totals are complete. The
// calling thread releases its own core. False where a thread has not released its core within a second,
// because it is stopped.
bool stop_other_threads(Thread& thread);
void resume_other_threads();

// A thread has ended, after it released its core, or was killed: nobody owns the core from now on.
void free_core_of(Thread& thread);

// Calls visit(core, argument) for each core.
void for_each_core(void (*visit)(Core& core, const void* argument), const void* argument);

// The levels that the cores share; null until there is a core.
model::SharedLevels* shared_models();

// Around fork(2), so that the child finds the models that cores share in a consistent state.
void lock_models_for_fork();
void unlock_models_after_fork(bool in_child);

// In a forked child, where the other threads do not exist: frees all cores but `core`, if the thread had that
// in the parent.
void keep_only(Core& core, const Thread& thread);

}  // namespace hm::soft::direct
