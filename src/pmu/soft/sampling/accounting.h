// SPDX-License-Identifier: MIT
// Turns accesses, fetches and branches into events: advances the thread's counters, and takes the samples
// that are due. All engines share it. Freestanding.
//
// Each call-out of translated code makes an object. `now` is always the event's stamp.
#pragma once

#include <stdint.h>

#include <concepts>

#include "pmu/soft/sampling/access_info.h"
#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/modelled_core.h"
#include "pmu/soft/sampling/sample_record.h"

namespace hm::soft {

// The engine's interface to the running thread: its core, its counters, and the address of its instruction
// (read only if a sample may be due). site() identifies the access in translated code; address_sources() has
// the loads that its address depends on, null if none is known. read() reads kWordsOfLine words of the
// program's memory, or returns false. sample() ends a counter's period
// (Counters::finish_period) and writes its sample. If core and counters have fixed addresses, an engine's
// functions that return these make them constants of this code.
template <typename T>
concept RunningThread = requires(const T& thread, EventId id, const Cause& cause, Tick now, uint64_t ip,
                                 uint64_t* words) {
  { thread.core() } -> std::same_as<ModelledCore&>;
  { thread.counters() } -> std::same_as<Counters&>;
  { thread.ip() } -> std::same_as<uint64_t>;
  { thread.site() } -> std::same_as<uint64_t>;
  { thread.address_sources() } -> std::same_as<const AddressSources*>;
  { thread.read(ip, words) } -> std::same_as<bool>;
  { thread.sample(id, cause, now) } -> std::same_as<void>;
};

template <RunningThread Thread>
class Accounting {
 public:
  explicit Accounting(Thread thread) : thread_(thread) {}

  // A load or store that did not pass the filter (model/data_filter.h), a prefetch, or a flush.
  [[gnu::always_inline]] void on_data(uint64_t address, AccessInfo info, Tick now) const {
    // The program will wait for this line: let the host fetch it while the models run.
    __builtin_prefetch(reinterpret_cast<const void*>(address));
    model::Machine& machine = core().machine;
    uint64_t line = address >> machine.line_shift();
    if (info.kind() == record::AccessKind::kPrefetch) return on_prefetch(line, now);
    if (info.kind() == record::AccessKind::kFlush) return machine.flush(line);
    if ((address + info.bytes() - 1) >> machine.line_shift() != line) {
      model::Outcome outcome = machine.access_data(address, info.bytes(), now, info.writes());
      if (!outcome.plain_hit()) {
        core().recent_misses.add(thread_.site(), address);
        count_wait(address, info, now, outcome, add_stall(address, line, info, now, outcome));
      }
      count_data_events(address, info, now, outcome);
      count_split(address, info, now, outcome);
      return;
    }
    uint64_t from = address - (line << machine.line_shift());
    model::LineOutcome met = machine.access_line(line, now, {from, from + info.bytes(), info.writes()});
    if (met.plain_hit()) return;
    core().recent_misses.add(thread_.site(), address);
    count_wait(address, info, now, met, add_stall(address, line, info, now, met));
    count_line(address, info, now, met);
  }

  // An access by the kernel, in a system call, within one line. It changes the models and counts its misses.
  // The program's instructions do not wait for it, because cycles are those of user mode.
  void on_kernel_data(uint64_t address, AccessInfo info, Tick now) const {
    uint64_t line = address >> core().machine.line_shift();
    uint64_t from = address - (line << core().machine.line_shift());
    model::LineOutcome met =
        core().machine.access_line(line, now, {from, from + info.bytes(), info.writes()});
    if (!met.plain_hit()) count_line(address, info, now, met);
  }

  // Brings the line in like a load, but no instruction waits for it and no event is counted.
  [[gnu::noinline]] void on_prefetch(uint64_t line, Tick now) const {
    core().machine.access_line(line, now, {0, 1, false});
  }

  // A fetch of the page's line `index`, with a presence word of 0 (model/code_filter.h).
  void on_fetch(uint64_t index, model::CodePage& page, Tick now) const {
    model::Machine& machine = core().machine;
    uint64_t line = page.number * machine.lines_per_page() + index;
    model::LineOutcome met = machine.fetch_line(line, now, page);
    if (met.plain_hit()) return;
    uint64_t wait = add_fetch_stall(line, now, met);
    count_fetch(machine.outcome_of(met), line, now, wait);
  }

  // A counter that translated code decrements itself has reached 0, at the instruction at `ip`.
  void on_overflow(EventId id, uint64_t ip, Tick now) const { thread_.sample(id, cause_at(ip), now); }

  // One or two of the counters memory_loads, memory_stores and memory_moves have reached 0.
  void on_memory_overflow(uint64_t address, AccessInfo info, Tick now) const {
    Cause cause = cause_of(address, info);
    cause.has_depths = core().sizes.range().set_counts != 0 && core().depths.simulated;
    if (cause.has_depths) cause.depths = core().depths;
    EventId own = info.kind() == record::AccessKind::kStore ? EventId::kMemoryStores : EventId::kMemoryLoads;
    const EventId down[] = {own, EventId::kMemoryMoves};
    for (EventId id : down) {
      if (thread_.counters().sampled(id) && *thread_.counters().remaining(id) <= 0)
        thread_.sample(id, cause, now);
    }
  }

  void on_buffer_store(uint64_t address, AccessInfo info, Tick now) const {
    core().store_buffer.store(address, info.bytes(), now / 2);
  }

  void on_buffer_load(uint64_t address, AccessInfo info, Tick now) const {
    using Match = model::StoreBuffer::Match;
    Match match = core().store_buffer.load(address, info.bytes(), now / 2);
    if (match != Match::kBlocked && match != Match::kAlias) return;
    Cause cause = cause_of(address, info);
    cause.replay = match == Match::kBlocked ? record::LoadReplay::kBlocked : record::LoadReplay::kAlias;
    count(EventId::kMobLoadReplayRetired, 1, cause, now);
  }

  // An access for the models of all cache sizes. Ignores prefetches: no instruction waits for them.
  void on_size(uint64_t address, AccessInfo info) const {
    if (info.kind() == record::AccessKind::kPrefetch) return;
    ModelledCore& on = core();
    unsigned shift = on.machine.line_shift();
    uint64_t line = address >> shift, last = (address + info.bytes() - 1) >> shift;
    on.sizes.access(line, &on.depths);
    while (line++ != last) {
      model::StackDistances::Depths further;
      on.sizes.access(line, &further);
      on.depths.add(further);
    }
    for (model::StackDistances& further : on.further_sizes) {
      if (further.range().set_counts == 0) break;
      shift = further.range().block_shift;
      last = (address + info.bytes() - 1) >> shift;
      for (uint64_t block = address >> shift; block <= last; ++block) further.count(block);
    }
  }

  // Branches at `ip`, called if mispredictions are counted, or cost time.
  void on_conditional(uint64_t ip, bool taken, Tick now) const {
    bool ends_streak = core().predictor.ends_streak(ip, taken);
    uint64_t cost = core().predictor.conditional(ip, taken) ? 0 : mispredicted(ip, now);
    core().branch_costs.add(ip, cost, ends_streak);
  }
  void on_indirect(uint64_t ip, uint64_t target, Tick now) const {
    if (!core().predictor.indirect(ip, target)) mispredicted(ip, now);
  }
  // Returns are predicted only if mispredictions are counted. So estimates of time do not depend on them.
  void on_return(uint64_t ip, uint64_t target, Tick now) const {
    if (core().predictor.ret(target)) return;
    if (core().costs.is_calibrated())
      count(EventId::kBranchMispredict, 1, cause_at(ip), now);
    else
      mispredicted(ip, now);
  }
  void on_call(uint64_t return_address) const { core().predictor.call(return_address); }

  // The end of a segment: counts the cycles since the previous segment's end.
  void on_clock(uint64_t ip, Tick now) const {
    uint64_t cycles = core().cycles_at(now);
    count(EventId::kClock, cycles - core().counted_cycles, cause_at(ip), now);
    core().counted_cycles = cycles;
  }

 private:
  static Cause cause_at(uint64_t ip) {
    Cause cause;
    cause.ip = ip;
    return cause;
  }

  [[nodiscard]] Cause cause_of(uint64_t address, AccessInfo info) const {
    Cause cause = cause_at(thread_.ip());
    cause.address = address;
    cause.bytes = static_cast<uint16_t>(info.bytes());
    cause.kind = info.kind();
    cause.locked = info.locked();
    cause.by_kernel = info.by_kernel();
    return cause;
  }

  [[nodiscard]] Cause cause_of(uint64_t address, AccessInfo info, Tick now,
                               const model::Outcome& outcome) const {
    Cause cause = cause_of(address, info);
    model::Machine& machine = core().machine;
    cause.outcome = timed(outcome);
    cause.outcome.l1_class = machine.data_class(address, now, outcome);
    cause.what_if = machine.what_if(address >> machine.line_shift(), cause.outcome, true);
    if (!outcome.plain_hit()) cause.steps = core().recent_misses.steps();
    if (info.by_kernel()) {
      cause.outcome.latency_cycles = 0;
      cause.steps = {};
    }
    return cause;
  }

  // Returns the outcome of the access whose wait was added last. With calibration, its latency is this wait,
  // and that of a hit.
  [[nodiscard]] model::Outcome timed(model::Outcome outcome) const {
    const CoreCosts& costs = core().costs;
    if (costs.is_calibrated() && !outcome.plain_hit())
      outcome.latency_cycles = core().machine.geometry().latency.l1 + costs.last_wait_cycles();
    return outcome;
  }

  // Adds the wait for a data access that missed, and returns it.
  template <typename Outcome>
  DataWait add_stall(uint64_t address, uint64_t line, AccessInfo info, Tick now,
                     const Outcome& outcome) const {
    CoreCosts& costs = core().costs;
    if (!costs.is_calibrated()) {
      uint64_t translation = core().machine.translation_latency(outcome.translation);
      return costs.add_latency(latency_beyond_l1(outcome) - translation, translation);
    }
    bool stores = info.kind() == record::AccessKind::kStore;
    bool transferred = outcome.snoop == model::Snoop::kModified;
    return costs.add_data_miss({address, line, thread_.site(), now / 2, stores, transferred, outcome.level,
                                outcome.translation, outcome.l3_quarter},
                               thread_.address_sources(),
                               [this](uint64_t from, uint64_t* words) { return thread_.read(from, words); });
  }
  // Returns the wait in parts of a cycle.
  uint64_t add_fetch_stall(uint64_t line, Tick now, const model::LineOutcome& met) const {
    CoreCosts& costs = core().costs;
    if (!costs.is_calibrated()) return costs.add_latency(latency_beyond_l1(met), 0).all();
    return costs.add_fetch_miss(
        {.line = line, .slot = now / 2, .level = met.level, .translation = met.translation});
  }
  [[nodiscard]] uint64_t latency_beyond_l1(const model::LineOutcome& met) const {
    const model::Machine& machine = core().machine;
    return machine.latency_of(met) - machine.geometry().latency.l1;
  }
  [[nodiscard]] uint64_t latency_beyond_l1(const model::Outcome& outcome) const {
    return outcome.latency_cycles - core().machine.geometry().latency.l1;
  }

  // Counts the cycles of a wait for data.
  template <typename Outcome>
  void count_wait(uint64_t address, AccessInfo info, Tick now, const Outcome& outcome, DataWait wait) const {
    ModelledCore& on = core();
    EventId of_line = wait_event(outcome.level, outcome.snoop);
    on.waits.add(of_line, wait.line);
    on.waits.add(EventId::kTlbWait, wait.translation);
    if (thread_.counters().samples_waits()) sample_wait(address, info, now, outcome, wait, of_line);
  }
  template <typename Outcome>
  [[gnu::noinline]] void sample_wait(uint64_t address, AccessInfo info, Tick now, const Outcome& outcome,
                                     DataWait wait, EventId of_line) const {
    ModelledCore& on = core();
    Counters& counters = thread_.counters();
    uint64_t line = on.sampled_waits.take_whole(of_line, wait.line);
    uint64_t translation = on.sampled_waits.take_whole(EventId::kTlbWait, wait.translation);
    bool due = counters.add(of_line, line);
    due |= counters.add(EventId::kTlbWait, translation);
    due |= counters.add(EventId::kMemoryWait, line + translation);
    if (due) [[unlikely]]
      take_wait_samples(address, info, now, whole_outcome(outcome));
  }
  [[nodiscard]] model::Outcome whole_outcome(const model::LineOutcome& met) const {
    return core().machine.outcome_of(met);
  }
  [[nodiscard]] static const model::Outcome& whole_outcome(const model::Outcome& outcome) { return outcome; }
  [[gnu::noinline]] void take_wait_samples(uint64_t address, AccessInfo info, Tick now,
                                           const model::Outcome& outcome) const {
    Cause cause = cause_of(address, info, now, outcome);
    constexpr EventId kIds[] = {EventId::kMemoryWait, EventId::kL2Wait,   EventId::kL3Wait,
                                EventId::kDramWait,   EventId::kPeerWait, EventId::kTlbWait};
    for (EventId id : kIds) {
      if (*thread_.counters().remaining(id) <= 0) thread_.sample(id, cause, now);
    }
  }
  static EventId wait_event(model::Level level, model::Snoop snoop) {
    if (snoop == model::Snoop::kModified) return EventId::kPeerWait;
    constexpr EventId kOfLevel[] = {EventId::kTlbWait, EventId::kL2Wait, EventId::kL3Wait,
                                    EventId::kDramWait};
    return kOfLevel[static_cast<uint32_t>(level)];
  }

  void count(EventId id, uint64_t events, const Cause& cause, Tick now) const {
    if (thread_.counters().add(id, events)) thread_.sample(id, cause, now);
  }

  // Counts the events; computes the sample's contents only if a sample is due.
  void count_data(EventId id, uint64_t events, uint64_t address, AccessInfo info, Tick now,
                  const model::Outcome& outcome) const {
    if (events == 0 || !thread_.counters().add(id, events)) return;
    thread_.sample(id, cause_of(address, info, now, outcome), now);
  }

  void count_data_events(uint64_t address, AccessInfo info, Tick now, const model::Outcome& outcome) const {
    const auto count_event = [&](EventId id, uint64_t events) {
      count_data(id, events, address, info, now, outcome);
    };
    if (info.kind() == record::AccessKind::kStore) {
      count_event(EventId::kL1StoreMiss, outcome.l1_misses);
      count_event(EventId::kDtlbStoreMiss, outcome.tlb_misses);
    } else {
      count_event(EventId::kL1CacheMiss, outcome.l1_misses);
      count_event(EventId::kL2CacheMiss, outcome.l2_misses);
      count_event(EventId::kL3CacheMiss, outcome.l3_misses);
      count_event(EventId::kDtlbLoadMiss, outcome.tlb_misses);
      count_event(EventId::kSharedLineHit, outcome.snoop == model::Snoop::kModified ? 1 : 0);
    }
    count_event(EventId::kDtlbAllMiss, outcome.tlb_misses);
  }

  // Counts an access to one line. Decrements all counters first, because samples are rarely due.
  [[gnu::always_inline]] void count_line(uint64_t address, AccessInfo info, Tick now,
                                         model::LineOutcome met) const {
    const model::Machine& machine = core().machine;
    // Bitwise operators, because these conditions are unpredictable.
    using model::Level;
    bool stores = info.kind() == record::AccessKind::kStore, loads = !stores;
    bool misses_l1 = met.level != Level::kL1, misses_tlb = met.translation != model::Translation::kFirstTlb;
    Counters& counters = thread_.counters();
    int64_t due = counters.step(EventId::kDtlbAllMiss, misses_tlb);
    due |= counters.step(EventId::kL1StoreMiss, stores & misses_l1);
    due |= counters.step(EventId::kDtlbStoreMiss, stores & misses_tlb);
    due |= counters.step(EventId::kL1CacheMiss, loads & misses_l1);
    due |= counters.step(EventId::kL2CacheMiss, loads & (met.level > Level::kL2));
    due |= counters.step(EventId::kL3CacheMiss, loads & machine.missed_l3(met));
    due |= counters.step(EventId::kDtlbLoadMiss, loads & misses_tlb);
    due |= counters.step(EventId::kSharedLineHit, loads & (met.snoop == model::Snoop::kModified));
    if (due < 0) [[unlikely]]
      take_data_samples(address, info, now, machine.outcome_of(met));
  }

  // Takes the samples of the events with counters that have reached 0.
  [[gnu::noinline]] void take_data_samples(uint64_t address, AccessInfo info, Tick now,
                                           const model::Outcome& outcome) const {
    Cause cause = cause_of(address, info, now, outcome);
    constexpr EventId kIds[] = {EventId::kL1StoreMiss, EventId::kDtlbStoreMiss, EventId::kL1CacheMiss,
                                EventId::kL2CacheMiss, EventId::kL3CacheMiss,   EventId::kDtlbLoadMiss,
                                EventId::kDtlbAllMiss, EventId::kSharedLineHit};
    for (EventId id : kIds) {
      if (*thread_.counters().remaining(id) <= 0) thread_.sample(id, cause, now);
    }
  }

  // Counts the events of an access over several lines that its single lines do not count. fxsave, xsave and
  // the instructions that restore need aligned areas: none of their parts crosses a line.
  void count_split(uint64_t address, AccessInfo info, Tick now, const model::Outcome& outcome) const {
    constexpr uint32_t kMinStateBytes = 512;
    if (info.bytes() >= kMinStateBytes) return;
    bool store = info.kind() == record::AccessKind::kStore;
    uint32_t more_misses = outcome.l1_misses > 1 ? outcome.l1_misses - 1 : 0;
    if (!store) count_data(EventId::kSplitLoadRetired, 1, address, info, now, outcome);
    count_data(store ? EventId::kSplitStoreMiss : EventId::kSplitLoadMiss, more_misses, address, info, now,
               outcome);
  }

  void count_fetch(const model::Outcome& outcome, uint64_t line, Tick now, uint64_t wait) const {
    const auto count_event = [&](EventId id, uint64_t events) {
      if (events != 0 && thread_.counters().add(id, events))
        thread_.sample(id, cause_of_fetch(line, now, outcome), now);
    };
    count_event(EventId::kICacheMiss, outcome.l1_misses);
    count_event(EventId::kSplitFetchMiss, is_second_miss(outcome, now) ? 1 : 0);
    count_event(EventId::kItlbMiss, outcome.tlb_misses);
    core().waits.add(EventId::kFetchWait, wait);
    if (thread_.counters().samples_waits())
      count_event(EventId::kFetchWait, core().sampled_waits.take_whole(EventId::kFetchWait, wait));
  }

  [[nodiscard]] Cause cause_of_fetch(uint64_t line, Tick now, const model::Outcome& outcome) const {
    model::Machine& machine = core().machine;
    Cause cause = cause_at(thread_.ip());
    cause.address = line << machine.line_shift();
    cause.bytes = static_cast<uint16_t>(machine.geometry().line_bytes);
    cause.kind = record::AccessKind::kFetch;
    cause.outcome = timed(outcome);
    cause.outcome.l1_class = machine.fetch_class(line, now, outcome);
    cause.what_if = machine.what_if(line, cause.outcome, false);
    return cause;
  }

  // True if an instruction's second line missed, after its first line missed, too. The second line has the
  // odd stamp of its slot.
  [[nodiscard]] bool is_second_miss(const model::Outcome& outcome, Tick now) const {
    if (outcome.l1_misses == 0) return false;
    bool second = now % 2 != 0 && core().last_fetch_miss + 1 == now;
    core().last_fetch_miss = now;
    return second;
  }

  // Returns the cost in parts of a cycle.
  uint64_t mispredicted(uint64_t ip, Tick now) const {
    uint64_t cost = core().costs.add_misprediction(now / 2);
    count(EventId::kBranchMispredict, 1, cause_at(ip), now);
    if (thread_.counters().samples_waits())
      count(EventId::kBranchWait, core().sampled_waits.take_whole(EventId::kBranchWait, cost), cause_at(ip),
            now);
    return cost;
  }

  [[nodiscard]] ModelledCore& core() const { return thread_.core(); }

  Thread thread_;
};

}  // namespace hm::soft
