// SPDX-License-Identifier: GPL-2.0-or-later
// The modelled core of this process, and its filters, at addresses that fit an instruction's 32-bit
// displacement.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/modelled_core.h"
#include "pmu/soft/sampling/session_cache_user.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

extern CoreFilters g_filters;
// Presence words are offsets from an address this far before the first slot, so that none is 0.
inline constexpr uint32_t kCodeOffset = sizeof(model::CodePlace);
extern ModelledCore g_core;

// Builds the models from the session's geometry.
void build_core(const Session& session);

// forget_frames(): memory was returned to the system; doubt_frames(): the process was forked. The pages may
// get other frames (model/page_frames.h).
void forget_frames(Addr start, SizeT bytes);
void doubt_frames();

// Uses the session's shared last-level cache, if it has one. Called at the process's start and in a forked
// child.
void join_session_cache(SessionCacheUser& user);

// Returns the presence words of the page that holds `address` (model::CodeFilter). They are made at the first
// call for the page and never freed. Null only beyond 1 GiB of code: fetches from such pages are not
// modelled.
model::CodePage* code_page(uint64_t address);

}  // namespace hm::soft::vg
