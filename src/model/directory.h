// SPDX-License-Identifier: MIT
// The directory: records which core has which line. Coherence by invalidation, as in MESI (Papamarcos and
// Patel, ISCA 1984). Freestanding.
//
// A line is private until a second core requests it while the first core still has it. Then it is a line with
// readers. Once a core writes it, a record holds the cores that lost it, and the bytes that other cores have
// written since. A core that requests the line again misses by true sharing if it uses one of these bytes,
// else by false sharing (Torrellas, Lam and Hennessy, IEEE Transactions on Computers 43, 1994).
//
// Lines that only the first core has ever requested need no entry.
#pragma once

#include <stdint.h>

#include "model/line_table.h"
#include "model/lock_guard.h"
#include "model/outcome.h"
#include "model/private_caches.h"
#include "model/spin_lock.h"

namespace hm::model {

// A core's request for a line.
struct Demand {
  uint64_t bytes;  // of the line, one bit for each 64th of its size
  bool writes;
  bool fetches;  // the core's own caches do not have the line
  bool keeps;  // its caches have the line, and keep it for now if another core takes it (defer_invalidations)
};

// The directory's answer to a core's request for a line.
struct Answer {
  Snoop snoop = Snoop::kNone;            // state of the line in another core
  MissClass sharing = MissClass::kNone;  // why, if the core had lost the line or had to take it from readers
  bool lost_from_first = false;          // the core's first level had the line when the core lost it
  bool waited = false;                   // for ownership of a line that it had
  bool may_write = true;                 // without a request, until another core revokes that
};

// A holder is the interface to a core's caches (PrivateCaches), or to a process's caches (ProcessCaches).
// Comments here say "core" for both.
inline constexpr uint32_t kMaxHolders = 62;

template <typename Holder, typename Lock>
class BasicDirectory {
 public:
  BasicDirectory() = default;
  BasicDirectory(uint32_t max_cores, MemorySource more, Arena& arena)
      : max_cores_(max_cores), more_(more), words_(more, arena) {}

  // Adds a core; returns its number. Calls must not overlap.
  uint32_t add(Holder& caches) {
    LockGuard guard(locks_[0].lock);
    cores_[core_count_] = &caches;
    __atomic_store_n(&core_count_, core_count_ + 1, __ATOMIC_SEQ_CST);
    return core_count_ - 1;
  }
  // While there is only one core, it need not consult the directory.
  [[nodiscard]] bool has_many_cores() const { return __atomic_load_n(&core_count_, __ATOMIC_RELAXED) > 1; }

  // `core`, which has called PrivateCaches::begin_request(line), uses the line.
  Answer use(uint32_t core, uint64_t line, Demand use) {
    uint64_t* place = words_.of(line);
    if (place == nullptr) return {};
    Word seen{__atomic_load_n(place, __ATOMIC_ACQUIRE)};
    if (seen.is_private() && seen.owner() == core) {
      Word now = Word::private_to(core, use.writes || (seen.modified() && !use.fetches));
      // If another core requests the line meanwhile, it finds that the owner has the line or requests it. The
      // owner then gets an invalidation afterwards.
      if (now.bits == seen.bits ||
          __atomic_compare_exchange_n(place, &seen.bits, now.bits, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        return {.may_write = now.modified()};
    }
    LockGuard guard(locks_[line % kLocks].lock);
    Word word{*place};
    Answer answer = word.is_private()   ? use_private(core, line, use, word, *place)
                    : word.is_readers() ? use_read(core, line, use, word)
                                        : use_written(core, line, use, *word.record());
    __atomic_store_n(place, word.bits, __ATOMIC_RELEASE);
    return answer;
  }

  // Returns whether the core may still have the line. Fetches of code do not consult the directory, so a line
  // without an entry may be code that the core has; `is_data`: the line is not code.
  [[nodiscard]] bool is_holder(uint32_t core, uint64_t line, bool is_data = false) {
    uint64_t* place = words_.of(line);
    if (place == nullptr) return true;
    LockGuard guard(locks_[line % kLocks].lock);
    Word word{*place};
    if (word.bits == 0 && !is_data) return true;
    if (word.is_private()) return word.owner() == core;
    return ((word.is_readers() ? word.readers() : word.record()->holders) >> core & 1) != 0;
  }

  // `core` executes a flush instruction: all other cores lose the line, and until its next request no core is
  // its holder. `core` removes the line from its own caches itself.
  void flush(uint32_t core, uint64_t line) {
    uint64_t* place = words_.of(line);
    if (place == nullptr) return;
    LockGuard guard(locks_[line % kLocks].lock);
    Cores holders = take_holders(*place) & ~bit(core);
    for_each(holding(holders, line), [&](uint32_t each) { cores_[each]->flush(line); });
  }

  // Called on behalf of a non-holder: every core loses the line, or none may write it without a request.
  void invalidate_in_all(uint64_t line) {
    if (has_many_cores()) forget_holders(line);
    for_all([&](Holder& each) { each.invalidate(line); });
  }
  void flush_in_all(uint64_t line) {
    if (has_many_cores()) forget_holders(line);
    for_all([&](Holder& each) { each.flush(line); });
  }
  void downgrade_in_all(uint64_t line) {
    for_all([&](Holder& each) { each.downgrade(line); });
  }
  // Every core may have lost any of its lines.
  void recheck_in_all() {
    for_all([](Holder& each) { each.recheck_all(); });
  }

  // See LineTable.
  [[nodiscard]] bool has_grown() const { return words_.has_grown(); }
  template <typename IsUsed>
  void forget_unused(IsUsed&& is_used) {
    words_.forget_unused(is_used, [](uint64_t&) {});
  }

  // Calls visit(lock) for each lock, in locking order.
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    for (PaddedLock<Lock>& each : locks_) visit(each.lock);
    for (uint32_t i = 0; i < core_count_; ++i) cores_[i]->for_each_lock(visit);
  }
  // Called in a forked child, which lacks the threads that had requested lines.
  void end_requests() {
    for (uint32_t i = 0; i < core_count_; ++i) cores_[i]->end_request();
  }

 private:
  static constexpr uint32_t kLocks = 64;
  // A core that has written a line this often, without a request of another core, may write on without a
  // request. From then on its written bytes are not recorded. For lines that cores often take from each
  // other, far more writes are recorded: all writes of the first kSeenExchanges exchanges, then those of one
  // exchange in kSeenAfterwards.
  static constexpr uint32_t kQuietWrites = 64, kManyWrites = 4096;
  static constexpr uint32_t kOften = 8, kSeenExchanges = 256, kSeenAfterwards = 16;

  using Cores = uint64_t;  // a set with one bit per core

  // State of a line that was written while other cores had it.
  struct Record {
    Cores holders;
    Cores away;             // cores that have lost it and have not requested it since
    Cores away_from_first;  // the cores of `away` that had it in their first level
    Cores unseen;           // the cores of `away` that lost the line before unrecorded writes
    uint32_t writer;        // the last core that wrote it
    uint32_t quiet_writes;  // the writer's writes since the last request of another core
    bool modified;          // by the writer, and not read by another core since
    uint32_t exchanges;     // number of requests by cores other than the writer
    MissClass last_sharing;
    MissClass last_seen;  // of the last exchange before which all writes were recorded
    uint64_t written[];   // by core: the bytes that others have written since it lost the line
  };

  // A line's entry. Zero: the first core has the line, or none has, and the first core may write it.
  struct Word {
    static constexpr uint64_t kTags = 3, kReaders = 1, kRecord = 2, kClean = 4;
    static constexpr unsigned kOwnerShift = 3, kReadersShift = 2;
    uint64_t bits;

    static Word private_to(uint32_t core, bool modified) {
      return {uint64_t{core} << kOwnerShift | (modified ? 0 : kClean)};
    }
    static Word read_by(Cores readers) { return {readers << kReadersShift | kReaders}; }
    static Word of(Record* record) { return {reinterpret_cast<uint64_t>(record) | kRecord}; }

    [[nodiscard]] bool is_private() const { return (bits & kTags) == 0; }
    [[nodiscard]] bool is_readers() const { return (bits & kTags) == kReaders; }
    [[nodiscard]] uint32_t owner() const { return static_cast<uint32_t>(bits >> kOwnerShift); }
    [[nodiscard]] bool modified() const { return (bits & kClean) == 0; }
    [[nodiscard]] Cores readers() const { return bits >> kReadersShift; }
    [[nodiscard]] Record* record() const { return reinterpret_cast<Record*>(bits & ~kTags); }
  };

  static constexpr Cores bit(uint32_t core) { return Cores{1} << core; }
  template <typename Visit>
  static void for_each(Cores cores, Visit&& visit) {
    for (; cores != 0; cores &= cores - 1) visit(static_cast<uint32_t>(__builtin_ctzll(cores)));
  }
  template <typename Visit>
  void for_all(Visit&& visit) {
    uint32_t count = __atomic_load_n(&core_count_, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; ++i) visit(*cores_[i]);
  }
  void forget_holders(uint64_t line) {
    uint64_t* place = words_.of(line);
    if (place == nullptr) return;
    LockGuard guard(locks_[line % kLocks].lock);
    (void)take_holders(*place);
  }
  // Returns the holders of the line with the entry `place`, and makes it a line without holders. An owner
  // that works without the lock either finds that the line is not private, or its request is seen afterwards.
  // The caller has the line's lock.
  Cores take_holders(uint64_t& place) {
    Word word{place};
    if (!word.is_private() && !word.is_readers()) {
      Record& record = *word.record();
      Cores holders = record.holders;
      record.holders = 0;
      return holders;
    }
    word.bits = __atomic_exchange_n(&place, Word::read_by(0).bits, __ATOMIC_SEQ_CST);
    return word.is_private() ? bit(word.owner()) : word.readers();
  }

  // Returns the cores of `cores` that hold the line.
  [[nodiscard]] Cores holding(Cores cores, uint64_t line) const {
    Cores holding = 0;
    for_each(cores, [&](uint32_t each) { holding |= cores_[each]->holds(line) ? bit(each) : 0; });
    return holding;
  }

  Answer use_private(uint32_t core, uint64_t line, Demand use, Word& word, uint64_t& place) {
    uint32_t owner = word.owner();
    // The owner works without the lock while the line is private to it. After the exchange it either finds
    // that the line is not private, or its request is seen below. Meanwhile both cores count as readers, so
    // no core works without the lock.
    if (owner != core)
      word.bits = __atomic_exchange_n(&place, Word::read_by(bit(owner) | bit(core)).bits, __ATOMIC_SEQ_CST);
    if (owner == core || !cores_[owner]->holds(line)) {
      word = Word::private_to(core, use.writes || (owner == core && word.modified() && !use.fetches));
      return {.may_write = word.modified()};
    }
    Answer answer{.snoop = word.modified() ? Snoop::kModified : Snoop::kClean, .may_write = false};
    if (use.writes) {
      write_first(core, line, use, bit(owner), word, answer);
    } else {
      cores_[owner]->downgrade(line);
      word = Word::read_by(bit(owner) | bit(core));
    }
    return answer;
  }

  Answer use_read(uint32_t core, uint64_t line, Demand use, Word& word) {
    Cores readers = word.readers();
    bool had_it = (readers & bit(core)) != 0;
    if (!use.writes && had_it) return {.may_write = false};
    Cores others = holding(readers & ~bit(core), line);
    if (others == 0) {
      word = Word::private_to(core, use.writes);
      return {.may_write = use.writes};
    }
    Answer answer{.snoop = Snoop::kClean, .may_write = false};
    if (use.writes) {
      answer.waited = had_it;
      answer.sharing = had_it ? MissClass::kSharing : MissClass::kNone;
      write_first(core, line, use, others, word, answer);
    } else {
      word = Word::read_by(others | bit(core));
    }
    return answer;
  }

  // The first write while `others` have the line. If there is no memory for a record, they count as never
  // having had the line.
  void write_first(uint32_t core, uint64_t line, Demand use, Cores others, Word& word, Answer& answer) {
    auto* record = static_cast<Record*>(more_(sizeof(Record) + max_cores_ * sizeof(uint64_t)));
    word = record == nullptr ? Word::private_to(core, true) : Word::of(record);
    if (record == nullptr) {
      for_each(others, [&](uint32_t each) { cores_[each]->invalidate(line); });
      answer.may_write = true;
      return;
    }
    take_away(*record, others, line, use.bytes);
    become_writer(*record, core);
  }

  Answer use_written(uint32_t core, uint64_t line, Demand use, Record& record) {
    bool had_it = (record.holders & bit(core)) != 0;
    if (use.keeps && (record.away & bit(core)) != 0) return {.may_write = false};
    if (!use.writes && had_it) return {.may_write = writes_unseen(record) && record.writer == core};
    if (record.writer != core) disturb(record, line);
    Answer answer{.may_write = false};
    Cores others = holding(record.holders & ~bit(core), line);
    bool from_writer = record.modified && (others & bit(record.writer)) != 0;
    answer.snoop = from_writer ? Snoop::kModified : others != 0 ? Snoop::kClean : Snoop::kNone;
    if ((record.away & bit(core)) != 0) come_back(record, core, use, answer);
    if (!use.writes) {
      if (record.writer != core) record.modified = false;
      record.holders = others | bit(core);
      return answer;
    }
    if (had_it && others != 0) {
      answer.waited = true;
      answer.sharing = record.last_sharing == MissClass::kNone ? MissClass::kSharing : record.last_sharing;
    }
    for_each(record.away & ~others, [&](uint32_t each) { record.written[each] |= use.bytes; });
    take_away(record, others, line, use.bytes);
    record.quiet_writes = record.writer == core && others == 0 ? record.quiet_writes + 1 : 0;
    become_writer(record, core);
    answer.may_write = writes_unseen(record);
    return answer;
  }

  static void become_writer(Record& record, uint32_t core) {
    record.holders = bit(core);
    record.writer = core;
    record.modified = true;
  }

  static bool writes_unseen(const Record& record) {
    uint32_t exchanges = record.exchanges;
    bool sees_many = exchanges >= kOften && (exchanges < kSeenExchanges || exchanges % kSeenAfterwards == 0);
    return record.quiet_writes >= (sees_many ? kManyWrites : kQuietWrites);
  }

  // Called when a core other than the writer requests the line.
  void disturb(Record& record, uint64_t line) {
    if (writes_unseen(record)) {
      cores_[record.writer]->downgrade(line);
      record.unseen |= record.away;
    }
    record.quiet_writes = 0;
    ++record.exchanges;
  }

  // Called when a core requests a line again that it has lost: sets the reason of its miss. If not all writes
  // since were recorded, assumes that they were of the kind recorded before.
  static void come_back(Record& record, uint32_t core, Demand use, Answer& answer) {
    bool overlaps = (record.written[core] & use.bytes) != 0;
    bool unseen = (record.unseen & bit(core)) != 0;
    MissClass guessed = record.last_seen == MissClass::kNone ? MissClass::kSharing : record.last_seen;
    answer.sharing = overlaps ? MissClass::kTrueSharing : unseen ? guessed : MissClass::kFalseSharing;
    if (!unseen) record.last_seen = answer.sharing;
    answer.lost_from_first = (record.away_from_first & bit(core)) != 0;
    record.last_sharing = answer.sharing;
    record.away &= ~bit(core);
    record.away_from_first &= ~bit(core);
    record.unseen &= ~bit(core);
  }

  // The cores `others`, which have the line, lose it to a write of `bytes`.
  void take_away(Record& record, Cores others, uint64_t line, uint64_t bytes) {
    for_each(others, [&](uint32_t each) {
      if (cores_[each]->holds_in_first_level(line)) record.away_from_first |= bit(each);
      cores_[each]->invalidate(line);
      record.written[each] = bytes;
    });
    record.away |= others;
    record.unseen &= ~others;
  }

  uint32_t max_cores_ = 0;
  uint32_t core_count_ = 0;
  MemorySource more_ = nullptr;
  LineTable<uint64_t> words_;
  PaddedLock<Lock> locks_[kLocks];  // by the low bits of the line number
  Holder* cores_[kMaxHolders] = {};
};

// The directory of a process's cores.
using Directory = BasicDirectory<PrivateCaches, SpinLock>;

}  // namespace hm::model
