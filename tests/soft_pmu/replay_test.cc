// SPDX-License-Identifier: MIT
// Samples give the reason why a load waited for a store. tests/programs/replay.S has, 100 times, two loads
// that read more than was stored, and then one that reads another page at the same offset.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/json.h"
#include "running.h"

namespace hm::soft_pmu_test {
namespace {

TEST(Replay, TellsABlockedLoadFromAnAlias) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded =
      hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() +
                Words{"--cpu", "zen4", "-e", "mob_load_replay_retired", "-c", "1", "--", program("replay")});
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  Outcome told = hardmeter({"explain", "--json", "-i", path, "--limit", "0"});
  nlohmann::json json = nlohmann::json::parse(told.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << told.err;
  std::map<uint64_t, double> aliases;  // by the instruction's address
  for (const nlohmann::json& place : json["events"][0]["places"]) {
    EXPECT_EQ(place["samples"], 100) << place;
    aliases[place["address"]] = place["aliases"]["value"];
  }
  std::vector<double> in_order;
  in_order.reserve(aliases.size());
  for (const auto& [address, part] : aliases) in_order.push_back(part);
  EXPECT_EQ(in_order, (std::vector<double>{0, 0, 1}));
}

}  // namespace
}  // namespace hm::soft_pmu_test
