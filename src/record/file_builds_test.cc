// SPDX-License-Identifier: MIT
#include "record/file_builds.h"

#include <gtest/gtest.h>

namespace hm::record {
namespace {

Features features_of(const std::string& run) {
  Features features;
  features.hardmeter = run;
  return features;
}

TEST(FileBuilds, AreReadAsTheyWereWritten) {
  std::vector<FileBuild> builds{{"/app/server", 8, 1, 77, "aabb"}, {"/app/server", 0, 40, 5, "ccdd"}};
  EXPECT_EQ(file_builds(features_of(with_file_builds(R"({"pmu":"software"})", builds))), builds);
}

TEST(FileBuilds, NothingIsAddedWithoutThem) {
  EXPECT_EQ(with_file_builds(R"({"a":1})", {}), R"({"a":1})");
  EXPECT_TRUE(file_builds(features_of(R"({"a":1})")).empty());
}

TEST(FileBuilds, InvalidOnesAreLeftOut) {
  for (const char* run : {R"({"builds_of_same_path":7})", R"({"builds_of_same_path":[7,{},null]})",
                          R"({"builds_of_same_path":[{"path":"/p","build_id":"no hex"}]})",
                          R"({"builds_of_same_path":[{"path":"","build_id":"aabb"}]})"})
    EXPECT_TRUE(file_builds(features_of(run)).empty()) << run;
}

}  // namespace
}  // namespace hm::record
