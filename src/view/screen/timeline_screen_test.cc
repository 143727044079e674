// SPDX-License-Identifier: MIT
#include "view/screen/timeline_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "view/text/format.h"

namespace hm::screen {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr uint64_t kTick = 100'000;

// A second of one thread: 'early', in the middle 'spike' for 2 ms, then 'late'.
profile::Profile second_of_a_run() {
  profile::Profile profile;
  profile.events.resize(1);
  profile.events[0].name = "clock";
  profile.dsos.resize(2);
  profile.threads.push_back({.pid = 7, .tid = 7, .comm = "run"});
  for (const char* name : {"early", "late", "spike"}) {
    auto number = static_cast<uint32_t>(profile.functions.size());
    profile.functions.push_back({.dso = 1, .name = name, .start = 0, .size = 0});
    profile.locations.push_back({.dso = 1, .offset = 0, .function = number, .address = 0});
  }
  for (uint32_t i = 0; i <= 10'000; ++i) {
    profile.samples.time_ns.set(i, i * kTick);
    profile.samples.event.push_back(0);
    profile.samples.thread.push_back(0);
    profile.samples.location.push_back(i > 6'000 && i <= 6'020 ? 2 : i < 5'000 ? 0 : 1);
  }
  return profile;
}

class OfASecond : public ::testing::Test {
 protected:
  std::string text(Size size = {}) {
    screen.resize(size);
    std::vector<std::string> rows(size.rows, std::string(size.columns, ' '));
    for (const Piece& piece : screen.draw()) {
      EXPECT_LT(piece.row, size.rows);
      EXPECT_LE(piece.column + text::columns_of(piece.text), size.columns);
      rows[piece.row].replace(piece.column, piece.text.size(), piece.text);
    }
    std::string all;
    for (const std::string& row : rows) all += row + '\n';
    return all;
  }
  void press(std::string_view keys) {
    for (char key : keys) screen.press(key);
  }

  profile::Profile profile = second_of_a_run();
  timeline::History history = *timeline::History::make(profile, {});
  TimelineScreen screen{history, "# lost: none\n", {}};
};

TEST_F(OfASecond, BeginsWithAllOfIt) {
  std::string shown = text();
  EXPECT_THAT(shown, HasSubstr("clock  0 ns to 1 s of 1 s  cells of"));
  EXPECT_THAT(shown, HasSubstr("7 run"));
  EXPECT_THAT(shown, HasSubstr("aaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbb"));
  EXPECT_THAT(shown, HasSubstr("early"));
  EXPECT_THAT(shown, HasSubstr("1 episode;"));
  EXPECT_THAT(text({50, 200}), HasSubstr("late"));
}

TEST_F(OfASecond, JumpsToTheEpisode) {
  (void)text();
  press("e");
  EXPECT_LT(screen.begin_ns(), 6'001 * kTick);
  EXPECT_GT(screen.end_ns(), 6'020 * kTick);
  EXPECT_LT(screen.end_ns() - screen.begin_ns(), 1'000 * kTick);
  std::string shown = text({24, 200});
  EXPECT_THAT(shown, HasSubstr("spike"));
  press("e");
  EXPECT_THAT(text(), HasSubstr("no more episodes in this direction"));
}

TEST_F(OfASecond, SearchesAFunction) {
  (void)text();
  press("/spi");
  EXPECT_THAT(text(), HasSubstr("search: spi_"));
  press("x");
  screen.press(kBackspace);
  screen.press(kEnter);
  uint64_t cell = (screen.end_ns() - screen.begin_ns()) / 58;
  EXPECT_NEAR(static_cast<double>(screen.begin_ns() + screen.cursor() * cell), 6'000.0 * kTick,
              2.0 * static_cast<double>(cell));
  press("n");
  EXPECT_THAT(text(), HasSubstr("'spi' does not run after the cursor"));
}

TEST_F(OfASecond, OpensTheSamplesFromACellOn) {
  (void)text();
  press("+++++++");
  screen.press(kEnter);
  EXPECT_THAT(text(), HasSubstr("0.000000 s  7 run: early"));
  screen.press(kDown);
  EXPECT_THAT(text(), HasSubstr("0.000100 s  7 run: early"));
  press("x");
  EXPECT_THAT(text(), HasSubstr("7 run  "));
}

TEST_F(OfASecond, TellsWhatWasRecorded) {
  press("i");
  EXPECT_THAT(text(), AllOf(HasSubstr("# lost: none"), HasSubstr("without branches")));
  press("i");
  EXPECT_THAT(text(), HasSubstr("7 run  "));
}

TEST_F(OfASecond, HelpsAndEnds) {
  press("?");
  EXPECT_THAT(text(), HasSubstr("the whole run"));
  press(" ");
  EXPECT_FALSE(screen.finished());
  press("q");
  EXPECT_TRUE(screen.finished());
}

// For random keys and terminal sizes the window stays within the run.
TEST_F(OfASecond, StaysWithinTheRun) {
  std::mt19937 random(4);
  const std::vector<int> keys{kLeft, kRight, kUp, kDown, kPageUp, kPageDown,  '<', '>',
                              '+',   '-',    '0', 'b',   '/',     's',        'n', 'e',
                              'E',   kEnter, '?', 'i',   kEscape, kBackspace, 300};
  for (int i = 0; i < 3000; ++i) {
    screen.press(keys[random() % keys.size()]);
    if (i % 10 == 0) (void)text({1 + random() % 60, 1 + random() % 220});
    ASSERT_LT(screen.begin_ns(), screen.end_ns());
    ASSERT_LE(screen.end_ns(), history.length_ns());
  }
  press("x");
  EXPECT_FALSE(screen.finished());
}

TEST_F(OfASecond, FollowsWhatIsNew) {
  screen.follow(100 * kTick);
  screen.update(history, "");
  EXPECT_EQ(screen.begin_ns(), history.length_ns() - 100 * kTick);
  EXPECT_THAT(text(), HasSubstr("following"));
  press("-");
  screen.update(history, "");
  EXPECT_EQ(screen.end_ns() - screen.begin_ns(), 200 * kTick) << "it follows no more";
}

}  // namespace
}  // namespace hm::screen
