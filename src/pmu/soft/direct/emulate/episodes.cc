// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/episodes.h"

#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/process/attachment.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

void note_code(const MappedRange& range, void*) {
  bool vsyscall = range.start >> 63 != 0;
  if (is_engine(range) || vsyscall || is_own_mapping(range.start)) return;
  g_process.space.set_executable(range.start, range.end, (range.protection & 4) != 0,
                                 (range.protection & 2) != 0);
  g_process.space.set_shared(range.start, range.end, range.shared);
  g_process.mappings.note_first(range);
}

}  // namespace

void learn_code() { g_process.maps.for_each(note_code, nullptr); }

void enter_session() {
  auto pid = static_cast<uint32_t>(system_call(kSysGetpid));
  g_process.recording.open_ring(pid);
  g_process.common.join_session(pid);
  __atomic_fetch_sub(&session()->forks_under_way, 1, __ATOMIC_SEQ_CST);
}

void end_episode(bool for_now) {
  {
    Guard guard(g_process.copies.lock());
    g_process.copies.unwatch_all();
  }
  end_signals();
  if (for_now) g_process.common.forget_mappings();
  g_process.common.leave_session();
  g_process.recording.close_ring();
  g_process.recording.close_files();
  let_children_inherit(false);
  __atomic_store_n(&attachment().released, uint32_t{for_now ? kPaused : kLetGo}, __ATOMIC_SEQ_CST);
}

void begin_episode(const StartInfo& start) {
  Process& process = g_process;
  let_children_inherit(true);
  process.recording.open_files(start.session_folder, static_cast<int>(start.folder_descriptor));
  begin_signals();
  learn_memory_limits();
  {
    Guard guard(process.copies.lock());
    process.space.forget_all();
    process.mappings.forget_all();
    learn_code();
    process.copies.drop_changed();
    process.copies.use_memory_again();
    process.collection.forget_entries(0, ~uint64_t{0});
    process.collection.find_entries(0, ~uint64_t{0});
  }
  process.heap.forget_blocks();
  process.bursts.begin_episode();
  enter_session();
  __atomic_store_n(&attachment().released, uint32_t{kInside}, __ATOMIC_SEQ_CST);
}

}  // namespace hm::soft::direct
