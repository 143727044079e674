// SPDX-License-Identifier: MIT
// All locks of the engine, around fork(2): the child has one thread, and must find nothing that another
// thread was just changing, nor a lock that another thread held.
#pragma once

namespace hm::soft::direct {

// Takes all locks. The calling thread holds none of them, and has no core.
void lock_all();
// Releases them: in the process that has taken them.
void unlock_all();
// Releases them in the forked child, where no thread waits for them.
void reset_all_locks();

}  // namespace hm::soft::direct
