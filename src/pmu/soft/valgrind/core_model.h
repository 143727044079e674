// SPDX-License-Identifier: GPL-2.0-or-later
// The modelled core of this process, and its filters at addresses that fit an instruction's 32-bit
// displacement.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/modelled_core.h"
#include "pmu/soft/sampling/session_cache_user.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

extern CoreFilters g_filters;
// Presence words are offsets from an address this far before the first place, so that none is 0.
inline constexpr uint32_t kCodeOffset = sizeof(model::CodePlace);
extern ModelledCore g_core;

// Builds the models from the session's geometry.
void build_core(const Session& session);

// Of memory that is given back to the system, or forked: its pages lie in other frames from now on
// (model/page_frames.h).
void forget_frames(Addr start, SizeT bytes);
void doubt_frames();

// The last level becomes the session's own, where it has one: at the process's start and in a forked child.
void join_session_cache(SessionCacheUser& user);

// The presence words of the page that holds `address` (model::CodeFilter), made at the first call for a page
// and never freed. Null only beyond a GiB of code: its fetches are not modelled.
model::CodePage* code_page(uint64_t address);

}  // namespace hm::soft::vg
