// SPDX-License-Identifier: MIT
#include "view/screen/llc_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "view/screen/screen_lines.h"
#include "view/screen/test_holders.h"
#include "view/text/format.h"

namespace hm::screen {
namespace {

using occupancy::By;
using occupancy::Row;
using occupancy::Snapshot;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Grid = std::vector<std::vector<std::string>>;

// A wide character takes two cells and leaves the second empty. A character of zero width joins the previous
// cell.
void put(const Piece& piece, Grid& grid) {
  size_t column = piece.column;
  for (size_t i = 0; i < piece.text.size();) {
    size_t next = i + 1;
    while (next < piece.text.size() && (piece.text[next] & 0xc0) == 0x80) ++next;
    std::string character = piece.text.substr(i, next - i);
    size_t width = text::columns_of(character);
    if (width == 0)
      grid[piece.row][column - 1] += character;
    else
      grid[piece.row][column] = character;
    if (width == 2) grid[piece.row][column + 1] = "";
    column += width;
    i = next;
  }
}

std::vector<std::string> drawn(LlcScreen& screen, Size size) {
  screen.resize(size);
  Grid grid(size.rows, std::vector<std::string>(size.columns, " "));
  for (const Piece& piece : screen.draw()) {
    if (piece.row >= size.rows || piece.column + text::columns_of(piece.text) > size.columns) {
      ADD_FAILURE() << "outside: '" << piece.text << "'";
      continue;
    }
    put(piece, grid);
  }
  std::vector<std::string> rows;
  for (const auto& cells : grid) {
    std::string row;
    for (const std::string& cell : cells) row += cell;
    row.resize(row.find_last_not_of(' ') + 1);
    rows.push_back(row);
  }
  return rows;
}

class LlcScreenTest : public ::testing::Test {
 protected:
  LlcScreenTest() { screen.update(holders(0)); }

  std::vector<std::string> rows(Size size = {}) { return drawn(screen, size); }
  std::string text(Size size = {}) {
    std::string all;
    for (const std::string& row : rows(size)) all += row + '\n';
    return all;
  }
  void press(std::string_view keys) {
    for (char key : keys) screen.press(key);
  }
  // The names in the order of the rows.
  std::vector<std::string> names() {
    std::vector<std::string> found;
    bool is_row = false;
    for (const std::string& row : rows({30, 80})) {
      if (row.empty() || row.find("held") != std::string::npos) is_row = false;
      if (is_row) found.push_back(row.substr(row.rfind(' ') + 1));
      if (row.find("NAME") != std::string::npos) is_row = true;
    }
    return found;
  }

  LlcScreen screen{{By::kProcess, By::kThread}, 1, true};
};

TEST_F(LlcScreenTest, ShowsRowsUnderABarOfTheCache) {
  EXPECT_EQ(text({12, 76}), R"(hardmeter llc  by process  0.0 s  every 1 s
resctrl: at least 5.50 MiB of 16.0 MiB held (34.4%) by 4 rows
[AAAAAAAAAAAAAAAAAAABBBBCC·················································]
A 4.00 MiB Batch  B 1.00 MiB walker  C 512 KiB shell  . 10.5 MiB free
      PID     HELD▼  SHARE HISTORY            NAME
A      12  4.00 MiB  25.0%                  █ Batch
B      11  1.00 MiB   6.2%                  █ walker
C      10   512 KiB   3.1%                  █ shell
       13         -      -                    new


? help  q end  Enter details  > sort  t tree  / search  \ filter  b by  Spa…
)");
}

TEST_F(LlcScreenTest, PlotsWhatTheChosenRowHeld) {
  for (uint64_t second = 1; second < 5; ++second) screen.update(holders(second));
  screen.press(kHome);
  std::vector<std::string> found = rows({18, 30});
  found.erase(found.begin(), found.begin() + 10);
  EXPECT_THAT(found, ElementsAre("5.00 MiB held by walker",         //
                                 "  5.00 MiB│                  █",  //
                                 "          │                 ██",  //
                                 "  3.00 MiB│                ███",  //
                                 "          │               ████",  //
                                 "         0│              █████",  //
                                 "                    -4.0 s now",  //
                                 "? help  q end  Enter details …"));
}

TEST_F(LlcScreenTest, Sorts) {
  EXPECT_THAT(names(), ElementsAre("Batch", "walker", "shell", "new"));
  press("R");
  EXPECT_THAT(names(), ElementsAre("shell", "walker", "Batch", "new")) << "not measured: always the last";
  press("N");
  EXPECT_THAT(names(), ElementsAre("shell", "walker", "Batch", "new"));
  EXPECT_THAT(text(), HasSubstr("PID▲"));
  press("A");
  EXPECT_THAT(names(), ElementsAre("Batch", "new", "shell", "walker"));
  press(">");
  EXPECT_THAT(names(), ElementsAre("shell", "walker", "Batch", "new")) << "by PID, the column after the last";
  screen.press(function_key(6));
  EXPECT_THAT(names(), ElementsAre("Batch", "walker", "shell", "new"));
  press("B");
  EXPECT_THAT(text(), HasSubstr("no such column"));
}

TEST_F(LlcScreenTest, StaysOnTheChosenRowWhileOrdersChange) {
  EXPECT_EQ(screen.chosen(), "process 12");
  screen.press(kDown);
  EXPECT_EQ(screen.chosen(), "process 11");
  screen.update(holders(7));
  EXPECT_EQ(screen.chosen(), "process 11") << "which is the first one now";
  screen.press(kHome);
  screen.update(holders(0));
  EXPECT_EQ(screen.chosen(), "process 12") << "the first one, whichever it is";
  screen.press(kEnd);
  Snapshot fewer = holders(1);
  fewer.rows.pop_back();
  screen.update(fewer);
  EXPECT_EQ(screen.chosen(), "process 10") << "the one beside it, which is gone";
}

TEST_F(LlcScreenTest, ShowsTheTree) {
  press("t");
  std::vector<std::string> found = rows({12, 76});
  EXPECT_THAT(found[4], HasSubstr("TOGETHER"));
  EXPECT_THAT(found[5], AllOf(HasSubstr(" 512 KiB "), HasSubstr(" 5.50 MiB "), HasSubstr("█ shell")));
  EXPECT_THAT(found[6], HasSubstr("├─ Batch"));
  EXPECT_THAT(found[7], HasSubstr("└─ walker"));
  EXPECT_THAT(found[8], HasSubstr(" new"));
}

TEST_F(LlcScreenTest, CutsCirclesOfParents) {
  Snapshot circle = holders(0);
  circle.rows[0].parent = "process 11";
  circle.rows[3].parent = circle.rows[3].key;
  screen.update(circle);
  press("t");
  EXPECT_EQ(names().size(), 4u);
}

TEST_F(LlcScreenTest, SearchesAndFilters) {
  press("/WALK");
  EXPECT_THAT(text(), HasSubstr("search: WALK_"));
  screen.press(kEnter);
  EXPECT_EQ(screen.chosen(), "process 11") << "letters of either case are alike";
  press("/1");
  screen.press(kEnter);
  press("n");
  EXPECT_EQ(screen.chosen(), "process 10") << "by PID, the next one";
  press("/nobody");
  screen.press(kEnter);
  EXPECT_THAT(text(), HasSubstr("no row has 'nobody'"));
  press("\\bax");
  screen.press(kBackspace);
  EXPECT_THAT(names(), ElementsAre("Batch")) << "while it is typed";
  screen.press(kEnter);
  EXPECT_THAT(text(), HasSubstr("filter 'ba'"));
  screen.press(kEscape);
  EXPECT_EQ(names().size(), 4u);
  EXPECT_FALSE(screen.finished());
  screen.press(kEscape);
  EXPECT_TRUE(screen.finished());
}

TEST_F(LlcScreenTest, StandsStillWhilePaused) {
  screen.update(holders(1));
  press(" ");
  std::string before = text();
  EXPECT_THAT(before, AllOf(HasSubstr("PAUSED"), HasSubstr("paused: Space goes on")));
  Snapshot next = holders(2);
  next.rows.erase(next.rows.begin() + 1);
  screen.update(next);
  EXPECT_EQ(text(), before) << "also of rows that are gone meanwhile";
  press(" ");
  EXPECT_THAT(text(), AllOf(HasSubstr("2.0 s"), Not(HasSubstr("walker"))));
}

TEST_F(LlcScreenTest, TellsWhatWasMeasuredEarlier) {
  Snapshot in_turn = holders(1);
  Row& row = in_turn.rows[2];
  row.age_ns = 3 * kSecond;
  row.measured_share = 0.25;
  row.low_bytes = 3 * kMib;
  row.high_bytes = 6 * kMib;
  row.domains = {{0, 4 * kMib}, {1, std::nullopt}};
  in_turn.is_modelled = in_turn.has_total_bandwidth = true;
  in_turn.remarks = {"rows are measured in turn"};
  screen.update(in_turn);
  EXPECT_THAT(text({24, 120}),
              AllOf(HasSubstr("~4.00 MiB"), HasSubstr(" 3.00 to 6.00 MiB"), HasSubstr(" 25.0%"),
                    HasSubstr("█· Batch"), HasSubstr("! rows are measured in turn"),
                    HasSubstr("resctrl (modelled): at")));
  screen.press(kEnter);
  EXPECT_THAT(text({24, 60}), HasSubstr(R"(process: Batch
PID: 12
processes: 1
below: process 10
held: 4.00 MiB, 25.0% of the cache, measured 3.0 s ago
at 95 %: 3.00 to 6.00 MiB
in cache 0: 4.00 MiB
in cache 1: not measured
from and to memory: not measured
measured 25.0% of the time
in 1 measurement that are kept: least 4.00 MiB, mean 4.00
    MiB, most 4.00 MiB
measured by resctrl (modelled)
of a modelled cache, not of this machine's
remark: rows are measured in turn
)"));
  press("x");
  EXPECT_THAT(text(), HasSubstr("walker"));
}

TEST_F(LlcScreenTest, AsksForOtherRowsAndTimes) {
  EXPECT_EQ(screen.wanted_by(), By::kProcess);
  press("b");
  EXPECT_EQ(screen.wanted_by(), By::kThread);
  press("b");
  EXPECT_EQ(screen.wanted_by(), By::kProcess);
  press("d2.5");
  EXPECT_EQ(screen.delay_s(), 1);
  screen.press(kEnter);
  EXPECT_EQ(screen.delay_s(), 2.5);
  press("d0");
  screen.press(kEnter);
  EXPECT_EQ(screen.delay_s(), 2.5);
  EXPECT_THAT(text(), HasSubstr("not a number of seconds from 0.02 to 86400"));
}

TEST_F(LlcScreenTest, ShowsOtherUnitsAndTellsHelpAndTheEnd) {
  press("e");
  EXPECT_THAT(text(), HasSubstr("4096 KiB"));
  press("e");
  EXPECT_THAT(text(), HasSubstr("0.50 MiB"));
  press("?");
  EXPECT_THAT(text(), HasSubstr("rows below their parents"));
  press("xi");
  EXPECT_THAT(text(), HasSubstr("Memory's bandwidth cannot be measured here."));
  press("x");
  screen.end("the programs have ended");
  EXPECT_THAT(text(), HasSubstr("the programs have ended; q end"));
  press("q");
  EXPECT_TRUE(screen.finished());
}

TEST_F(LlcScreenTest, DrawsWithAsciiAlone) {
  LlcScreen plain({By::kProcess}, 1, false);
  for (uint64_t second = 0; second < 3; ++second) plain.update(holders(second));
  plain.press('t');
  std::string all;
  for (const std::string& row : drawn(plain, {24, 80})) all += row + '\n';
  EXPECT_TRUE(std::ranges::all_of(all, [](char c) { return static_cast<unsigned char>(c) < 128; })) << all;
  EXPECT_THAT(all, AllOf(HasSubstr("`- walker"), HasSubstr("369 `- walker")));
}

TEST_F(LlcScreenTest, CutsNamesByColumns) {
  Snapshot named = holders(0);
  named.rows[0].name = "\x1b[31mred\nnext";
  named.rows[1].name = "日本語日本語日本語日本語日本語日本語日本語";
  named.rows[2].name = "e\xcc\x81t\xc3\xa9 \xff broken";
  screen.update(named);
  std::string shown = text({16, 41});
  EXPECT_THAT(shown, HasSubstr("\\x1b[31mred"));
  EXPECT_THAT(shown, AllOf(HasSubstr(" 日本語日本語"), Not(HasSubstr("\xff"))));
}

// Random keys, snapshots and terminal sizes must not crash the screen.
TEST_F(LlcScreenTest, StandsAnything) {
  std::mt19937 random(5);
  const std::vector<int> keys{kLeft,
                              kUp,
                              kDown,
                              kPageUp,
                              kPageDown,
                              kHome,
                              kEnd,
                              kEnter,
                              kEscape,
                              kBackspace,
                              kResized,
                              '/',
                              '\\',
                              'n',
                              'a',
                              '1',
                              't',
                              'R',
                              'e',
                              'b',
                              'd',
                              ' ',
                              'M',
                              'B',
                              'N',
                              'A',
                              '>',
                              '<',
                              '+',
                              '-',
                              'i',
                              '?',
                              300,
                              0xe6,
                              function_key(3),
                              function_key(5),
                              function_key(9)};
  for (uint64_t i = 0; i < 3000; ++i) {
    screen.press(keys[random() % keys.size()]);
    Snapshot next = holders(i);
    next.by = screen.wanted_by();
    next.has_total_bandwidth = random() % 2 == 0;
    for (size_t rows = random() % 60; rows > 0; --rows) {
      auto pid = static_cast<pid_t>(1 + random() % 100), parent = static_cast<pid_t>(random() % 100);
      next.rows.push_back(
          holder(pid, "some", random() % 3 == 0 ? std::nullopt : std::optional(random()), parent));
      next.rows.back().age_ns = random() % 2 * kSecond;
    }
    if (random() % 20 == 0) next.rows.clear();
    if (random() % 20 == 0) next.cache_bytes = 0;
    screen.update(next);
    if (i % 5 == 0) (void)text({1 + random() % 100, 1 + random() % 300});
    if (i % 50 == 0) (void)text({1, 1});
    if (i % 50 == 1) (void)text({10, 40});
  }
}

TEST(LlcScreen, SaysThatNothingWasMeasuredYet) {
  LlcScreen screen({By::kProgram}, 1, true);
  for (int key : {int{kDown}, int{kEnter}, int{'t'}, int{'>'}, int{' '}, int{'b'}}) screen.press(key);
  EXPECT_THAT(drawn(screen, {3, 60}),
              ElementsAre(StartsWith("hardmeter llc  by program"), "nothing has been measured yet",
                          "a row is a program here, and nothing else"));
}

}  // namespace
}  // namespace hm::screen
