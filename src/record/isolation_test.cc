// SPDX-License-Identifier: MIT
#include "record/isolation.h"

#include <gtest/gtest.h>

namespace hm::record {
namespace {

Features described_by(const std::string& run) {
  Features features;
  features.hardmeter = run;
  return features;
}

TEST(Isolation, IsReadAsItWasWritten) {
  IsolatedProcesses processes{{{"/system.slice/cron.service", "", {{"mnt", 4026531841}}}, {1, 7}},
                              {{"/docker/0123", "shop/\xff", {{"mnt", 77}, {"pid", 78}}}, {9}}};
  IsolatedProcesses read = isolated_processes(described_by(with_isolation(R"({"pmu":"kernel"})", processes)));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read.at({"/system.slice/cron.service", "", {{"mnt", 4026531841}}}),
            (std::vector<uint32_t>{1, 7}));
  const auto& [docker, pids] = *read.begin();
  EXPECT_EQ(docker.namespaces.at("pid"), 78u);
  EXPECT_EQ(pids, std::vector<uint32_t>{9});
}

TEST(Isolation, NothingIsAddedWithoutProcesses) {
  EXPECT_EQ(with_isolation(R"({"a":1})", {}), R"({"a":1})");
  EXPECT_TRUE(isolated_processes(described_by(R"({"a":1})")).empty());
}

TEST(Isolation, InvalidPartsAreLeftOut) {
  for (const char* run : {R"({"isolation":7})", R"({"isolation":[7,null,{},{"pids":7}]})",
                          R"({"isolation":[{"cgroup":"/a","pids":[-1,"x",null,1.5,4294967297]}]})"})
    EXPECT_TRUE(isolated_processes(described_by(run)).empty()) << run;
  IsolatedProcesses read = isolated_processes(
      described_by(R"({"isolation":[{"cgroup":7,"namespaces":{"mnt":"x","pid":5},"pids":[1]}]})"));
  EXPECT_EQ(read, (IsolatedProcesses{{{"", "", {{"pid", 5}}}, {1}}}));
}

}  // namespace
}  // namespace hm::record
