// SPDX-License-Identifier: MIT
// One modelled core: first-level caches and TLBs for data and code, each behind a filter, and the second
// level that the two caches share. SharedLevels models the levels beyond. Freestanding.
#pragma once

#include <stdint.h>

#include "model/access_costs.h"
#include "model/cache.h"
#include "model/code_filter.h"
#include "model/data_filter.h"
#include "model/geometry.h"
#include "model/huge_page_tlb.h"
#include "model/miss_classes.h"
#include "model/outcome.h"
#include "model/private_caches.h"
#include "model/shared_levels.h"
#include "model/stamped_sets.h"
#include "model/tagged_pages.h"
#include "model/tlb.h"
#include "model/what_if.h"

namespace hm::model {

class Machine {
 public:
  Machine() = default;

  // Takes the memory it needs from `arena`; a machine built with a measuring arena must not be used. Misses
  // are classified if `more` is a source of memory; first-level misses of fetches only with
  // `classifies_fetches`. join() has to be called before use.
  Machine(const MachineGeometry& geometry, FilterTables tables, Arena& arena, MemorySource more,
          bool classifies_fetches = true)
      : geometry_(geometry),
        costs_(geometry),
        line_shift_(log2_of(geometry.line_bytes)),
        page_shift_(log2_of(geometry.page_bytes)),
        classifies_misses_(more != nullptr),
        classifies_fetches_(more != nullptr && classifies_fetches && geometry.models_code()),
        l1d_(geometry.l1d, arena, tables.data),
        dtlb_(geometry.dtlb, arena),
        data_filter_(tables, geometry.l1d, geometry.dtlb, line_shift_, arena),
        l2_(geometry.l2, arena, lower_level_lines(geometry)) {
    if (geometry.models_code()) {
      l1i_ = CodeSets(geometry.l1i, arena, tables.code);
      itlb_ = Tlb(geometry.itlb, arena);
      code_filter_ = CodeFilter(geometry.l1i, geometry.itlb, lines_per_page(), tables.code_offset, arena);
    }
    if (geometry.second_tlb.present()) second_tlb_ = Cache(geometry.second_tlb, arena, kCachedPages);
    if (!classifies_misses_) return;
    data_classes_ = FirstLevelClasses(geometry.l1d, arena);
    if (classifies_fetches_) code_classes_ = FirstLevelClasses(geometry.l1i, arena);
    l2_classes_ = LowerLevelClasses(geometry.l2, more, arena);
    huge_pages_ = HugePageTlb(geometry, more, arena);
  }

  // Becomes one of the cores that share these levels; the machine's address must not change afterwards.
  void join(SharedLevels& shared) {
    caches_ = PrivateCaches(l1d_, data_filter_, l2_);
    number_ = shared.add(caches_);
    connect(shared);
  }
  // Replaces the core that had this number and address, and has been rebuilt.
  void join_again(SharedLevels& shared, uint32_t number) {
    caches_ = PrivateCaches(l1d_, data_filter_, l2_);
    number_ = number;
    connect(shared);
  }
  [[nodiscard]] uint32_t number() const { return number_; }

  // For an engine that knows the physical address of each access, and says it before: caches know the line by
  // this number of lines more, modulo 2^64. TLBs know its page by the address of the access.
  void set_physical_offset(uint64_t lines) { to_physical_ = lines; }

  // Sets the owner of lines that this core inserts into a session's shared cache.
  void run_for(uint32_t holder) { holder_ = holder; }

  // A load or store of `line` that did not pass the filter, at `stamp`.
  [[gnu::always_inline]] LineOutcome access_line(uint64_t line, uint64_t stamp, LineUse use) {
    prefetch(line);
    if (shared_->has_others()) [[unlikely]]
      return access_among_others(line, cached_as(line), stamp, use);
    uint64_t cached = line + to_physical_;  // without others, a line is not common memory
    return access_line<kAlone>(line, cached, stamp, use, [](const LineOutcome&) { return true; });
  }

  // A load of `line` at `stamp` that is reported late: `later` other lines have been used after it, and are
  // reported next. Skips levels from which these lines will have evicted the line.
  void replay_access(uint64_t line, uint64_t stamp, uint32_t later) {
    if (later < geometry_.l1d.entries() * kSetsAreUneven) {
      access_line(line, stamp, {0, 1, false});
      return;
    }
    LineOutcome met;
    bool may_be_in_tlb = later < geometry_.dtlb.entries() * kLinesOfPageInUse;
    replay_page(page_of(line), stamp, may_be_in_tlb, met);
    uint64_t cached = cached_as(line);
    if (classifies_misses_) {  // a fully associative cache holds only the last entries() lines
      later < geometry_.l2.entries() ? l2_classes_.add(cached) : l2_classes_.remember(cached);
    }
    bool may_be_in_l2 = later < geometry_.l2.entries() * kSetsAreUneven;
    if (!may_be_in_l2 || !l2_.access(cached)) shared_->add_use(cached, holder_, late_uses_);
  }

  // Whether the data about lines has grown so much that forget_unused() may pay off. forget_unused() drops
  // lines that the program no longer has: `is_used(first, count)`.
  [[nodiscard]] bool has_grown() const {
    return classifies_misses_ && (l2_classes_.has_grown() || huge_pages_.has_grown());
  }
  template <typename IsUsed>
  void forget_unused(IsUsed&& is_used) {
    if (!classifies_misses_) return;
    l2_classes_.forget_unused(is_used);
    huge_pages_.forget_unused(is_used, line_shift_);
  }

  // The line is about to be used: prefetches, on the host, the memory that the use will read.
  [[gnu::always_inline]] void expect(uint64_t line) {
    prefetch_own(line);
    shared_->prefetch(line);
  }

  // Applies the invalidations that other cores and processes have queued for this core's lines. Every data
  // access does so. An engine also calls it when the program waits for other threads or processes.
  void apply_invalidations() {
    if (shared_->has_invalidations()) shared_->forward_invalidations();
    if (caches_.has_invalidations()) apply_own_invalidations();
  }
  // For cores that run in windows of time (soft/direct/schedule/pace.h), within which their accesses have no
  // order. While the core defers invalidations, it keeps lines that others take. At a window's end, while no
  // core runs, any core seals the queued entries. The core itself applies them when its next window begins.
  void defer_invalidations(bool defer) { caches_.defer_invalidations(defer); }
  void seal_invalidations() {
    if (shared_->has_invalidations()) shared_->forward_invalidations();
    caches_.seal_invalidations();
  }
  void apply_sealed_invalidations() {
    if (caches_.has_invalidations()) apply_own_invalidations(true);
  }

  // A flush instruction removes the line from all levels, of all cores, so that its next use misses. That
  // miss counts as a first use. TLBs do not change, nor do the first levels for code of other cores.
  [[gnu::noinline]] void flush(uint64_t line) {
    uint64_t cached = cached_as(line);
    shared_->flush(number_, cached);
    uint32_t place = l1d_.find(cached);
    if (place != DataSets::kNone) data_filter_.revoke(place, true);
    lose(cached, place);
    forget(cached);
    if (!geometry_.models_code()) return;
    place = l1i_.find(line);
    if (place == CodeSets::kNone) return;
    code_filter_.clear(line, place);
    l1i_.clear(place);
  }

  // Returns how many lines came from other cores since the last call.
  [[nodiscard]] uint64_t take_transfers() {
    uint64_t taken = transfers_;
    transfers_ = 0;
    return taken;
  }

  // A fetch of a code line with presence word 0; the word is in `words`, its page.
  LineOutcome fetch_line(uint64_t line, uint64_t stamp, CodePage& words) {
    if (caches_.has_due_invalidations()) [[unlikely]]
      apply_own_invalidations();
    LineOutcome met;
    translate_code(page_of(line), stamp, words, met);
    uint64_t cached = cached_as(line);
    update_frame(line, cached, PageUse::kFetch, met);
    uint32_t place = l1i_.find(line);
    if (place == CodeSets::kNone) {
      look_below<kAmongOthers>(cached, met);
      place = l1i_.victim(line);
      if (classifies_fetches_) code_classes_.on_eviction(l1i_, place, stamp);
      code_filter_.drop(l1i_.line_at(place), place);
      l1i_.put(place, line);
    }
    l1i_.stamp(place, stamp);
    code_filter_.put(line, stamp, place, words);
    return met;
  }

  // A load or store of all lines of [address, address + bytes): the first at `stamp`, the further lines at
  // `stamp` + 1.
  [[gnu::noinline]] Outcome access_data(uint64_t address, uint32_t bytes, uint64_t stamp, bool writes) {
    uint64_t line = address >> line_shift_;
    uint64_t offset = address & ((uint64_t{1} << line_shift_) - 1);
    uint64_t further_lines = (offset + bytes - 1) >> line_shift_;  // also for non-canonical addresses
    const auto use_of = [&](uint64_t i) {
      return LineUse{i == 0 ? offset : 0, offset + bytes - (i << line_shift_), writes};
    };
    if (classifies_misses_) remember_uses(line, further_lines);
    Outcome sum = outcome_of(access_line(line, stamp, use_of(0)));
    for (uint32_t i = 1; i <= further_lines; ++i)
      sum.add(outcome_of(access_line(line + i, stamp + 1, use_of(i))), i);
    sum.latency_cycles = costs_.of(sum.level, sum.translation, sum.snoop);
    return sum;
  }

  // Returns the class of the first-level miss of the data access that had this `outcome` at `stamp`: the
  // class of its first line that missed. To be called before the next access.
  [[nodiscard]] MissClass data_class(uint64_t address, uint64_t stamp, const Outcome& outcome) const {
    uint32_t missed = outcome.first_missed;
    uint64_t line = cached_as((address >> line_shift_) + missed);
    // Other lines of this access: the earlier ones have the access's stamp; for the later ones, their use
    // before this access counts.
    const auto hidden_since = [&](uint64_t time) {
      uint64_t count = missed > 1 ? missed - 1 : 0;
      for (uint32_t i = missed + 1; i < outcome.lines && i < kMaxRemembered; ++i)
        count += uses_before_[i] >= time ? 1 : 0;
      return count;
    };
    return first_class(data_classes_, l1d_, line, missed == 0 ? stamp : stamp + 1, hidden_since, outcome);
  }

  // Returns the outcome on other machines (record/extension.h) of the data access or fetch that had this
  // `outcome` (with its classes). `line` is its first line. To be called before the next access.
  [[nodiscard]] record::WhatIf what_if(uint64_t line, const Outcome& outcome, bool is_data) {
    record::WhatIf what_if{};
    if (!classifies_misses_) return what_if;
    bool lost = outcome.l1_class > MissClass::kConflict || outcome.l2_class > MissClass::kConflict;
    if (outcome.l1_misses != 0 && outcome.lines == 1 && !lost) {
      answer(what_if, record::WhatIf::kNextLine, is_next_line(line, is_data) && stays(outcome.l1_class));
      if (outcome.l2_class != MissClass::kCompulsory) add_reuse(what_if, l2_classes_);
    }
    if (is_data && outcome.tlb_misses != 0 && huge_pages_.exists())
      answer(what_if, record::WhatIf::kHugePages, huge_pages_.held());
    return what_if;
  }

  // Returns the class of the first-level miss of the fetch of `line`, if fetches are classified. To be called
  // before the next access.
  [[nodiscard]] MissClass fetch_class(uint64_t line, uint64_t stamp, const Outcome& outcome) const {
    if (!classifies_fetches_) return MissClass::kNone;
    return first_class(
        code_classes_, l1i_, line, stamp, [](uint64_t) { return 0; }, outcome);
  }

  [[nodiscard]] Outcome outcome_of(LineOutcome met) const {
    return outcome_of_line(met, missed_l3(met), latency_of(met));
  }
  [[nodiscard]] bool missed_l3(LineOutcome met) const {
    return met.level > Level::kL3 && geometry_.l3.present();
  }
  [[nodiscard]] uint32_t latency_of(LineOutcome met) const {
    return costs_.of(met.level, met.translation, met.snoop);
  }
  // The part of a latency that is the translation's.
  [[nodiscard]] uint32_t translation_latency(Translation how) const {
    return costs_.of(Level::kL1, how, Snoop::kNone) - geometry_.latency.l1;
  }

  // Calls visit(page) for all pages in the TLBs for data: of the first level, then of the second, most recent
  // of each set first. A page in both is visited twice.
  template <typename Visit>
  void for_each_tlb_page(Visit&& visit) const {
    dtlb_.for_each(visit);
    if (geometry_.second_tlb.present()) second_tlb_.for_each_by_recency(visit);
  }

  // 0 if unknown.
  [[nodiscard]] uint64_t physical_address(uint64_t address) const {
    constexpr uint64_t kInPage = (uint64_t{1} << PageFrames::kPageShift) - 1;
    if (!geometry_.physical) return 0;
    uint64_t cached = cached_as(address >> line_shift_);
    uint64_t frame = shared_->frames().frame_of(cached >> (PageFrames::kPageShift - line_shift_));
    return frame == 0 ? 0 : frame << PageFrames::kPageShift | (address & kInPage);
  }

  [[nodiscard]] const MachineGeometry& geometry() const { return geometry_; }
  [[nodiscard]] unsigned line_shift() const { return line_shift_; }
  [[nodiscard]] unsigned page_shift() const { return page_shift_; }
  [[nodiscard]] uint32_t lines_per_page() const { return 1u << (page_shift_ - line_shift_); }

 private:
  static constexpr uint32_t kMaxRemembered = 64;  // lines of an access; saved processor state has the most
  // Limits for replay_access(): a page has at most this many lines in use before it leaves the TLB. After
  // this multiple of a level's lines, each set has seen at least as many lines as it has ways.
  static constexpr uint32_t kLinesOfPageInUse = 32, kSetsAreUneven = 4;
  using DataSets = StampedSets<DataPlace>;
  using CodeSets = StampedSets<CodePlace>;

  // Whether other cores or processes may use the lines: only then the directory is consulted.
  static constexpr bool kAlone = false, kAmongOthers = true;

  void connect(SharedLevels& shared) {
    if (geometry_.physical) l2_.index_by(shared.frames());
    shared_ = &shared;
  }
  [[nodiscard]] uint64_t cached_as(uint64_t line) const { return shared_->cached_as(line) + to_physical_; }
  [[nodiscard]] uint64_t page_of(uint64_t line) const {
    if (is_tagged_line(line)) [[unlikely]]
      return number_of_tagged_page(line, line_shift_, page_shift_);
    return line >> (page_shift_ - line_shift_);
  }

  // Prefetches, on the host, the rows that a miss will read, during the search of the first level. Rows
  // beyond the second level only if one of the last eight first-level misses also missed the second level:
  // otherwise these rows would be fetched in vain.
  [[gnu::always_inline]] void prefetch(uint64_t line) {
    prefetch_own(line);
    if (looks_beyond_l2_ != 0) shared_->prefetch(line);
  }

  [[gnu::always_inline]] void prefetch_own(uint64_t line) {
    if (classifies_misses_) l2_classes_.prefetch(line);
    l2_.prefetch(line);
  }

  // `cached`: the line's name in the caches. Calls may_write(met) if the filter cannot decide whether stores
  // to the line pass from now on.
  template <bool kOthers, typename MayWrite>
  [[gnu::always_inline]] LineOutcome access_line(uint64_t line, uint64_t cached, uint64_t stamp, LineUse use,
                                                 MayWrite&& may_write) {
    LineOutcome met;
    uint32_t place = l1d_.find(cached);
    if (place != DataSets::kNone && data_filter_.pass_again(line, place, use.writes)) {
      l1d_.stamp(place, stamp);
      return met;
    }
    uint32_t entry = translate_data(page_of(line), stamp, met);
    update_frame(line, cached, use.writes ? PageUse::kWrite : PageUse::kRead, met);
    if (place == DataSets::kNone) look_below<kOthers>(cached, met);
    bool written = may_write(met);
    if (place == DataSets::kNone) {
      place = l1d_.victim(cached);
      if (classifies_misses_) data_classes_.on_eviction(l1d_, place, stamp);
      data_filter_.drop(place);
      uint64_t left = l1d_.line_at(place);
      l1d_.put(place, cached);
      if constexpr (kOthers) left_a_level(left);
    } else {
      data_filter_.change_page(place, entry);
    }
    l1d_.stamp(place, stamp);
    data_filter_.put(line, place, entry, written);
    return met;
  }

  [[gnu::noinline]] LineOutcome access_among_others(uint64_t line, uint64_t cached, uint64_t stamp,
                                                    LineUse use) {
    caches_.begin_request(cached);
    if (shared_->has_invalidations()) shared_->forward_invalidations();
    if (caches_.has_due_invalidations()) apply_own_invalidations();
    Answer answer;
    LineOutcome met = access_line<kAmongOthers>(line, cached, stamp, use, [&](const LineOutcome& own) {
      bool fetches = own.level >= Level::kL3;
      bool keeps = caches_.defers() && !fetches;
      answer = shared_->use(number_, cached, {use.bits(line_shift_), use.writes, fetches, keeps});
      return answer.may_write;
    });
    caches_.end_request();
    // Another core has requested the line since shared_->use(): it no longer passes the filter.
    if (caches_.has_due_invalidations()) [[unlikely]]
      apply_own_invalidations();
    apply_answer(answer, met);
    return met;
  }

  // The directory's answer decides the source of the line and, if others took it, the reason of the miss.
  void apply_answer(const Answer& answer, LineOutcome& met) {
    if (answer.snoop != Snoop::kNone && (met.level >= Level::kL3 || answer.waited)) {
      ++transfers_;
      met.level = Level::kL3;
      met.l3_class = MissClass::kNone;
      met.snoop = answer.snoop;
    }
    if (answer.sharing == MissClass::kNone || met.level < Level::kL3 || !classifies_misses_) return;
    met.l2_class = answer.sharing;
    if (answer.waited || answer.lost_from_first) met.l1_class = answer.sharing;
  }

  // Applies the invalidations in this core's own queue.
  [[gnu::noinline]] void apply_own_invalidations(bool sealed = false) {
    const auto apply = [&](uint64_t line, LineChange change) {
      uint32_t place = l1d_.find(line);
      // It may have fetched the line again since.
      bool lost = change != LineChange::kDowngraded && !shared_->is_holder(number_, line);
      if (place != DataSets::kNone) data_filter_.revoke(place, lost);
      if (lost) lose(line, place);
      if (lost && change == LineChange::kFlushed) forget(line);
    };
    const auto recheck_all = [&] {
      const auto look_at = [&](uint64_t line) { apply(line, LineChange::kInvalidated); };
      l1d_.for_each(look_at);
      l2_.for_each(look_at);
    };
    sealed ? caches_.drain_sealed_invalidations(apply, recheck_all)
           : caches_.drain_invalidations(apply, recheck_all);
  }
  void lose(uint64_t line, uint32_t place) {
    if (shared_->has_common_memory() && (place != DataSets::kNone || l2_.contains(line))) shared_->drop(line);
    if (place != DataSets::kNone) {
      data_filter_.drop(place);
      l1d_.clear(place);
    }
    l2_.remove(line);
    if (classifies_misses_) l2_classes_.drop(line);
  }

  // A flush instruction has removed the line: its next miss counts as its first use.
  void forget(uint64_t line) {
    late_uses_.remove(line);
    if (classifies_misses_) l2_classes_.forget(line);
  }

  void replay_page(uint64_t page, uint64_t stamp, bool may_be_in_tlb, LineOutcome& met) {
    if (page == replayed_page_) return;
    if (may_be_in_tlb)
      translate_data(page, stamp, met);
    else if (geometry_.second_tlb.present())
      second_tlb_.access(page);
    replayed_page_ = page;
  }

  // Returns the data TLB's entry for a page, and inserts the page if it is missing.
  [[gnu::always_inline]] uint32_t translate_data(uint64_t page, uint64_t stamp, LineOutcome& met) {
    uint32_t entry = dtlb_.find(page);
    if (entry == Tlb::kNoEntry) {
      met.translation = translation_of(page);
      if (classifies_misses_) huge_pages_.use(page);
      entry = dtlb_.bring_in(
          page,
          stamp, [&](uint32_t each) __attribute__((always_inline)) { return data_filter_.latest_use(each); },
          [&](uint32_t each) __attribute__((always_inline)) { data_filter_.drop_page(each); });
    }
    data_filter_.stamp(entry, stamp);
    return entry;
  }

  [[gnu::always_inline]] void update_frame(uint64_t line, uint64_t cached, PageUse use,
                                           const LineOutcome& met) {
    if (!geometry_.physical) [[likely]]
      return;
    shared_->frames().update(line, cached, use, met.translation != Translation::kFirstTlb);
  }

  void translate_code(uint64_t page, uint64_t stamp, CodePage& words, LineOutcome& met) {
    if (itlb_.find(page) != Tlb::kNoEntry) return;
    met.translation = translation_of(page);
    uint32_t entry = itlb_.bring_in(
        page, stamp, [&](uint32_t each) { return code_filter_.latest_use(each); },
        [&](uint32_t each) { code_filter_.drop_page(each); });
    code_filter_.put_page(entry, words);
  }

  // Returns where the translation of a page is found that the first-level TLB lacks.
  [[gnu::always_inline]] Translation translation_of(uint64_t page) {
    bool second = geometry_.second_tlb.present() && second_tlb_.access(page);
    return second ? Translation::kSecondTlb : Translation::kPageWalk;
  }

  // Finds a line that the first level lacks.
  template <bool kOthers>
  [[gnu::always_inline]] void look_below(uint64_t line, LineOutcome& met) {
    MissClass l2_class = classifies_misses_ ? l2_classes_.use(line) : MissClass::kNone;
    met.level = Level::kL2;
    uint64_t left = Cache::kNothing;
    bool present = l2_.access(line, kOthers ? &left : nullptr);
    looks_beyond_l2_ = static_cast<uint8_t>(looks_beyond_l2_ << 1 | (present ? 0 : 1));
    if (present) return;
    if constexpr (kOthers) left_a_level(left);
    met.l2_class = l2_class;
    shared_->look(line, holder_, late_uses_, met);
  }
  // The line has left one of the two levels that may hold data: if neither holds it, the core no longer has
  // it.
  void left_a_level(uint64_t line) {
    if (shared_->has_common_memory() && line != Cache::kNothing && l1d_.find(line) == DataSets::kNone &&
        !l2_.contains(line))
      shared_->drop(line);
  }

  // Whether a prefetcher that fetches the next line after each miss would have fetched `line` recently.
  [[nodiscard]] bool is_next_line(uint64_t line, bool is_data) {
    auto kept = static_cast<uint32_t>((is_data ? geometry_.l1d : geometry_.l1i).entries());
    return line % lines_per_page() != 0 && l2_classes_.is_recent(cached_as(line - 1), kept);
  }
  // Records the previous uses of the lines of an access after its first.
  void remember_uses(uint64_t line, uint64_t further_lines) {
    for (uint32_t i = 1; i <= further_lines && i < kMaxRemembered; ++i)
      uses_before_[i] = data_classes_.last_use(l1d_, cached_as(line + i));
  }

  template <typename Slot, typename HiddenSince>
  [[nodiscard]] MissClass first_class(const FirstLevelClasses& classes, const StampedSets<Slot>& cache,
                                      uint64_t line, uint64_t stamp, HiddenSince&& hidden_since,
                                      const Outcome& outcome) const {
    if (!classifies_misses_ || outcome.l1_misses == 0) return MissClass::kNone;
    if (outcome.l1_class != MissClass::kNone) return outcome.l1_class;
    return classes.class_of(cache, line, stamp, hidden_since);
  }

  MachineGeometry geometry_;
  AccessCosts costs_;
  SharedLevels* shared_ = nullptr;
  uint32_t number_ = 0;  // among the cores that share them
  uint32_t holder_ = 0;  // the running thread, as owner of lines of a session's cache (session_cache.h)
  LateUses late_uses_;   // of the third level
  unsigned line_shift_ = 0;
  unsigned page_shift_ = 0;
  bool classifies_misses_ = false;
  bool classifies_fetches_ = false;
  DataSets l1d_;
  CodeSets l1i_;
  Tlb dtlb_, itlb_;
  DataFilter data_filter_;
  CodeFilter code_filter_;
  Cache l2_, second_tlb_;
  FirstLevelClasses data_classes_, code_classes_;
  LowerLevelClasses l2_classes_;
  uint64_t uses_before_[kMaxRemembered] = {};  // by line of the last access over several lines
  HugePageTlb huge_pages_;
  uint8_t looks_beyond_l2_ = 0;  // one bit for each of the last first-level misses: set if it missed L2
  uint64_t replayed_page_ = ~uint64_t{0};  // the last page of lines that skipped the first level
  uint64_t transfers_ = 0;                 // number of lines from other cores
  uint64_t to_physical_ = 0;               // set_physical_offset()
  PrivateCaches caches_;
};

}  // namespace hm::model
