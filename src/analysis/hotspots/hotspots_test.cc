// SPDX-License-Identifier: MIT
#include "analysis/hotspots/hotspots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbol/file_resolver.h"

namespace hm::hotspots {
namespace {

const symbol::FileResolver kResolver;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// main calls work and idle; two threads; two events.
profile::Profile example() {
  profile::Profile profile;
  profile.events = {{"miss", {}}, {"clock", {}}};
  profile.threads = {{7, 7, "program"}, {7, 8, "worker"}};
  profile.dsos = {{"[unknown]", ""}, {"/bin/program", ""}, {"/lib/libc.so", ""}};
  profile.functions = {{1, "main", 0x100, 0x100}, {1, "work(int)", 0x200, 0x100}, {2, "idle", 0x100, 0x100}};
  profile.locations = {
      {1, 0x110, 0, 0x110}, {1, 0x210, 1, 0x210}, {1, 0x220, 1, 0x220}, {2, 0x110, 2, 0x110}};
  return profile;
}

void add(profile::Profile& profile, uint32_t event, uint32_t thread, uint32_t location, uint64_t period,
         std::vector<uint32_t> callers = {}) {
  profile::Samples& samples = profile.samples;
  samples.period.set(samples.size(), period);
  auto offset = static_cast<uint32_t>(samples.chain_locations.size());
  if (!callers.empty()) callers.insert(callers.begin(), location);
  samples.chain.push_back({offset, static_cast<uint32_t>(callers.size())});
  samples.chain_locations.insert(samples.chain_locations.end(), callers.begin(), callers.end());
  samples.branch.push_back({});
  samples.thread.push_back(thread);
  samples.location.push_back(location);
  samples.event.push_back(event);
}

profile::Profile with_samples() {
  profile::Profile profile = example();
  add(profile, 0, 0, 1, 10, {0});
  add(profile, 0, 0, 2, 10, {0});
  add(profile, 0, 1, 3, 10, {0});
  add(profile, 0, 1, 1, 10, {3, 0});
  add(profile, 1, 0, 3, 7);
  return profile;
}

// Returns "KEY/KEY samples samples" for each row.
std::vector<std::string> lines(const Hotspots& result) {
  std::vector<std::string> texts;
  for (const Row& row : result.rows) {
    std::string text;
    for (const std::string& key : row.keys) text += (text.empty() ? "" : "/") + key;
    for (const Count& count : row.counts) text += " " + std::to_string(count.samples);
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> sorted_by(std::vector<SortKey> keys) {
  Options options;
  options.keys = std::move(keys);
  return lines(*find_hotspots(with_samples(), kResolver, options));
}

TEST(Hotspots, CountsByFunctionForEachEvent) {
  profile::Profile profile = with_samples();
  Result<Hotspots> result = find_hotspots(profile, kResolver, {});
  EXPECT_THAT(lines(*result), ElementsAre("work(int) 3 0", "idle 1 1"));
  const Count& work = result->rows[0].counts[0];
  EXPECT_EQ(work.estimated, 30u);
  EXPECT_DOUBLE_EQ(work.share->value, 0.75);
  EXPECT_LT(work.share->low, 0.75);
  EXPECT_EQ(result->rows[0].dso, "program");
  EXPECT_EQ(result->events[1].samples, 1u);
}

TEST(Hotspots, ReportRatesOfTheLastInterval) {
  profile::Profile profile = with_samples();
  for (uint64_t i = 0; i < profile.samples.size(); ++i) profile.samples.time_ns.set(i, 100 + i);
  Options options;
  EXPECT_EQ(find_hotspots(profile, kResolver, options)->rows[0].counts[0].per_second, std::nullopt);
  options.recent = Recent{100, 0.5};  // all samples but the first
  Result<Hotspots> result = find_hotspots(profile, kResolver, options);
  EXPECT_TRUE(result->rates);
  EXPECT_THAT(lines(*result), ElementsAre("work(int) 3 0", "idle 1 1"));
  EXPECT_EQ(result->rows[0].counts[0].per_second, 40.0) << "two samples of 10 in half a second";
  EXPECT_EQ(result->rows[1].counts[0].per_second, 20.0);
  EXPECT_EQ(result->rows[1].counts[1].per_second, 14.0);
  options.recent = Recent{200, 0.5};
  EXPECT_EQ(find_hotspots(profile, kResolver, options)->rows[0].counts[0].per_second, std::nullopt)
      << "none was sampled, which does not mean that none happened";
  options.recent = Recent{200, 0};
  EXPECT_EQ(find_hotspots(profile, kResolver, options)->rows[0].counts[0].per_second, std::nullopt)
      << "nothing was measured";
}

TEST(Hotspots, ReportNoRatesOfSamplesWithoutTime) {
  profile::Profile profile = with_samples();
  Options options;
  options.recent = Recent{100, 0.5};
  EXPECT_EQ(find_hotspots(profile, kResolver, options)->rows[0].counts[0].per_second, std::nullopt);
}

TEST(Hotspots, SortsByOneKeyOrSeveral) {
  using enum SortKey;
  EXPECT_THAT(sorted_by({kDso}), ElementsAre("program 3 0", "libc.so 1 1"));
  EXPECT_THAT(sorted_by({kIp}), ElementsAre("0x210 2 0", "0x110 1 1", "0x220 1 0"));
  EXPECT_THAT(sorted_by({kComm, kFunction}), ElementsAre("program/work(int) 2 0", "worker/idle 1 0",
                                                         "worker/work(int) 1 0", "program/idle 0 1"));
  EXPECT_THAT(sorted_by({kProcess}), ElementsAre("program (7) 2 1", "worker (7) 2 0"));
  EXPECT_THAT(sorted_by({kCgroup}), ElementsAre("[unknown] 4 1"));
  EXPECT_THAT(sorted_by({kThread}), ElementsAre("program (7) 2 1", "worker (8) 2 0"));
  EXPECT_THAT(sorted_by({kEvent}), ElementsAre("miss 4 0", "clock 0 1"));
}

// Returns "KEY/KEY own inclusive" for each row, of the first event.
std::vector<std::string> inclusive_lines(const Hotspots& result) {
  std::vector<std::string> texts = lines(result);
  for (size_t i = 0; i < texts.size(); ++i) {
    texts[i] = texts[i].substr(0, texts[i].rfind(' '));
    texts[i] += " " + std::to_string(result.rows[i].inclusive.at(0).samples);
  }
  return texts;
}

TEST(Hotspots, CountAFunctionInACallChainOnce) {
  profile::Profile profile = with_samples();
  add(profile, 0, 0, 1, 10, {2, 0, 1, 0});  // work called itself, and main was called again
  Options options;
  options.inclusive = true;
  Result<Hotspots> result = find_hotspots(profile, kResolver, options);
  EXPECT_TRUE(result->inclusive);
  EXPECT_THAT(inclusive_lines(*result), ElementsAre("work(int) 4 4", "idle 1 2", "main 0 5"));
  EXPECT_EQ(result->rows[2].counts[0].samples, 0u);
  EXPECT_EQ(result->rows[2].inclusive[0].estimated, 50u);
  EXPECT_DOUBLE_EQ(result->rows[2].inclusive[0].share->value, 1);
  options.by_inclusive = true;
  EXPECT_THAT(inclusive_lines(*find_hotspots(profile, kResolver, options)),
              ElementsAre("main 0 5", "work(int) 4 4", "idle 1 2"));
  options.keys = {SortKey::kComm, SortKey::kFunction};
  EXPECT_THAT(inclusive_lines(*find_hotspots(profile, kResolver, options)),
              ElementsAre("program/work(int) 3 3", "program/main 0 3", "worker/idle 1 2", "worker/main 0 2",
                          "worker/work(int) 1 1", "program/idle 0 0"));
}

TEST(Hotspots, InclusiveCountsAreThoseOfTheSelectedFunction) {
  Options options;
  options.inclusive = true;
  options.filter.function = "main";
  EXPECT_THAT(inclusive_lines(*find_hotspots(with_samples(), kResolver, options)), ElementsAre("main 0 4"));
  options.filter.function = "idle";
  EXPECT_THAT(inclusive_lines(*find_hotspots(with_samples(), kResolver, options)), ElementsAre("idle 1 2"));
}

TEST(Hotspots, CodeThatWasCompiledTwiceIsOneRow) {
  profile::Profile profile = with_samples();
  profile.dsos.push_back({"/tmp/perf-7.map", ""});
  for (uint64_t address : {0x1000u, 0x2000u}) {
    profile.functions.push_back({3, "Lists.total", address, 0x100});
    profile.locations.push_back(
        {3, address + 0x10, static_cast<uint32_t>(profile.functions.size() - 1), address + 0x10});
    add(profile, 0, 0, static_cast<uint32_t>(profile.locations.size() - 1), 10);
  }
  EXPECT_THAT(lines(*find_hotspots(profile, kResolver, {})), testing::Contains("Lists.total 2 0"));
}

TEST(Hotspots, HaveNoInclusiveCountsWithoutCallChainsOrFunctions) {
  Options options;
  options.inclusive = true;
  profile::Profile profile = example();
  add(profile, 0, 0, 1, 10);
  EXPECT_FALSE(find_hotspots(profile, kResolver, options)->inclusive);
  options.keys = {SortKey::kIp};
  EXPECT_FALSE(find_hotspots(with_samples(), kResolver, options)->inclusive);
}

TEST(Hotspots, SortsByWhatWasAccessed) {
  using enum SortKey;
  profile::Profile profile = with_samples();
  profile.objects = {{}, {profile::ObjectKind::kGlobal, 1, "table", 0x4000, 64}};
  profile.types.resize(2);
  profile.types[0].layout.name = "[unknown]";
  profile.types[1].layout.name = "struct row";
  profile.fields = {{0, 0, 0, "[unknown]", "", ""},
                    {1, 0, 8, "table[].x", ".x", "long"},
                    {1, 8, 8, "table[].y", ".y", "long"}};
  profile.samples.object = {1, 1, 0, 1, 0};
  profile.samples.field = {1, 2, 0, 1, 0};
  auto by = [&](std::vector<SortKey> keys) {
    Options options;
    options.keys = std::move(keys);
    return lines(*find_hotspots(profile, kResolver, options));
  };
  EXPECT_THAT(by({kObject}), ElementsAre("global table (program) 3 0", "[unknown] 1 1"));
  EXPECT_THAT(by({kField}), ElementsAre("table[].x 2 0", "[unknown] 1 1", "table[].y 1 0"));
  EXPECT_THAT(by({kType, kFunction}), ElementsAre("struct row/work(int) 3 0", "[unknown]/idle 1 1"));
}

TEST(Hotspots, WhatWasAccessedIsUnknownWhereItWasNotLoaded) {
  EXPECT_THAT(sorted_by({SortKey::kObject}), ElementsAre("[unknown] 4 1"));
}

TEST(Hotspots, SortsByWhoAllocatedTheHeapBlock) {
  profile::Profile profile = with_samples();
  profile.functions.push_back({2, "malloc", 0x300, 0x100});
  // The locations are in no object, so that no file is read for their names.
  for (uint32_t function : {3, 1, 1, 0})
    profile.locations.push_back({0, profile.locations.size(), function, profile.locations.size()});
  profile.heap_sites = {{1, false, {4, 5, 7}}, {2, false, {4, 6}}, {3, false, {4, 7}}, {4, false, {}}};
  for (size_t sample : {0, 1, 2, 4}) {
    profile.samples.heap_start.set(sample, 0x1000 * sample);
    profile.samples.heap_bytes.set(sample, 100);
    if (sample != 4) profile.samples.heap_site.set(sample, sample);
  }
  Options options;
  options.keys = {SortKey::kSite};
  EXPECT_THAT(lines(*find_hotspots(profile, kResolver, options)),
              ElementsAre("work(int) 2 0", "main 1 0", "[no heap block] 1 0", "[unknown site] 0 1"));
  profile.samples.heap_site.set(2, 3);  // no call chain was recorded for this site
  EXPECT_THAT(lines(*find_hotspots(profile, kResolver, options)),
              ElementsAre("work(int) 2 0", "[unknown site] 1 1", "[no heap block] 1 0"));
  options.keys = {SortKey::kEvent, SortKey::kSite};
  EXPECT_EQ(find_hotspots(profile, kResolver, options)->rows.size(), 4u);
}

TEST(Hotspots, RowOverSeveralObjectsHasNone) {
  Options options;
  options.keys = {SortKey::kComm};
  EXPECT_EQ(find_hotspots(with_samples(), kResolver, options)->rows[0].dso, std::nullopt);
}

TEST(Hotspots, FilterLeavesSharesOfTheWhole) {
  Options options;
  options.filter.events = {"miss"};
  options.filter.tid = 8;
  options.filter.function = "work";
  profile::Profile profile = with_samples();
  Result<Hotspots> result = find_hotspots(profile, kResolver, options);
  EXPECT_THAT(lines(*result), ElementsAre("work(int) 1"));
  EXPECT_DOUBLE_EQ(result->rows[0].counts[0].share->value, 0.25);
  options.filter.events = {"nothing"};
  EXPECT_THAT(find_hotspots(profile, kResolver, options).error().message, HasSubstr("miss, clock"));
}

TEST(Hotspots, LimitSaysHowManyRowsThereAre) {
  Options options;
  options.limit = 1;
  Result<Hotspots> result = find_hotspots(with_samples(), kResolver, options);
  EXPECT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->all_rows, 2u);
}

TEST(Hotspots, CallersAreATree) {
  Options options;
  options.callers = true;
  std::vector<Row> rows = find_hotspots(with_samples(), kResolver, options)->rows;
  const std::vector<callers::Caller>& callers = rows[0].callers;
  ASSERT_EQ(callers.size(), 2u);
  EXPECT_EQ(callers[0].function, "main");
  EXPECT_EQ(callers[0].samples, 2u);
  EXPECT_DOUBLE_EQ(callers[0].share, 2.0 / 3);
  EXPECT_EQ(callers[1].function, "idle");
  ASSERT_EQ(callers[1].callers.size(), 1u);
  EXPECT_EQ(callers[1].callers[0].function, "main");
  options.caller_min_share = 0.5;
  EXPECT_EQ(find_hotspots(with_samples(), kResolver, options)->rows[0].callers.size(), 1u);
}

TEST(Hotspots, SaysWhereNoSampleHasCallers) {
  Options options;
  options.callers = true;
  EXPECT_FALSE(find_hotspots(with_samples(), kResolver, options)->lacks_callers);
  profile::Profile profile = example();
  add(profile, 0, 0, 1, 10);
  EXPECT_TRUE(find_hotspots(profile, kResolver, options)->lacks_callers);
  options.callers = false;
  EXPECT_FALSE(find_hotspots(profile, kResolver, options)->lacks_callers);
}

TEST(SortKeys, TakeOurNamesAndPerfs) {
  EXPECT_THAT(*parse_sort_keys("dso,sym"), ElementsAre(SortKey::kDso, SortKey::kFunction));
  EXPECT_THAT(*parse_sort_keys("srcline"), ElementsAre(SortKey::kLine));
  EXPECT_THAT(*parse_sort_keys("site,event"), ElementsAre(SortKey::kSite, SortKey::kEvent));
  EXPECT_FALSE(parse_sort_keys("").ok());
  EXPECT_FALSE(parse_sort_keys("dso,").ok());
  EXPECT_FALSE(parse_sort_keys("dso,dso").ok());
  EXPECT_THAT(*parse_sort_keys("object,field,type"),
              ElementsAre(SortKey::kObject, SortKey::kField, SortKey::kType));
  EXPECT_EQ(name_of(SortKey::kFunction), "function");
  EXPECT_EQ(name_of(SortKey::kField), "field");
}

}  // namespace
}  // namespace hm::hotspots
