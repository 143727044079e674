// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/session_cache.h"

#include "pmu/soft/direct/recording.h"
#include "pmu/soft/sampling/session_cache_user.h"

namespace hm::soft::direct {
namespace {

constinit SessionCacheUser g_user;

}  // namespace

void open_shared_cache() { g_user.open(open_session_cache()); }
void begin_address_space() { g_user.begin_process(); }
void attach_shared_cache(model::SharedLevels& levels) { g_user.attach(levels); }
uint32_t begin_holding_lines(uint32_t pid, uint32_t tid) { return g_user.begin_thread(pid, tid); }
void end_holding_lines(uint32_t number) { g_user.end_thread(number); }

}  // namespace hm::soft::direct
