// SPDX-License-Identifier: MIT
#include "analysis/cause/cause.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "symbol/file_resolver.h"

namespace hm::cause {
namespace {

const symbol::FileResolver kResolver;

using record::MissClass;

// One event, two functions without files or lines.
profile::Profile example() {
  profile::Profile profile;
  profile.events = {{"l2_cache_miss", {}}};
  profile.threads = {{7, 7, "program"}};
  profile.dsos = {{"[unknown]", ""}, {"/bin/program", ""}};
  profile.functions = {{1, "walk", 0x100, 0x100}, {1, "rest", 0x200, 0x100}};
  profile.locations = {{1, 0x110, 0, 0x110}, {1, 0x120, 0, 0x120}, {1, 0x210, 1, 0x210}};
  return profile;
}

void add(profile::Profile& profile, uint32_t location, uint64_t address, MissClass l1_class,
         MissClass l2_class, int64_t step = 4096) {
  profile::Samples& samples = profile.samples;
  size_t row = samples.size();
  samples.period.set(row, 1000);
  samples.address.set(row, address);
  samples.access_bytes.set(row, 8);
  if (l1_class != MissClass::kNone) samples.l1_class.set(row, static_cast<uint64_t>(l1_class));
  if (l2_class != MissClass::kNone) samples.l2_class.set(row, static_cast<uint64_t>(l2_class));
  samples.step_bytes[0].set(row, static_cast<uint64_t>(step));
  samples.thread.push_back(0);
  samples.location.push_back(location);
  samples.event.push_back(0);
}

TEST(Causes, CountTheMissesWithoutHistory) {
  profile::Profile profile = example();
  add(profile, 0, 64, MissClass::kConflict, MissClass::kCapacity);
  EXPECT_EQ(find_causes(profile, kResolver, {})->events[0].no_history, std::nullopt);
  for (uint64_t i = 0; i < 2; ++i) add(profile, 0, 64, MissClass::kConflict, MissClass::kNoHistory);
  add(profile, 2, 64, MissClass::kNoHistory, MissClass::kCapacity);
  Result<Causes> causes = find_causes(profile, kResolver, {});
  ASSERT_TRUE(causes->events[0].no_history.has_value());
  EXPECT_DOUBLE_EQ(causes->events[0].no_history->value, 0.5);
}

TEST(Causes, TellTheClassOfTheEventsOwnLevel) {
  profile::Profile profile = example();
  for (uint64_t i = 0; i < 12; ++i)
    add(profile, 0, 4096 * (i + 1) + i % 8 * 8, MissClass::kConflict, MissClass::kCapacity);
  add(profile, 0, 64, MissClass::kConflict, MissClass::kConflict);
  add(profile, 0, 64, MissClass::kConflict, MissClass::kNone);
  Result<Causes> causes = find_causes(profile, kResolver, {});
  ASSERT_TRUE(causes.ok());
  ASSERT_EQ(causes->events.size(), 1u);
  ASSERT_EQ(causes->events[0].places.size(), 1u);
  const HotLocation& place = causes->events[0].places[0];
  EXPECT_EQ(place.function, "walk");
  ASSERT_EQ(place.classes.size(), 2u);
  EXPECT_EQ(place.classes[0].miss_class, MissClass::kCapacity);
  EXPECT_EQ(place.classes[0].samples, 12u);
  EXPECT_NEAR(place.classes[0].share.value, 12.0 / 13, 1e-9);
  EXPECT_EQ(place.unclassified, 1u);
  EXPECT_EQ(place.walk.shape, Shape::kStrided) << "there is no code that says otherwise";
  EXPECT_EQ(place.walk.step_bytes, 4096);
  EXPECT_EQ(place.lines, 13u);
  EXPECT_EQ(place.pages, 13u);
  EXPECT_EQ(place.access_bytes, 8u);
  EXPECT_FALSE(place.latency.has_value());
  ASSERT_TRUE(place.advice);
  EXPECT_EQ(place.advice->pattern, Pattern::kColumnWalk);
}

// Two threads use one line, each in its own function.
TEST(Causes, OfASharedLineAllItsUsers) {
  profile::Profile profile = example();
  profile.threads.push_back({7, 8, "helper"});
  for (uint32_t i = 0; i < 30; ++i) {
    add(profile, i % 3 == 0 ? 2 : 0, 0x1008 + i % 3 / 2 * 4, MissClass::kFalseSharing,
        MissClass::kFalseSharing, 0);
    profile.samples.thread.back() = i % 3 == 0 ? 1 : 0;
    profile.samples.access_kind.set(
        i, static_cast<uint64_t>(i % 3 == 0 ? record::AccessKind::kStore : record::AccessKind::kLoad));
  }
  add(profile, 0, 0x2000, MissClass::kNone, MissClass::kFalseSharing, 0);
  Result<Causes> causes = find_causes(profile, kResolver, {});
  ASSERT_TRUE(causes.ok());
  ASSERT_EQ(causes->events.at(0).places.size(), 2u);
  const HotLocation& place = causes->events[0].places[0];
  EXPECT_EQ(place.classes.at(0).miss_class, MissClass::kFalseSharing);
  ASSERT_TRUE(place.shared_line);
  EXPECT_EQ(place.shared_line->address, 0x1000u);
  EXPECT_EQ(place.shared_line->samples, 30u);
  std::set<std::pair<std::string, uint64_t>> users;
  for (const LineUser& user : place.shared_line->users) {
    EXPECT_EQ(user.samples, 10u);
    EXPECT_EQ(user.bytes, 8u);
    EXPECT_EQ(user.writes, user.thread == "helper 8") << user.thread;
    users.insert({user.thread, user.offset});
  }
  EXPECT_EQ(users, (std::set<std::pair<std::string, uint64_t>>{
                       {"helper 8", 8}, {"program 7", 8}, {"program 7", 12}}));
}

TEST(Causes, WhatWouldHaveHitAndTheMedianOfReuse) {
  profile::Profile profile = example();
  for (uint64_t i = 0; i < 20; ++i) {
    add(profile, 0, 64 * i, MissClass::kCapacity, MissClass::kCapacity);
    if (i < 16) profile.samples.next_line_hits.set(i, i < 12 ? 1 : 0);
    profile.samples.huge_page_hits.set(i, 1);
    (i < 9 ? profile.samples.reuse_lines : profile.samples.reuse_lines_at_least)
        .set(i, i < 9 ? 100 + i : 16384);
  }
  HotLocation place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  ASSERT_TRUE(place.next_line);
  EXPECT_DOUBLE_EQ(place.next_line->value, 12.0 / 16);
  EXPECT_FALSE(place.huge_pages) << "the event is not about pages";
  ASSERT_TRUE(place.reuse);
  EXPECT_EQ(place.reuse->lines, 16384u);
  EXPECT_TRUE(place.reuse->at_least);
  profile.events[0].name = "dtlb_load_miss";
  place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  ASSERT_TRUE(place.huge_pages);
  EXPECT_DOUBLE_EQ(place.huge_pages->value, 1);
  EXPECT_FALSE(place.next_line);
  EXPECT_FALSE(place.reuse);
}

// As on hardware: HITM shows that the line is shared, and the bytes show the class of sharing.
TEST(Causes, OfSamplesWithoutClassesSharingIsToldByTheBytes) {
  perf_mem_data_src source{};
  source.mem_snoop = PERF_MEM_SNOOP_HITM;
  for (bool apart : {true, false}) {
    profile::Profile profile = example();
    profile.threads.push_back({7, 8, "helper"});
    profile.features.caches = {{2, 64, 2048, 8, "Unified"}};
    for (uint32_t i = 0; i < 40; ++i) {
      bool helper = i % 2 != 0;
      add(profile, helper ? 2 : 0, 0x1000 + (helper && apart ? 32 : 0), MissClass::kNone, MissClass::kNone,
          0);
      profile.samples.thread.back() = helper ? 1 : 0;
      source.mem_op = helper ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD;
      profile.samples.data_source.set(i, source.val);
    }
    const HotLocation place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
    ASSERT_TRUE(place.estimate);
    EXPECT_EQ(place.estimate->miss_class, apart ? MissClass::kFalseSharing : MissClass::kTrueSharing);
    EXPECT_TRUE(place.shared_line);
    EXPECT_EQ(place.advice.has_value(), apart) << "what threads all need is not a matter of layout";
  }
}

TEST(Causes, HottestPlacesFirstAndSmallOnesLeftOut) {
  profile::Profile profile = example();
  for (int i = 0; i < 200; ++i) add(profile, 2, 0x1000, MissClass::kNone, MissClass::kCapacity);
  for (int i = 0; i < 50; ++i) add(profile, 1, 0x1000, MissClass::kNone, MissClass::kCapacity);
  add(profile, 0, 0x1000, MissClass::kNone, MissClass::kCapacity);
  Result<Causes> causes = find_causes(profile, kResolver, {});
  ASSERT_TRUE(causes.ok());
  const EventCauses& event = causes->events.at(0);
  EXPECT_EQ(event.all_places, 3u);
  ASSERT_EQ(event.places.size(), 2u);
  EXPECT_EQ(event.places[0].function, "rest");
  EXPECT_EQ(event.places[1].address, 0x120u);
  Options one;
  one.limit = 1;
  EXPECT_EQ(find_causes(profile, kResolver, one)->events.at(0).places.size(), 1u);
}

// As in `top`, which keeps the latest samples, or behind a full disk.
TEST(Causes, SharesOfCyclesAreRightIfOnlyAPartWasSampled) {
  profile::Profile profile = example();
  for (uint64_t i = 0; i < 20; ++i) {
    add(profile, i % 4 == 0 ? 2 : 0, 4096 * (i + 1), MissClass::kCapacity, MissClass::kCapacity);
    profile.samples.latency_cycles.set(i, 100);
  }
  profile.features.hardmeter =
      R"({"cost_model_cycles": {"second_tlb": 7, "page_walk": 30}, "cycles": 20000000,
          "totals": {"memory_wait": 16000000, "l2_cache_miss": 160000}})";
  HotLocation place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  ASSERT_TRUE(place.cycles_share && place.waits_share);
  EXPECT_DOUBLE_EQ(*place.cycles_share, 0.6) << "three quarters of 160,000 events of 100 cycles each";
  EXPECT_DOUBLE_EQ(*place.waits_share, 0.75);
}

TEST(Causes, TooFewSamplesOrWaitsGiveNoAdvice) {
  profile::Profile profile = example();
  for (uint64_t i = 0; i < 20; ++i) {
    add(profile, 0, 4096 * (i + 1) + i % 8 * 8, MissClass::kCapacity, MissClass::kCapacity);
    profile.samples.latency_cycles.set(i, 100);
  }
  profile.features.hardmeter =
      R"({"cost_model_cycles": {"second_tlb": 7, "page_walk": 30}, "cycles": 20000000,
                                   "totals": {"memory_wait": 4000000}})";
  HotLocation place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  EXPECT_FALSE(place.too_little);
  ASSERT_TRUE(place.cycles_share && place.waits_share);
  EXPECT_DOUBLE_EQ(*place.cycles_share, 0.1) << "20,000 events of 100 cycles each";
  EXPECT_DOUBLE_EQ(*place.waits_share, 0.5);
  ASSERT_TRUE(place.advice && place.advice->gain);
  EXPECT_DOUBLE_EQ(place.advice->gain->of_cycles.value_or(0), place.advice->gain->high * 0.1);
  Options options;
  options.min_waits = 0.6;
  place = find_causes(profile, kResolver, options)->events.at(0).places.at(0);
  EXPECT_EQ(place.too_little, TooLittle::kWaits);
  EXPECT_FALSE(place.advice);
  options.min_samples = 21;
  place = find_causes(profile, kResolver, options)->events.at(0).places.at(0);
  EXPECT_EQ(place.too_little, TooLittle::kSamples);
  EXPECT_FALSE(place.advice);
}

// Without debug information the symbol's name still shows the container.
TEST(Causes, OfTheKernelHaveAShareAndNoAdvice) {
  profile::Profile profile = example();
  for (uint64_t i = 0; i < 20; ++i)
    add(profile, 0, 4096 * (i + 1) + i % 8 * 8, MissClass::kCapacity, MissClass::kCapacity);
  HotLocation place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  EXPECT_FALSE(place.by_kernel);
  EXPECT_TRUE(place.advice);
  for (uint64_t i = 0; i < 15; ++i) {
    profile.samples.by_kernel.set(i, 1);
    profile.samples.latency_cycles.set(i, 0);
  }
  profile.features.hardmeter =
      R"({"cost_model_cycles": {"second_tlb": 7, "page_walk": 30}, "cycles": 20000000,
                                   "totals": {"memory_wait": 4000000}})";
  place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  ASSERT_TRUE(place.by_kernel);
  EXPECT_DOUBLE_EQ(place.by_kernel->value, 0.75);
  EXPECT_FALSE(place.advice);
  EXPECT_FALSE(place.wait_cycles);
  EXPECT_FALSE(place.too_little) << "its waits are unknown, not small";
}

TEST(Causes, TheFunctionsNameShowsTheContainer) {
  profile::Profile profile = example();
  profile.functions[0].name = "std::_Rb_tree_increment(std::_Rb_tree_node_base*)";
  for (uint64_t i = 0; i < 20; ++i)
    add(profile, 0, 997 * 64 * (i * i + 1), MissClass::kCapacity, MissClass::kCapacity,
        static_cast<int64_t>(i * 640));
  HotLocation place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  ASSERT_TRUE(place.advice);
  EXPECT_EQ(place.advice->pattern, Pattern::kTreeOfNodes);
  EXPECT_EQ(place.advice->basis, "the code is in std::_Rb_tree_increment");
  profile.functions[0].name = "walk";
  profile.dsos[1].path = "/usr/lib/libpython3.11.so.1.0";
  place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  ASSERT_TRUE(place.advice);
  EXPECT_EQ(place.advice->pattern, Pattern::kBoxedObjects);
  EXPECT_NE(place.advice->basis.find("is not known"), std::string::npos) << place.advice->basis;
}

TEST(Causes, OfARecordingWithoutClassesNoneAreTold) {
  profile::Profile profile = example();
  add(profile, 0, 0, MissClass::kNone, MissClass::kNone);
  const HotLocation place = find_causes(profile, kResolver, {})->events.at(0).places.at(0);
  EXPECT_TRUE(place.classes.empty());
  EXPECT_TRUE(place.objects.empty());
  EXPECT_EQ(place.lines, 0u);
  EXPECT_EQ(place.unclassified, 1u);
}

TEST(Causes, AnUnknownEventIsAnError) {
  Options options;
  options.filter.events = {"nothing"};
  EXPECT_FALSE(find_causes(example(), kResolver, options).ok());
}

}  // namespace
}  // namespace hm::cause
