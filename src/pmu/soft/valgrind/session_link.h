// SPDX-License-Identifier: GPL-2.0-or-later
// This process's connection to the recorder: the session that all processes share, and a ring of its own.
#pragma once

#include "model/session_cache.h"
#include "pmu/soft/ring/ring_writer.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::vg {

// Maps the session in `folder`. False, with the reason said to the user, where it cannot be reached.
bool open_session(const char* folder);

// Makes this process's ring: at its start, and again in a forked child, in place of its parent's.
bool open_ring();

// Null until open_session() succeeded.
Session* session();

// Null where the session's processes share no cache.
model::SessionCache* open_session_cache();

// Null where this process is not recorded.
RingWriter* ring();

}  // namespace hm::soft::vg
