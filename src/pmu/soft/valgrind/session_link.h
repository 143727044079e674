// SPDX-License-Identifier: GPL-2.0-or-later
// This process's connection to the recorder: the session shared by all processes, and the process's own ring.
#pragma once

#include "model/session_cache.h"
#include "pmu/soft/ring/ring_writer.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::vg {

// Maps the session in `folder`. Returns false, after a message to the user, if it cannot be reached.
bool open_session(const char* folder);

// Makes this process's ring: at its start, and again in a forked child, to replace its parent's.
bool open_ring();

// Null until open_session() succeeded.
Session* session();

// Null if the session's processes share no cache.
model::SessionCache* open_session_cache();

// Null if this process is not recorded.
RingWriter* ring();

}  // namespace hm::soft::vg
