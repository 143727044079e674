// SPDX-License-Identifier: MIT
// How long lines wait for their next use, and at what depth of their set they are found then, for randomly
// chosen accesses. Another program's use of a shared cache in the meantime increases these depths.
// Freestanding.
//
// A chosen access's line is watched until its next use (Berg and Hagersten, "StatCache: A Probabilistic
// Approach to Efficient and Accurate Data Locality Analysis", ISPASS 2004).
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/geometry.h"
#include "model/size_counts.h"

namespace hm::model {

// Times are counted in accesses, in classes with the lower bounds 1, 2, 3, 4, 6, 8, 12, ...: two per power of
// two.
inline constexpr uint32_t kReuseClasses = 80;

constexpr uint32_t reuse_class(uint64_t accesses) {
  if (accesses < 2) return 0;
  auto power = static_cast<uint32_t>(63 - __builtin_clzll(accesses));
  uint32_t found = 2 * power - 1 + (accesses >> (power - 1) & 1);
  return found < kReuseClasses ? found : kReuseClasses - 1;
}
constexpr uint64_t reuse_class_begin(uint32_t i) {
  return i == 0 ? 1 : (2 + ((i + 1) & 1)) * (uint64_t{1} << ((i + 1) / 2)) / 2;
}

// Plain data: the engines write it, the recorder reads it.
struct ReuseCounts {
  // By time class, by number of sets, and by depth at the next use: SizeRange::ways is a miss at all ways.
  uint64_t of[kReuseClasses][kMaxSetCounts][kMaxCacheWays + 1] = {};
};

class ReuseTimes {
 public:
  static constexpr uint64_t kPeriod = 64;  // mean number of accesses between chosen ones

  ReuseTimes() = default;
  explicit ReuseTimes(Arena& arena) : ReuseTimes(kPeriod, arena) {}
  ReuseTimes(uint64_t period, Arena& arena)
      : period_(period),
        filter_(arena.take<uint8_t>(kFilter)),
        watches_(arena.take<Watch>(kPlaces)),
        counts_(arena.take<ReuseCounts>(1)) {
    if (arena.measuring()) return;
    for (uint32_t i = 0; i < kPlaces; ++i) watches_[i].line = kNone;
  }

  // Counts an access to a line. Returns whether note() has to be called for it, with its depths.
  [[gnu::always_inline]] bool advance(uint64_t line) {
    return ++now_ >= next_ || filter_[line % kFilter] != 0;
  }

  // `depth_of(i)`: the depth with the i-th number of sets, of `set_counts`.
  template <typename DepthOf>
  void note(uint64_t line, uint32_t set_counts, DepthOf&& depth_of) {
    uint32_t place = find(line);
    if (watches_[place].line == line) {
      uint32_t time = reuse_class(now_ - watches_[place].since);
      for (uint32_t i = 0; i < set_counts; ++i) counts_->of[time][i][depth_of(i)] += weight_;
      touched_[time / 64] |= uint64_t{1} << time % 64;
      remove(place);
    }
    if (now_ >= next_) watch(line);
  }

  // Moves the counts of this range to `sum`, to which others add concurrently.
  void move_to(ReuseCounts& sum, const SizeRange& range) {
    if (counts_ == nullptr) return;
    for (uint32_t time = 0; time < kReuseClasses; ++time) {
      if ((touched_[time / 64] >> time % 64 & 1) == 0) continue;
      for (uint32_t i = 0; i < range.set_counts; ++i) {
        for (uint32_t depth = 0; depth <= range.ways; ++depth)
          move(counts_->of[time][i][depth], sum.of[time][i][depth]);
      }
    }
    for (uint64_t& word : touched_) word = 0;
  }

 private:
  static constexpr uint32_t kPlaces = 1 << 14, kMaxWatched = kPlaces / 2, kFilter = 1 << 15;
  static constexpr uint64_t kNone = ~uint64_t{0};
  struct Watch {
    uint64_t line;
    uint64_t since;
  };

  static void move(uint64_t& from, uint64_t& to) {
    if (from != 0) __atomic_fetch_add(&to, from, __ATOMIC_RELAXED);
    from = 0;
  }

  uint64_t random() {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    return random_ >> 33;
  }

  static uint32_t home_of(uint64_t line) {
    return static_cast<uint32_t>(line * 0x9E3779B97F4A7C15u >> 50) % kPlaces;
  }
  // Returns the line's slot, or the slot to put it in.
  [[nodiscard]] uint32_t find(uint64_t line) const {
    uint32_t place = home_of(line);
    while (watches_[place].line != line && watches_[place].line != kNone) place = (place + 1) % kPlaces;
    return place;
  }

  void add(const Watch& watch) {
    watches_[find(watch.line)] = watch;
    uint8_t& filter = filter_[watch.line % kFilter];
    if (filter != UINT8_MAX) ++filter;  // a saturated counter is never decreased
    ++watched_;
  }

  // Moves later entries of the probe sequence up, so that find() does not end too soon.
  void remove(uint32_t place) {
    uint8_t& filter = filter_[watches_[place].line % kFilter];
    if (filter != UINT8_MAX) --filter;
    --watched_;
    uint32_t free = place;
    for (uint32_t next = (place + 1) % kPlaces; watches_[next].line != kNone; next = (next + 1) % kPlaces) {
      uint32_t home = home_of(watches_[next].line);
      if ((next - home) % kPlaces < (next - free) % kPlaces) continue;
      watches_[free] = watches_[next];
      free = next;
    }
    watches_[free].line = kNone;
  }

  void watch(uint64_t line) {
    if (watched_ == kMaxWatched) thin_out();
    add({line, now_});
    next_ = now_ + (period_ == 1 ? 1 : 1 + random() % (2 * period_ - 1));
  }

  // Keeps a random half of the watched lines, which represent all from now on, and chooses half as many
  // accesses.
  void thin_out() {
    for (uint32_t place = 0; place < kPlaces; ++place) {
      // A removal may move another line here, which has a separate chance to stay.
      while (watches_[place].line != kNone && (random() & 1) != 0) remove(place);
    }
    weight_ *= 2;
    period_ *= 2;
  }

  uint64_t now_ = 0;
  uint64_t next_ = 1;
  uint64_t period_ = kPeriod;
  uint64_t weight_ = 1;  // of a chosen access
  uint64_t random_ = 1;
  uint32_t watched_ = 0;
  uint64_t touched_[(kReuseClasses + 63) / 64] = {};  // classes with counts
  uint8_t* filter_ = nullptr;                         // number of watched lines by their lowest bits
  Watch* watches_ = nullptr;
  ReuseCounts* counts_ = nullptr;
};

}  // namespace hm::model
