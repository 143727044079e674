// SPDX-License-Identifier: MIT
#include "analysis/cause/contested_lines.h"

#include <gtest/gtest.h>

#include "profile/filter.h"

namespace hm::cause {
namespace {

using record::AccessKind;
using record::MissClass;

// Two processes; the first has two threads.
profile::Profile contested_example() {
  profile::Profile profile;
  profile.events = {{"memory_loads", {}}, {"memory_stores", {}}, {"l1_cache_miss", {}}};
  profile.threads = {{7, 7, "server"}, {7, 8, "helper"}, {9, 9, "server"}};
  profile.dsos = {{"[unknown]", ""}, {"/bin/program", ""}};
  profile.functions = {{1, "work", 0x100, 0x100}};
  profile.locations = {{1, 0x110, 0, 0x110}};
  return profile;
}

struct Access {
  uint32_t thread;
  uint64_t address;
  bool writes = true;
  uint64_t time_ms = 1;
  uint64_t shared = 0;  // the shared address; 0: private memory
  uint64_t period = 1000;
};

void add(profile::Profile& profile, const Access& access) {
  profile::Samples& samples = profile.samples;
  size_t row = samples.size();
  samples.period.set(row, access.period);
  samples.address.set(row, access.address);
  samples.access_bytes.set(row, 8);
  samples.access_kind.set(row, static_cast<uint64_t>(access.writes ? AccessKind::kStore : AccessKind::kLoad));
  samples.time_ns.set(row, access.time_ms * 1'000'000);
  if (access.shared != 0) samples.shared_address.set(row, access.shared);
  samples.thread.push_back(access.thread);
  samples.location.push_back(0);
  samples.event.push_back(access.writes ? 1 : 0);
}

ContestedLines find(const profile::Profile& profile) {
  Result<profile::Filter> filter = profile::Filter::make(profile, {});
  return find_contested_lines(profile, *filter, 0);
}

TEST(ContestedLines, ThreadsOfAProcessShareItsLines) {
  profile::Profile profile = contested_example();
  for (int i = 0; i < 5; ++i) {
    add(profile, {0, 0x1000});
    add(profile, {1, 0x1020});
    add(profile, {2, 0x1000});  // another process, with equal addresses
  }
  ContestedLines found = find(profile);
  EXPECT_EQ(found.accesses_sampled, 15u);
  ASSERT_EQ(found.lines.size(), 1u);
  const ContestedLine& line = found.lines[0];
  EXPECT_EQ(line.line.address, 0x1000u);
  EXPECT_EQ(line.line.samples, 10u);
  EXPECT_EQ(line.accesses, 10000u);
  EXPECT_DOUBLE_EQ(line.written, 1);
  EXPECT_EQ(line.max_handovers, 10000u) << "by turns";
  EXPECT_EQ(line.sharing, MissClass::kFalseSharing);
  EXPECT_EQ(line.functions, std::vector<std::string>{"work"});
}

// The processes map the memory at different addresses.
TEST(ContestedLines, ProcessesShareWhatTheyHaveMappedTogether) {
  profile::Profile profile = contested_example();
  add(profile, {.thread = 0, .address = 0x1008, .shared = 0x100000000008});
  add(profile, {.thread = 2, .address = 0x7008, .writes = false, .shared = 0x100000000008});
  add(profile, {.thread = 2, .address = 0x7048, .writes = false, .shared = 0x100000000048});
  ContestedLines found = find(profile);
  ASSERT_EQ(found.lines.size(), 1u);
  EXPECT_EQ(found.lines[0].sharing, MissClass::kTrueSharing);
  EXPECT_EQ(found.lines[0].line.users.size(), 2u);
}

TEST(ContestedLines, OnlyWhereOneWritesAndAllAreThereAtATime) {
  profile::Profile read = contested_example();
  add(read, {.thread = 0, .address = 0x1000, .writes = false});
  add(read, {.thread = 1, .address = 0x1000, .writes = false});
  EXPECT_TRUE(find(read).lines.empty());
  profile::Profile apart = contested_example();
  add(apart, {.thread = 0, .address = 0x1000, .time_ms = 50});
  add(apart, {.thread = 1, .address = 0x1000, .time_ms = 150});
  EXPECT_TRUE(find(apart).lines.empty());
  EXPECT_EQ(find(apart).accesses_sampled, 2u);
}

TEST(ContestedLines, AreInTheOrderOfWhatMayChangeHands) {
  profile::Profile profile = contested_example();
  const auto use = [&](uint64_t address, uint32_t thread, int times, bool writes) {
    for (int i = 0; i < times; ++i) add(profile, {thread, address, writes});
  };
  use(0x1000, 0, 9, true);  // mostly one thread: the other accesses the line twice
  use(0x1000, 1, 2, true);
  use(0x2000, 0, 4, true);
  use(0x2000, 1, 4, true);
  use(0x3000, 0, 20, false);  // one write, which causes at most one transfer per thread
  use(0x3000, 1, 20, false);
  use(0x3000, 1, 1, true);
  ContestedLines found = find(profile);
  ASSERT_EQ(found.all, 3u);
  EXPECT_EQ(found.lines[0].line.address, 0x2000u);
  EXPECT_EQ(found.lines[0].max_handovers, 8000u);
  EXPECT_EQ(found.lines[1].line.address, 0x1000u);
  EXPECT_EQ(found.lines[1].max_handovers, 4000u);
  EXPECT_EQ(found.lines[2].line.address, 0x3000u);
  EXPECT_EQ(found.lines[2].max_handovers, 2000u);
}

TEST(ContestedLines, WithoutSampledAccessesNothingIsKnown) {
  profile::Profile profile = contested_example();
  add(profile, {.thread = 0, .address = 0x1000});
  profile.samples.event[0] = 2;
  EXPECT_EQ(find(profile).accesses_sampled, 0u);
  EXPECT_TRUE(find(profile).lines.empty());
}

}  // namespace
}  // namespace hm::cause
