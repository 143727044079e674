// SPDX-License-Identifier: MIT
#include "view/screen/top_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "view/screen/screen_lines.h"
#include "view/text/format.h"

namespace hm::screen {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

hotspots::Hotspots functions(size_t count) {
  hotspots::Hotspots table;
  table.keys = {hotspots::SortKey::kFunction};
  table.events = {{"l1_cache_miss", 1000, 10000}};
  table.rates = true;
  table.all_rows = count;
  for (size_t i = 0; i < count; ++i) {
    hotspots::Row row;
    row.keys = {"function_with_a_name_" + std::to_string(i)};
    row.dso = "program";
    row.counts = {{10, 100, profile::Share{0.1, 0.08, 0.12}, i == 0 ? std::nullopt : std::optional(2000.0)}};
    table.rows.push_back(row);
  }
  return table;
}

// Returns the lines of the screen. Expects every piece to lie within the screen.
std::vector<std::string> lines_on(TopScreen& screen, Size size) {
  screen.resize(size);
  std::vector<std::string> lines(size.rows);
  for (const Piece& piece : screen.draw()) {
    if (piece.row >= size.rows || piece.column + text::columns_of(piece.text) > size.columns) {
      ADD_FAILURE() << size.rows << " rows: outside: '" << piece.text << "'";
      continue;
    }
    lines[piece.row] += piece.text;
  }
  return lines;
}

// Returns the text of the inverse row between the title and the last line.
std::string selected_line(const TopScreen& screen, Size size) {
  for (const Piece& piece : screen.draw()) {
    if (piece.inverse && piece.row != 0 && piece.row + 1 != size.rows) return piece.text;
  }
  return {};
}

class TopScreenTest : public ::testing::Test {
 protected:
  TopScreenTest() {
    screen.update({{&table, &table, &causes}}, {"memory waits: 12.0% of the modelled cycles"});
    screen.resize(size);
  }

  Size size{24, 80};
  hotspots::Hotspots table = functions(100);
  cause::Causes causes{{{"l1_cache_miss", 1000, 10000, {}, 0}}, {}};
  TopScreen screen{"hardmeter top  program (12)"};
};

TEST_F(TopScreenTest, ShowsTheRowsUnderTheHead) {
  screen.progress({"1.0 s", "cost at most 5.0 % of 5 %", std::string(60, 'x')}, "");
  std::vector<std::string> lines = lines_on(screen, size);
  EXPECT_THAT(lines[0], AllOf(HasSubstr("hardmeter top  program (12): 1.0 s, cost at most 5.0 % of 5 %"),
                              Not(HasSubstr("xx"))));
  EXPECT_THAT(lines[1], HasSubstr("memory waits: 12.0%"));
  EXPECT_THAT(lines, Contains(HasSubstr("samples  events  per second  function")));
  EXPECT_THAT(lines, Contains(HasSubstr("2,000  function_with_a_name_1 ")));
  EXPECT_THAT(lines, Contains(HasSubstr("-  function_with_a_name_0 "))) << "a rate that is not known";
  EXPECT_THAT(lines[23], AllOf(HasSubstr("? help"), HasSubstr("row 1 of 100")));
}

TEST_F(TopScreenTest, MarksTheSelectedRow) {
  EXPECT_THAT(selected_line(screen, size), HasSubstr("function_with_a_name_0 "));
  screen.press(kDown);
  EXPECT_THAT(selected_line(screen, size), HasSubstr("function_with_a_name_1 "));
  screen.press(kEnd);
  EXPECT_THAT(selected_line(screen, size), HasSubstr("function_with_a_name_99"));
  EXPECT_THAT(lines_on(screen, size), Not(Contains(HasSubstr("function_with_a_name_1 "))));
  EXPECT_EQ(screen.row(), 99u);
}

TEST_F(TopScreenTest, ShowsTheCodeAndTheHelp) {
  screen.press(kEnter);
  std::string code;
  for (int i = 1; i <= 40; ++i) code += "line " + std::to_string(i) + ": " + std::string(100, 'y') + '\n';
  screen.show_code(code);
  std::vector<std::string> lines = lines_on(screen, size);
  EXPECT_THAT(lines[1], AllOf(HasSubstr("line 1: yyy"), ::testing::EndsWith("y…")));
  EXPECT_THAT(lines[23], HasSubstr("lines 1-22 of 40"));
  screen.press(kEnd);
  EXPECT_THAT(lines_on(screen, size), Contains(HasSubstr("line 40: yyy")));
  screen.press('q');
  EXPECT_FALSE(screen.state().finished);
  screen.press('?');
  EXPECT_THAT(lines_on(screen, size),
              AllOf(Contains(HasSubstr("Enter")), Contains(HasSubstr("the next event"))));
}

TEST_F(TopScreenTest, FitsIntoEveryScreen) {
  for (int mode : {int{kNone}, int{'?'}, int{kEnter}}) {
    screen.press(mode);
    screen.show_code("some code\n");
    for (size_t rows = 1; rows < 30; rows += 3) {
      for (size_t columns = 1; columns < 90; columns += 11) (void)lines_on(screen, {rows, columns});
    }
    screen.press(kEscape);
  }
}

TEST_F(TopScreenTest, ShowsASmallTableInASmallScreen) {
  std::vector<std::string> lines = lines_on(screen, {8, 40});
  EXPECT_THAT(lines, Contains(HasSubstr("function_…_a_name_0")));
  EXPECT_THAT(lines[7], HasSubstr("row 1 of 100"));
}

TEST(EmptyTopScreen, WaitsForSamples) {
  TopScreen screen("hardmeter top");
  screen.progress({"1.0 s"}, "no samples yet");
  EXPECT_THAT(lines_on(screen, {24, 80}), Contains("no samples yet"));
  screen.press(kEnter);
  screen.press(kDown);
  screen.press('e');
  EXPECT_EQ(screen.state().mode, TopState::Mode::kTable);
  EXPECT_EQ(screen.event(), std::nullopt);
}

}  // namespace
}  // namespace hm::screen
