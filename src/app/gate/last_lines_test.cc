// SPDX-License-Identifier: MIT
#include "app/gate/last_lines.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"

namespace hm::gate {
namespace {

using Lines = std::vector<std::string>;

class LastLines : public ::testing::Test {
 protected:
  Lines of(const std::string& text, size_t count) {
    std::string path = folder_.file("output");
    std::ofstream(path, std::ios::binary) << text;
    return last_lines(path, count);
  }

  TemporaryFolder folder_;
};

TEST_F(LastLines, AreThoseAtTheEnd) {
  EXPECT_EQ(of("a\nb\nc\n", 2), (Lines{"b", "c"}));
  EXPECT_EQ(of("a\nb", 5), (Lines{"a", "b"}));
  EXPECT_EQ(of("", 5), Lines());
  EXPECT_EQ(of("a\n", 0), Lines());
  EXPECT_EQ(last_lines("/nonexistent/file", 5), Lines());
}

TEST_F(LastLines, AreFoundInALongFile) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "line " + std::to_string(i) + '\n';
  EXPECT_EQ(of(text, 2), (Lines{"line 99998", "line 99999"}));
}

TEST_F(LastLines, AreCutIfTheyAreLong) {
  Lines lines = of(std::string(100'000, 'x') + "\nend\n", 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_LE(lines[0].size(), 400u);
  EXPECT_EQ(lines[1], "end");
}

}  // namespace
}  // namespace hm::gate
