// SPDX-License-Identifier: MIT
// Which thread runs on which modelled core. There are as many cores as the host has for the target, so that
// nothing is lost by a thread having a core for itself while it runs. In a system call it keeps its core
// unless another wants it.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/thread.h"

namespace hm::soft::direct {

// `most`: how many there may be. They are made when they are needed. `on_shared`: called once, with what they
// share, when that has been built.
void prepare_cores(uint32_t most, void (*on_shared)(model::SharedLevels& levels));

// The thread runs from now on, on the core returned, which holds its context: GS points there.
Core& take_core(Thread& thread);

// Whether the thread has a core: it has not while it is in a system call, waits, or has just begun.
bool has_core(const Thread& thread);

// Around a system call: its state is in the thread meanwhile.
void release_core(Core& core);
Core& reacquire_core(Thread& thread);

// Another thread may have the core first.
Core& yield_core(Core& core);

// No other thread gets a core, and those that run let theirs go where their state is whole, so that their
// totals are complete: before the process ends, or becomes another program. The thread steps aside itself. A
// thread that does not let go within a second, because it is stopped, is left alone.
// False where there is such a one.
bool stop_other_threads(Thread& thread);
void resume_other_threads();

// A thread is over: it has stepped aside, or was killed.
void free_core_of(Thread& thread);

// Calls visit(core, argument) for each that there is.
void for_each_core(void (*visit)(Core& core, const void* argument), const void* argument);

// What the cores share; null until there is one.
model::SharedLevels* shared_models();

// What cores share is whole where a process forks: held before, let go after.
void lock_models_for_fork();
void unlock_models_after_fork(bool in_child);

// In a forked child: the other threads are not there. The core is the thread's still, if it was in the
// parent.
void keep_only(Core& core, const Thread& thread);

}  // namespace hm::soft::direct
