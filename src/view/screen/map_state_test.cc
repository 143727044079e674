// SPDX-License-Identifier: MIT
#include "view/screen/map_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "view/screen/picture.h"

namespace hm::screen {
namespace {

constexpr MapExtent kFiveWindows{.windows = 5, .all_sets = 512, .page = 10, .lines = 25};

MapState after(const std::vector<int>& keys, const MapExtent& extent = kFiveWindows) {
  MapState state{.level = "l2"};
  for (int key : keys) state = pressed(std::move(state), key, extent);
  return state;
}

TEST(MapStateKeys, StepThroughTheWindows) {
  EXPECT_EQ(after({' '}).back, 1u);
  EXPECT_EQ(after({' ', ' '}).back, 0u);
  EXPECT_EQ(after({kLeft, kLeft, kRight}).back, 1u);
  EXPECT_EQ(after(std::vector<int>(9, kLeft)).back, 4u) << "the oldest window stays";
  EXPECT_EQ(after({' ', kLeft}, {}).back, 0u) << "nothing has been measured yet";
}

TEST(MapStateKeys, ChooseTheCache) {
  EXPECT_EQ(after({'l'}).level, "l3");
  EXPECT_EQ(after({'l', 'l'}).level, "l1d");
  EXPECT_EQ(after({']', ']', '['}).scale, 1);
  EXPECT_EQ(after({']', 'l'}).scale, 0) << "another level has its own size";
  MapExtent odd = kFiveWindows;
  odd.all_sets = 3;
  EXPECT_EQ(after({'['}, odd).scale, 0);
  EXPECT_EQ(after({']'}, odd).scale, 1);
  MapExtent largest = kFiveWindows;
  largest.max_sets = 1023;
  EXPECT_EQ(after({']'}, largest).scale, 0) << "there is no larger one";
  EXPECT_TRUE(after({'s'}).sets);
}

TEST(MapStateKeys, OpenAndLeaveTheHelp) {
  EXPECT_EQ(after({'?'}).mode, MapState::Mode::kHelp);
  for (int back : {int{'q'}, int{'?'}, int{kEscape}, int{kBackspace}})
    EXPECT_EQ(after({'?', back}), after({})) << back;
  EXPECT_TRUE(after({'q'}).finished);
}

TEST(MapStateKeys, Scroll) {
  EXPECT_EQ(after({kDown, 'j', kUp}).scroll, 1u);
  EXPECT_EQ(after({kPageDown, kPageDown}).scroll, 15u);
  EXPECT_EQ(after({kPageDown, kPageUp}).scroll, 0u);
  EXPECT_EQ(after({'?'}).scroll, 0u);
}

}  // namespace
}  // namespace hm::screen
