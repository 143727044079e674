// SPDX-License-Identifier: MIT
// The engine's start, in a process that the launcher has stopped at its first instruction.
#include "pmu/soft/direct/address_space.h"
#include "pmu/soft/direct/collection.h"
#include "pmu/soft/direct/common_models.h"
#include "pmu/soft/direct/cores.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/give_up.h"
#include "pmu/soft/direct/heap.h"
#include "pmu/soft/direct/mappings.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/processes.h"
#include "pmu/soft/direct/session_cache.h"
#include "pmu/soft/direct/signal_actions.h"
#include "pmu/soft/direct/start_info.h"
#include "pmu/soft/direct/system_call_numbers.h"

namespace hm::soft::direct {

Plan g_plan;

namespace {

void note_code(const MappedRange& range, void*) {
  bool vsyscall = range.start >> 63 != 0;
  if (is_engine(range) || vsyscall) return;
  set_executable(range.start, range.end, (range.protection & 4) != 0, (range.protection & 2) != 0);
  note_first_mapping(range);
}

Plan plan_of(const Session* recording) {
  Plan plan{};
  plan.uninstrumented = recording == nullptr || recording->copies_only != 0;
  if (recording == nullptr) return plan;
  plan.traced = recording->trace_blocks != 0;
  plan.absent = recording->absent;
  const model::MachineGeometry& geometry = recording->geometry;
  plan.demand = demand_of(*recording);
  for (unsigned i = 0; i < event::kEventCount; ++i) {
    plan.counted[i] = recording->events[i].counted != 0;
    plan.sampled[i] = recording->events[i].sampled != 0;
  }
  plan.line_bytes = geometry.line_bytes;
  plan.line_shift = model::log2_of(geometry.line_bytes);
  plan.page_shift = model::log2_of(geometry.page_bytes);
  plan.lines_per_page = geometry.page_bytes / geometry.line_bytes;
  plan.hint_bits = model::log2_of(model::filter_hints(geometry.l1d));
  return plan;
}

uint32_t host_cpus() {
  uint64_t mask[128] = {};
  int64_t bytes = system_call(kSchedGetaffinity, 0, sizeof(mask), pointer_argument(mask));
  uint32_t count = 0;
  for (int64_t i = 0; i < bytes / 8; ++i) {
    for (uint64_t rest = mask[i]; rest != 0; rest &= rest - 1) ++count;
  }
  return count;
}

}  // namespace
}  // namespace hm::soft::direct

extern "C" [[noreturn]] void hm_main(const hm::soft::direct::StartInfo* start) {
  using namespace hm::soft::direct;
  if (start->magic != kStartMagic)
    give_up("hardmeter: the engine was started by something that is not its launcher\n");
  bool recorded = open_recording(start->session_folder);
  g_plan = plan_of(session());
  prepare_cores(host_cpus(), attach_shared_levels);
  for_each_mapping(note_code, nullptr);
  limit_collection();
  observe_heap();
  find_entries(0, ~uint64_t{0});
  Thread* thread = new_thread();
  if (thread == nullptr) give_up("hardmeter: no memory\n");
  for (unsigned i = 0; i < 16; ++i) thread->context.registers[i] = start->registers[i];
  thread->context.ip = start->ip;
  thread->context.flags = start->flags;
  thread->context.fs_base = start->fs_base;
  auto pid = static_cast<uint32_t>(hm::soft::system_call(hm::soft::kSysGetpid));
  if (recorded) {
    open_ring(pid);
    open_shared_cache();
    join_session(pid);
    __atomic_fetch_sub(&session()->forks_under_way, 1, __ATOMIC_SEQ_CST);
  }
  begin_collection(*thread);
  begin_signals(*thread);
  begin_thread(*thread);
  if (recorded) record_program_start(pid);
  hm_begin_thread(thread);
}

extern "C" [[noreturn]] void hm_begin_thread(hm::soft::direct::Thread* thread) {
  using namespace hm::soft::direct;
  if (thread->tid == 0) announce_thread(*thread);
  open_signals(*thread);
  Core& core = take_core(*thread);
  core.exit = kExitElsewhere;
  hm_enter(hm_next_code(&core));
}
