// SPDX-License-Identifier: GPL-2.0-or-later
// This process's end of the recording: the session that all processes share, and a ring of its own.
#pragma once

#include "pmu/soft/ring/ring_writer.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::vg {

// Maps the session in `folder`. False, with the reason said to the user, where it cannot be reached.
bool open_session(const char* folder);

// Makes this process's ring: once at its start, once more in a forked child (which leaves its parent's
// behind).
bool open_ring();

// Null until open_session() succeeded.
Session* session();

// Null where this process is not recorded.
RingWriter* ring();

}  // namespace hm::soft::vg
