// SPDX-License-Identifier: GPL-2.0-or-later
// The modelled core of this process. Its filters have addresses that fit an instruction's 32-bit
// displacement.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/modelled_core.h"
#include "pmu/soft/sampling/session_cache_user.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

extern CoreFilters g_filters;
// Presence words are offsets from an address this far before the first slot, so that no word is 0.
inline constexpr uint32_t kCodeOffset = sizeof(model::CodePlace);
extern ModelledCore g_core;

// Builds the models from the session's geometry.
void build_core(const Session& session);

// Handles memory that is returned to the system, or shared by a fork: its pages have other page frames from
// now on (model/page_frames.h).
void forget_frames(Addr start, SizeT bytes);
void doubt_frames();

// Attaches the last level to the session's shared cache, if there is one. To be called when the process
// starts and in a forked child.
void join_session_cache(SessionCacheUser& user);

// Returns the presence words of the page that contains `address` (model::CodeFilter). Allocated on first use
// and never freed. Null only beyond 1 GiB of code, which is not modelled.
model::CodePage* code_page(uint64_t address);

}  // namespace hm::soft::vg
