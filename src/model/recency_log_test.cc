// SPDX-License-Identifier: MIT
#include "model/recency_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>
#include <vector>

#include "model/reference_models.h"

namespace hm::model {
namespace {

struct Times {
  std::map<uint64_t, RecencyLog::Time>& by_line;
  RecencyLog::Time& operator()(uint64_t line) const { return by_line[line]; }
  template <typename Change>
  void each(Change&& change) const {
    for (auto& [line, time] : by_line) {
      if (time != RecencyLog::kNever) change(time);
    }
  }
};

class LogOf {
 public:
  explicit LogOf(uint64_t entries, RecencyLog::Time start = 2) : storage_(16 * entries + 256) {
    Arena arena(
        reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(storage_.data()) + 63) & ~uintptr_t{63}));
    log_ = RecencyLog(entries, arena, start);
  }
  bool use(uint64_t line) { return log_.use(line, times_[line], Times{times_}); }
  [[nodiscard]] uint32_t lines_between() const { return log_.lines_between(); }
  void drop(uint64_t line) { log_.drop(times_[line]); }

 private:
  std::vector<uint64_t> storage_;
  RecencyLog log_;
  std::map<uint64_t, RecencyLog::Time> times_;
};

// Mostly uses of a few lines: the log fills with dead uses between live ones.
uint64_t next_line(std::mt19937& random) { return random() % 4 == 0 ? random() % 300 : random() % 20; }

TEST(RecencyLog, HasTheMostRecentLines) {
  for (uint32_t entries : {1u, 7u, 64u, 200u}) {
    LogOf fast(entries);
    reference::LruSets slow({1, entries});
    std::mt19937 random(entries);
    for (int step = 0; step < 50000; ++step) {
      uint64_t line = next_line(random);
      ASSERT_EQ(fast.use(line), slow.access(line)) << entries << " entries, at step " << step;
    }
  }
}

TEST(RecencyLog, TimesBeginAnewBeforeTheyWrap) {
  LogOf fast(64, 0xefffff80);
  reference::LruSets slow({1, 64});
  std::mt19937 random(1);
  for (int step = 0; step < 50000; ++step) {
    uint64_t line = next_line(random);
    ASSERT_EQ(fast.use(line), slow.access(line)) << "at step " << step;
  }
}

TEST(RecencyLog, KnowsHowManyLinesWereUsedSinceTheLastUse) {
  constexpr uint32_t kEntries = 64;
  LogOf log(kEntries, 0xefffff80);
  std::list<uint64_t> recent;  // most recent first
  std::mt19937 random(3);
  int kept = 0;
  for (int step = 0; step < 50000; ++step) {
    uint64_t line = next_line(random);
    auto found = std::ranges::find(recent, line);
    auto between = static_cast<uint32_t>(std::distance(recent.begin(), found));
    bool known = found != recent.end() && between < kEntries;
    if (found != recent.end()) recent.erase(found);
    recent.push_front(line);
    log.use(line);
    ASSERT_EQ(log.lines_between(), known ? between : RecencyLog::kNotKept) << "at step " << step;
    kept += known ? 1 : 0;
  }
  EXPECT_GT(kept, 10000);
  EXPECT_LT(kept, 49000);
}

TEST(RecencyLog, ALineThatIsDroppedMakesRoom) {
  LogOf log(2);
  log.use(1);
  log.use(2);
  log.drop(1);
  EXPECT_FALSE(log.use(3));
  EXPECT_TRUE(log.use(2));
  EXPECT_FALSE(log.use(1));
}

}  // namespace
}  // namespace hm::model
