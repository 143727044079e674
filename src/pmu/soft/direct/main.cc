// SPDX-License-Identifier: MIT
// Entry of threads into the engine: threads that the launcher has stopped, and new threads of the target.
#include <cpuid.h>

#include "pmu/soft/direct/core/frequent_events.h"
#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/emulate/defined_machine.h"
#include "pmu/soft/direct/emulate/defined_start.h"
#include "pmu/soft/direct/emulate/episodes.h"
#include "pmu/soft/direct/emulate/leaving.h"
#include "pmu/soft/direct/emulate/other_layout.h"
#include "pmu/soft/direct/emulate/processes.h"
#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/emulate/restart_areas.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/process/attachment.h"
#include "pmu/soft/direct/process/locks.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {

namespace {

bool has_bmi2() {
  constexpr unsigned kFeatures = 7, kBmi2 = 1u << 8;  // Intel SDM volume 2, CPUID
  unsigned a, b = 0, c, d;
  return __get_cpuid_count(kFeatures, 0, &a, &b, &c, &d) != 0 && (b & kBmi2) != 0;
}

Plan plan_of(const Session* recording) {
  Plan plan{};
  plan.uninstrumented = recording == nullptr || recording->copies_only != 0;
  if (recording == nullptr) return plan;
  plan.traced = recording->trace_blocks != 0;
  plan.state_components = recording->defined.on != 0 ? recording->defined.xcr0 : 0;
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
  plan.in_bursts = recording->bursts.slots != 0;
  plan.keeps_pace = !plan.uninstrumented && (!plan.in_bursts || recording->bursts.exact_slots != 0);
  plan.samples_ahead = finds_samples_ahead(*recording);
  plan.has_shrx = has_bmi2();
  plan.times_paths = recording->calibrated != 0;
  plan.pipeline = recording->costs.pipeline;
  plan.mispredict = recording->costs.mispredict;
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

// Collects the data about the program that are needed before it runs.
void fill_process(const StartInfo& start) {
  Process& process = g_process;
  process.recording.open(start.session_folder, static_cast<int>(start.folder_descriptor));
  process.plan = plan_of(session());
  uint32_t wanted = session() == nullptr ? 0 : session()->modelled_cores;
  process.cores.prepare(wanted == 0 ? host_cpus() : wanted, process.plan.keeps_pace,
                        [](model::SharedLevels& levels) { g_process.common.attach(levels); });
  if (process.plan.times_paths)
    process.address_sources = AddressSourceTable(take<AddressSources>(AddressSourceTable::kEntries));
  learn_code();
  process.collection.begin();
  process.heap.observe();
  process.collection.find_entries(0, ~uint64_t{0});
}

// Makes a thread that begins at the point where it was taken over.
Thread& make_arriving_thread(const StartInfo& start) {
  Thread* thread = g_process.threads.make_arriving(static_cast<uint32_t>(system_call(kSysGettid)));
  if (thread == nullptr) leave_at_arrival(start);
  thread->context = context_of(start);
  take_restart_area(*thread, start);
  if (is_machine_defined() && !was_running()) define_start(thread->context);
  if (!was_running()) move_to_other_layout(thread->context);
  g_process.collection.begin_thread(*thread);
  take_over_signals(*thread, start.signal_mask);
  return *thread;
}

// From now on, the engine checks its invariants.
void begin_checks() {
  g_process.runtime.is_checking = true;
  check_order_of_locks();
  __atomic_fetch_add(&session()->checking, 1, __ATOMIC_RELAXED);
}

// Initializes the engine for the process's first thread, which is at the start of its program or was stopped
// in the middle of it.
void begin_process(const StartInfo& start) {
  if (start.magic != kStartMagic) give_up("hardmeter: the engine must be started by hardmeter\n");
  fill_process(start);
  bool has_signals = begin_signals();
  learn_memory_limits();
  bool is_recorded = session() != nullptr;
  if (is_recorded) g_process.session_cache.open(g_process.recording.open_session_cache());
  if (is_recorded) enter_session();
  bool has_bursts = !is_recorded || session()->bursts.slots == 0 || g_process.bursts.prepare();
  if (!has_signals || !has_bursts || !g_process.cores.make_first()) leave_at_arrival(start);
  g_process.runtime.leave = leave_while_copying;
  if (is_recorded && session()->checks_engine != 0) begin_checks();
}

}  // namespace
}  // namespace hm::soft::direct

extern "C" hm::soft::direct::Thread* hm_arrive(hm::soft::direct::ProcessArea* area) {
  using namespace hm::soft::direct;
  block_signals();  // the launcher blocks them only if the process was running
  bool is_new = g_process.runtime.area == nullptr;
  bool is_back = !is_new && attachment().released == kPaused;
  if (is_new) publish_addresses(*area);
  if (is_new) begin_process(area->start);
  if (is_back) begin_episode(area->start);
  Thread& thread = make_arriving_thread(area->start);
  if (!is_new && !is_back) return &thread;
  g_process.threads.begin(thread);
  if (session() != nullptr) g_process.recording.write_program_start(thread.pid);
  return &thread;
}

extern "C" [[noreturn]] void hm_begin_arrived(hm::soft::direct::Thread* thread) {
  __atomic_fetch_add(&hm::soft::direct::attachment().arrived, 1, __ATOMIC_SEQ_CST);
  hm_begin_thread(thread);
}

extern "C" [[noreturn]] void hm_begin_thread(hm::soft::direct::Thread* thread) {
  using namespace hm::soft::direct;
  if (thread->tid == 0) announce_thread(*thread);
  open_signals(*thread);
  Core& core = g_process.cores.take(*thread);
  core.exit = kExitElsewhere;
  hm_enter(hm_next_code(&core));
}
