// SPDX-License-Identifier: GPL-2.0-or-later
// This process's connection to the recorder: the session shared by all processes, and its own ring.
#pragma once

#include "model/session_cache.h"
#include "pmu/soft/ring/ring_writer.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::vg {

// Maps the session in `folder`. If that fails, prints a message and returns false.
bool open_session(const char* folder);

// Creates this process's ring. To be called at its start, and in a forked child, which must not use its
// parent's ring.
bool open_ring();

// Returns null until open_session() has succeeded.
Session* session();

// Returns null if the session's processes share no cache.
model::SessionCache* open_session_cache();

// Returns null if this process is not recorded.
RingWriter* ring();

}  // namespace hm::soft::vg
