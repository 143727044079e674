// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/burst/bursts.h"

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {
namespace {

// Number of slots of BurstPlan::exact_slots that a core takes at once.
constexpr uint64_t kExactSlotsAtOnce = uint64_t{1} << 16;

// The longest gap between bursts, twice the mean, is searched completely.
static_assert(4 * BurstPlan{}.gap_slots << BurstPlan::kMaxDoublings <= TouchTables::kMaxTicks);

}  // namespace

// Seeded with the number of processes so far: a program's first process has the same random numbers in each
// run. But a short program that runs repeatedly is not always measured at the same point.
uint64_t Bursts::random() {
  if (random_ == 0)
    random_ =
        0x9e3779b97f4a7c15u * (__atomic_load_n(&recording_.session()->rings_created, __ATOMIC_RELAXED) + 1);
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_;
}

// Chooses the length of the core's next burst. Returns the mean length of the gap before it. Both change
// together, so that each slot is as likely as any other to be in a burst.
uint64_t Bursts::mean_gap_ticks(Core& core) {
  const Session& session = *recording_.session();
  core.burst_doublings =
      burst_doublings(session.bursts, __atomic_load_n(&session.burst_weight, __ATOMIC_RELAXED));
  return 2 * session.bursts.gap_slots << core.burst_doublings;
}

// Chooses the beginning of the next burst at random in a stratum that begins at the tick `begin`. Short
// processes together have as many bursts as a single long process.
void Bursts::begin_stratum(Core& core, uint64_t begin) {
  uint64_t mean = mean_gap_ticks(core), gap = random() % mean;
  core.next_switch_tick = begin + gap;
  core.stratum_rest = mean - gap;
}

void Bursts::note_unmapped(uint64_t start, uint64_t end) {
  if (!plan_.in_bursts) return;
  Guard guard(lock_);
  tables_.note_unmapped(start, end);
}

// A core that had little to do in the last episode would never fill its caches in this one. So it waits for a
// part of its ticks in the last episode. After that, the first burst begins at a random time within a gap. An
// episode starts where the threads wake, so a fixed delay would always end at the same point of their work.
void Bursts::begin_episode() {
  constexpr uint64_t kMaxTicks = uint64_t{1} << 21, kPart = 4;
  doubt_mappings();
  Guard guard(lock_);
  cores_.for_each([&](Core& core) HM_UNCHECKED_LOCKS {
    uint64_t last = (core.tick - core.episode_tick) / kPart, fill = last < kMaxTicks ? last : kMaxTicks;
    begin_stratum(core, core.tick + fill);
    core.burst = {};
    core.between_bursts = true;
    core.episode_tick = core.tick;
  });
}

void Bursts::begin_child(Core& core) {
  {
    Guard guard(lock_);
    random_ = 0;
  }
  cores_.for_each([](Core& each) { each.burst = {}; });  // the parent reports these counts
  if (core.between_bursts) core.next_switch_tick = 0;
}

// Passes the lines touched since the last burst to the models. Returns their number.
uint32_t Bursts::replay(Core& core) {
  constexpr uint32_t kAhead = 24;  // in lines: prefetch distance, because the host's caches hold little of
                                   // the models' data
  TouchedLines touched = tables_.find(core, core.last_switch_tick);
  model::Machine& machine = core.model.machine;
  bool has_sizes = core.model.sizes.range().set_counts != 0;
  uint32_t later = touched.data_count;
  for (uint32_t i = 0; i < touched.count; ++i) {
    const TouchedLine& each = touched.first[i];
    if (i + kAhead < touched.count) machine.expect(touched.first[i + kAhead].line);
    uint64_t stamp = core.tick - each.ticks_ago;
    if (each.page != 0) {
      machine.fetch_line(each.line, stamp, code_page_at(core, each.page));
      continue;
    }
    if (has_sizes) core.model.sizes.remember(each.line);
    machine.replay_access(each.line, stamp, --later);
  }
  return touched.count;
}

// Returns true if the core may count everything for another period.
bool Bursts::takes_exact_slots() {
  Session& session = *recording_.session();
  if (__atomic_load_n(&session.exact_slots, __ATOMIC_RELAXED) >= session.bursts.exact_slots) return false;
  return __atomic_fetch_add(&session.exact_slots, kExactSlotsAtOnce, __ATOMIC_RELAXED) <
         session.bursts.exact_slots;
}

void Bursts::begin_core(Core& core) {
  Guard guard(lock_);
  if (!takes_exact_slots()) {
    cores_.pace().end();
    begin_stratum(core, core.tick);
    return;
  }
  threads_.settle_time_slice(core);
  core.between_bursts = false;
  core.counts_all = true;
  core.thread->counters.change_periods(*recording_.session(), true);
  core.next_switch_tick = core.tick + 2 * kExactSlotsAtOnce;
  core.stratum_rest = 0;
}

void Bursts::begin(Core& core) {
  Guard guard(lock_);
  threads_.settle_time_slice(core);
  uint32_t lines = replay(core);
  core.burst = {};
  core.branches = {};
  core.model.recent_misses = {};
  core.between_bursts = false;
  core.model.counted_cycles = core.model.cycles_at(core.tick);
  Session& session = *recording_.session();
  __atomic_fetch_add(&session.burst_weight, burst_weight(session.bursts, core.burst_doublings, lines),
                     __ATOMIC_RELAXED);
  uint64_t slots = session.bursts.slots << core.burst_doublings;
  if (__atomic_load_n(&session.longest_burst, __ATOMIC_RELAXED) < slots)
    __atomic_store_n(&session.longest_burst, slots, __ATOMIC_RELAXED);
  core.burst_begin_ns = monotonic_ns();
  core.next_switch_tick = core.tick + 2 * slots;
}

void Bursts::end(Core& core) {
  Guard guard(lock_);
  threads_.settle_time_slice(core);
  if (core.counts_all && takes_exact_slots()) {
    core.next_switch_tick = core.tick + 2 * kExactSlotsAtOnce;
    return;
  }
  RingWriter* ring = recording_.ring();
  if (ring != nullptr && !core.counts_all) ring->status().bursts.add(core.burst_begin_ns, core.burst);
  if (core.counts_all) cores_.pace().end();
  core.counts_all = false;
  core.thread->counters.change_periods(*recording_.session(), false);
  core.between_bursts = true;
  core.last_switch_tick = core.tick;
  begin_stratum(core, core.tick + core.stratum_rest);
}

void Bursts::change(Core& core) { core.between_bursts ? begin(core) : end(core); }

void Bursts::follow(Core& core) {
  if (!plan_.in_bursts || !core.thread->collected) return;
  if (core.next_switch_tick == 0) begin_core(core);
  if (core.tick > core.next_switch_tick) change(core);
  core.switch_tick = core.next_switch_tick;
}

void Bursts::follow_within(Core& core) {
  if (!plan_.in_bursts || core.tick <= core.next_switch_tick) return;
  change(core);
  core.switch_tick = 0;
}

}  // namespace hm::soft::direct
