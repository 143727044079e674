// SPDX-License-Identifier: MIT
#include "view/screen/map_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "view/screen/screen_lines.h"
#include "view/text/format.h"

namespace hm::screen {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

map::Map crowded_map() {
  map::Map map;
  map.cache = {"L2", {256, 4}, 64};
  map.page_bytes = 4096;
  map.pages = 32;
  map.samples = 1234;
  map.threads = 2;
  map.begin = 1'000'000;
  map.end = 4'500'000;
  map.columns = {{1'000'000, 0, {}}, {2'000'000, 10, {1, 4, 0, 2}}, {3'000'000, 10, {9, 5, 0, 3}}};
  map.mean_ways = {5, 4.5, 0, 2.5};
  map.pressure = map::Pressure::kConflict;
  map.crowded_regions = 0.25;
  map.all_crowded = 1;
  map.crowded = {{0, 5, 9, 0.5, 40, {{"global table (program)", 30, 7, 0.75}}, {}, {{"main", 30, 7, 0.75}}}};
  return map;
}

std::vector<std::string> lines_on(MapScreen& screen, Size size) {
  screen.resize(size);
  std::vector<std::string> lines(size.rows);
  for (const Piece& piece : screen.draw()) {
    if (piece.row >= size.rows || piece.column + text::columns_of(piece.text) > size.columns) {
      ADD_FAILURE() << "outside: '" << piece.text << "'";
      continue;
    }
    lines[piece.row] += piece.text;
  }
  return lines;
}

MapScreen example(text::Style style = {}) {
  MapScreen screen("hardmeter map  program (12)", style, {.level = "l2"});
  screen.update(crowded_map(), 3, 3);
  return screen;
}

TEST(MapScreenPicture, HasATitleAConclusionALegendAndKeys) {
  MapScreen screen = example();
  std::vector<std::string> lines = lines_on(screen, {24, 80});
  EXPECT_THAT(lines[0], HasSubstr("hardmeter map  program (12)  L2 64 KiB, 4 ways; window 3"));
  EXPECT_EQ(lines[1] + lines[2],
            "Conflict: 25.0% of the regions need more than 4 ways, most of all region 0"
            "    (5.0), crowded by global table (program) in main (75.0%).");
  EXPECT_EQ(lines[3], "ways needed, of 4:  . to 1  : to 2  - to 3  = to 4  # to 8  @ over 8");
  EXPECT_THAT(lines, Contains("     0 | .@|  5.0"));
  EXPECT_THAT(lines, Contains(HasSubstr("estimated from 1,234 samples")));
  EXPECT_THAT(lines[23], AllOf(HasSubstr("? help"), HasSubstr("q quit")));
}

TEST(MapScreenPicture, TellsTheLastStepsApartWithoutColour) {
  MapScreen screen = example({.drawing = true});
  EXPECT_THAT(lines_on(screen, {24, 80})[3], HasSubstr("█ to 8  @ over 8"));
  MapScreen colored = example({.color = true, .drawing = true});
  EXPECT_THAT(lines_on(colored, {24, 80})[3], HasSubstr("█ to 8  █ over 8"));
}

TEST(MapScreenPicture, ShowsOlderWindows) {
  MapScreen screen = example();
  screen.press(kLeft);
  EXPECT_THAT(lines_on(screen, {24, 80})[0], HasSubstr("window 2 of 3  STOPPED"));
  screen.keep_windows(4);
  screen.update(crowded_map(), 4, 4);
  EXPECT_EQ(screen.state().back, 2u);
  EXPECT_THAT(lines_on(screen, {24, 80})[0], HasSubstr("window 2 of 4  STOPPED"));
}

TEST(MapScreenPicture, SaysThatNothingIsCrowded) {
  MapScreen screen = example();
  map::Map map = crowded_map();
  map.pressure = map::Pressure::kFits;
  map.crowded.clear();
  screen.update(map, 3, 3);
  EXPECT_EQ(lines_on(screen, {24, 80})[1], "No region is crowded: hardly any region needs more than 4 ways.");
  screen.show_message("no sample has an address");
  EXPECT_EQ(lines_on(screen, {24, 80})[1], "no sample has an address");
}

TEST(MapScreenPicture, FitsIntoEveryScreen) {
  for (int mode : {int{kNone}, int{'?'}}) {
    MapScreen screen = example({.color = true, .drawing = true});
    screen.press(mode);
    for (size_t rows = 1; rows < 40; rows += 3) {
      for (size_t columns = 1; columns < 100; columns += 11) (void)lines_on(screen, {rows, columns});
    }
    EXPECT_THAT(lines_on(screen, {8, 40})[7], HasSubstr("? help"));
  }
}

}  // namespace
}  // namespace hm::screen
