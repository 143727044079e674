// SPDX-License-Identifier: MIT
#include "analysis/diff/diff_recording.h"

#include <gtest/gtest.h>

namespace hm::diff {
namespace {

Recording with_program() {
  Recording recording;
  recording.command = {"./bin/game2", "-v"};
  recording.columns = {"function", "dso"};
  recording.events.resize(1);
  recording.events[0].name = "miss";
  recording.events[0].rows = {
      {{"main", "game2"}, {5, 50}}, {{"main", "game"}, {1, 10}}, {{"read", "libc.so.6"}, {2, 20}}};
  return recording;
}

TEST(DiffRecording, ItsProgramIsTheObjectOfTheCommand) {
  Recording recording = with_program();
  EXPECT_EQ(recording.program(), "game2");
  recording.command = {"python3", "x.py"};
  EXPECT_EQ(recording.program(), "");
  recording.command = {};
  EXPECT_EQ(recording.program(), "");
  recording = with_program();
  recording.columns = {"function", "comm"};
  EXPECT_EQ(recording.program(), "");
}

TEST(DiffRecording, RowsThatGetOneNameAreOne) {
  Recording recording = with_program();
  recording.rename_object("game2", "game");
  const auto& rows = recording.events[0].rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.at({"main", "game"}).samples, 6u);
  EXPECT_EQ(rows.at({"main", "game"}).weight, 60u);
  EXPECT_EQ(rows.at({"read", "libc.so.6"}).samples, 2u);
}

}  // namespace
}  // namespace hm::diff
