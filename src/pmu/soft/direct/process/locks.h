// SPDX-License-Identifier: MIT
// Operations on all locks of the engine, for fork(2). The child has one thread. It must not find data that
// another thread was just changing, or a lock that another thread held.
#pragma once

namespace hm::soft::direct {

// Takes all locks. The calling thread must hold none of them, and must have no core.
void lock_all();
// Releases all locks, in the process that has taken them.
void unlock_all();
// Returns true if the calling thread holds all locks whose order is checked.
bool holds_all_locks();
// Releases all locks in the forked child, in which no thread waits for them.
void reset_all_locks();

// From now on, checks that threads take these locks in their order (runtime/check.h). Called before there is
// a second thread. Locks of the models (model/spin_lock.h) are not checked.
void check_order_of_locks();

}  // namespace hm::soft::direct
