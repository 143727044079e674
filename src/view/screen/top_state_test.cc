// SPDX-License-Identifier: MIT
#include "view/screen/top_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "view/screen/picture.h"

namespace hm::screen {
namespace {

TopExtent hundred_rows() {
  TopExtent extent{{}, 10, 0};
  for (int i = 0; i < 100; ++i) extent.rows.push_back("row " + std::to_string(i));
  return extent;
}

TopState after(TopState state, const std::vector<int>& keys, const TopExtent& extent) {
  for (int key : keys) state = pressed(std::move(state), key, extent);
  return state;
}

size_t row_after(const std::vector<int>& keys) {
  TopExtent extent = hundred_rows();
  return selected_row(after({}, keys, extent), extent.rows);
}

TEST(TopStateKeys, SelectARow) {
  EXPECT_EQ(row_after({kDown, 'j', 'j'}), 3u);
  EXPECT_EQ(row_after({kDown, 'j', kUp}), 1u);
  EXPECT_EQ(row_after({kUp, 'k'}), 0u);
  EXPECT_EQ(row_after({kPageDown, kPageDown}), 20u);
  EXPECT_EQ(row_after({kPageDown, kPageUp, kPageUp}), 0u);
  EXPECT_EQ(row_after({kEnd}), 99u);
  EXPECT_EQ(row_after({kEnd, kDown, kPageDown}), 99u);
  EXPECT_EQ(row_after({'G', kUp, 'g', kDown}), 1u);
}

TEST(TopStateKeys, ScrollSoThatTheSelectedRowIsOnTheScreen) {
  TopExtent extent = hundred_rows();
  EXPECT_EQ(first_row(after({}, std::vector<int>(9, kDown), extent), extent), 0u);
  EXPECT_EQ(first_row(after({}, std::vector<int>(10, kDown), extent), extent), 1u);
  TopState end = after({}, {kEnd}, extent);
  EXPECT_EQ(first_row(end, extent), 90u);
  EXPECT_EQ(first_row(after(end, {kUp, kUp}, extent), extent), 90u);
  extent.page = 3;
  EXPECT_EQ(first_row(end, extent), 97u);
}

TEST(TopStateKeys, SelectARowByItsName) {
  TopExtent extent = hundred_rows();
  TopState state = after({}, {kDown, kDown}, extent);
  extent.rows.insert(extent.rows.begin(), "a hotter one");
  EXPECT_EQ(selected_row(state, extent.rows), 3u);
  extent.rows = {"a", "b"};
  EXPECT_EQ(selected_row(state, extent.rows), 1u) << "the row is gone: the nearest one";
  EXPECT_EQ(selected_row(state, {}), 0u);
  extent = hundred_rows();
  extent.rows.insert(extent.rows.begin(), "a hotter one");
  EXPECT_EQ(selected_row({}, extent.rows), 0u) << "the first row is selected as such";
}

TEST(TopStateKeys, OpenAndLeaveTheCodeAndTheHelp) {
  TopExtent extent = hundred_rows();
  TopState code = after({}, {kDown, kEnter}, extent);
  EXPECT_EQ(code.mode, TopState::Mode::kSource);
  TopExtent lines{{}, 10, 25};
  EXPECT_EQ(after(code, {kDown, kPageDown}, lines).scroll, 11u);
  EXPECT_EQ(after(code, {kEnd}, lines).scroll, 15u);
  EXPECT_EQ(after(code, {kEnd, kHome}, lines).scroll, 0u);
  for (int back : {int{'q'}, int{kEscape}, int{kBackspace}}) {
    TopState table = after(code, {kEnd, back}, lines);
    EXPECT_EQ(table.mode, TopState::Mode::kTable);
    EXPECT_FALSE(table.finished);
    EXPECT_EQ(selected_row(table, extent.rows), 1u);
  }
  EXPECT_EQ(after({}, {'?'}, extent).mode, TopState::Mode::kHelp);
  EXPECT_EQ(after({}, {kEnter}, TopExtent()).mode, TopState::Mode::kTable) << "no rows";
}

TEST(TopStateKeys, ChangeTheView) {
  TopExtent extent = hundred_rows();
  TopState state = after({}, {kDown, 'l', 'w', ' '}, extent);
  EXPECT_TRUE(state.by_line);
  EXPECT_FALSE(state.reasons);
  EXPECT_TRUE(state.stopped);
  EXPECT_EQ(selected_row(state, extent.rows), 0u);
  TopState event = after({}, {kDown, 'e'}, extent);
  EXPECT_EQ(event.event, 1u);
  EXPECT_EQ(selected_row(event, extent.rows), 1u) << "the other event has that function, too";
  EXPECT_TRUE(after({}, {'q'}, extent).finished);
  EXPECT_EQ(after({}, {'Z'}, extent), TopState());
}

TEST(TopKeys, AreInTheHelpAndInTheLastLine) {
  std::vector<std::string> help = key_help(top_keys());
  EXPECT_THAT(help, ::testing::Contains(::testing::ContainsRegex("^e  +the next event$")));
  EXPECT_THAT(help, ::testing::Each(::testing::SizeIs(::testing::Le(78u))));
  EXPECT_THAT(key_hints(top_keys(), 200), ::testing::HasSubstr("q quit"));
  std::string cut = key_hints(top_keys(), 30);
  EXPECT_THAT(cut, ::testing::EndsWith(" …"));
  EXPECT_LE(cut.size(), 30 + std::string("…").size() - 1);
}

}  // namespace
}  // namespace hm::screen
