// SPDX-License-Identifier: MIT
#include "analysis/flame/flame.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "symbol/file_resolver.h"

namespace hm::flame {
namespace {

class FlameTest : public ::testing::Test {
 protected:
  // main calls work, which calls idle; two events.
  FlameTest() {
    profile.events = {{"clock", {}}, {"miss", {}}};
    profile.threads = {{7, 7, "program"}};
    profile.dsos = {{"[unknown]", ""}, {"/bin/program", ""}};
    profile.functions = {{1, "main", 0x100, 0x100}, {1, "work", 0x200, 0x100}, {1, "idle", 0x300, 0x100}};
    profile.locations = {{1, 0x110, 0, 0x110}, {1, 0x210, 1, 0x210}, {1, 0x310, 2, 0x310}};
    add(1, 0);
    add(1, 1, {0});
    add(1, 1, {0});
    add(1, 2, {1, 0});
    add(0, 2);
  }

  void add(uint32_t event, uint32_t location, std::vector<uint32_t> callers = {}) {
    profile::Samples& samples = profile.samples;
    samples.period.set(samples.size(), 10);
    auto offset = static_cast<uint32_t>(samples.chain_locations.size());
    if (!callers.empty()) callers.insert(callers.begin(), location);
    samples.chain.push_back({offset, static_cast<uint32_t>(callers.size())});
    samples.chain_locations.insert(samples.chain_locations.end(), callers.begin(), callers.end());
    samples.branch.push_back({});
    samples.thread.push_back(0);
    samples.location.push_back(location);
    samples.event.push_back(event);
  }

  // "all 4/0(main 4/1(...))": all samples of a node / samples that end there.
  static std::string text_of(const Node& node) {
    std::string text = fmt::format("{} {}/{}", node.function, node.samples, node.self);
    for (const Node& child : node.children) text += fmt::format("({})", text_of(child));
    return text;
  }
  std::string flame_of(const Options& options) {
    Result<Flame> flame = find_flame(profile, resolver, options);
    return flame ? text_of(flame->root) : flame.error().message;
  }

  symbol::FileResolver resolver;
  profile::Profile profile;
};

TEST_F(FlameTest, BeginsWithTheOutermostCaller) {
  EXPECT_EQ(flame_of({}), "all 4/0(main 4/1(work 3/2(idle 1/1)))");
}

TEST_F(FlameTest, TurnedOverItBeginsWhereSamplesFell) {
  EXPECT_EQ(flame_of({.filter = {}, .inverted = true}),
            "all 4/0(work 2/0(main 2/2))(main 1/1)(idle 1/0(work 1/0(main 1/1)))");
}

TEST_F(FlameTest, SumsPeriodsAndOrdersByThem) {
  profile.samples.period.set(0, 500);  // in main itself; the three samples in work have 10 each
  add(1, 2);
  Options options;
  options.filter.events = {"miss"};
  Result<Flame> flame = find_flame(profile, resolver, options);
  ASSERT_TRUE(flame.ok());
  EXPECT_EQ(flame->root.events, 540u);
  const Node& main = flame->root.children.front();
  EXPECT_EQ(main.function, "main");
  EXPECT_EQ(main.events, 530u);
  EXPECT_EQ(main.self_events, 500u);
  options.limit = 2;
  Result<Flame> two = find_flame(profile, resolver, options);
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(text_of(two->root), "all 5/0(main 4/1)");
}

TEST_F(FlameTest, IsOfTheEventThatIsNamedElseOfTheMostSampled) {
  Result<Flame> flame = find_flame(profile, resolver, {});
  ASSERT_TRUE(flame.ok());
  EXPECT_EQ(flame->event, "miss");
  EXPECT_EQ(flame->estimated, 40u);
  EXPECT_TRUE(flame->has_chains);
  Options clock;
  clock.filter.events = {"clock"};
  Result<Flame> other = find_flame(profile, resolver, clock);
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(other->has_chains);
  EXPECT_EQ(text_of(other->root), "all 1/0(idle 1/1)");
  clock.filter.events = {"clock", "miss"};
  EXPECT_EQ(find_flame(profile, resolver, clock).error().code, ErrorCode::kInvalidArgument);
  clock.filter.events = {"nothing"};
  EXPECT_EQ(find_flame(profile, resolver, clock).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(FlameTest, NodesBeyondTheLimitAreCountedAsLeftOut) {
  Options options;
  options.limit = 3;
  Result<Flame> flame = find_flame(profile, resolver, options);
  ASSERT_TRUE(flame.ok());
  EXPECT_EQ(text_of(flame->root), "all 4/0(main 4/1(work 3/2))");
  EXPECT_EQ(flame->left_out, 1u);
}

TEST_F(FlameTest, ARecordingWithoutSamplesHasNone) {
  EXPECT_FALSE(find_flame(profile::Profile{}, resolver, {}).ok());
  Options options;
  options.filter.comm = "nobody";
  EXPECT_EQ(find_flame(profile, resolver, options).error().code, ErrorCode::kNotFound);
}

TEST_F(FlameTest, ProcessesStandAroundThePaths) {
  profile.threads = {{7, 7, "program"}, {9, 9, "server", "server"}, {9, 10, "worker", "server"}};
  profile.samples.thread = {0, 0, 1, 2, 0};
  Options options;
  options.filter.events = {"miss"};
  options.processes = true;
  Result<Flame> flame = find_flame(profile, resolver, options);
  ASSERT_TRUE(flame.ok());
  std::vector<std::string> texts;
  for (const Node& process : flame->root.children) {
    for (const Node& below : process.children)
      texts.push_back(fmt::format("{} {} > {} {}: {}", name_of(process.kind), process.function,
                                  name_of(below.kind), below.function, below.samples));
  }
  std::vector<std::string> expected{"process program (7) > function main: 2",
                                    "process server (9) > thread server (9): 1",
                                    "process server (9) > thread worker (10): 1"};
  std::ranges::sort(texts);
  EXPECT_EQ(texts, expected) << "a single thread is its process";
}

}  // namespace
}  // namespace hm::flame
