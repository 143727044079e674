// SPDX-License-Identifier: MIT
#include "profile/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/isolation.h"

namespace hm::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Has a sample in each function except the last.
Profile example() {
  Profile profile;
  profile.events = {{"miss", {}}};
  profile.threads = {{7, 7, "program"}};
  profile.dsos = {{"[unknown]", ""}, {"/bin/program", ""}};
  const char* names[] = {"parse", "parse_list(int)", "Reader::parse(char)", "sort", "unsampled"};
  for (const char* name : names) {
    auto row = static_cast<uint32_t>(profile.functions.size());
    profile.functions.push_back({1, name, 0x100 * row, 0x100});
    profile.locations.push_back({1, 0x100 * row, row, 0x100 * row});
  }
  for (uint32_t location = 0; location < 4; ++location) {
    profile.samples.event.push_back(0);
    profile.samples.thread.push_back(0);
    profile.samples.location.push_back(location);
  }
  return profile;
}

std::vector<std::string> functions_that(const std::string& wanted) {
  FilterOptions options;
  options.function = wanted;
  Profile profile = example();
  Result<Filter> filter = Filter::make(profile, options);
  if (!filter) return {filter.error().message};
  std::vector<std::string> names;
  for (size_t sample = 0; sample < profile.samples.size(); ++sample) {
    if (filter->passes(profile, sample))
      names.push_back(profile.functions[profile.locations[profile.samples.location[sample]].function].name);
  }
  return names;
}

// Two containers with one process each.
Profile of_containers() {
  Profile profile = example();
  profile.threads.push_back({8, 8, "program"});
  profile.samples.thread[3] = 1;
  profile.features.hardmeter =
      record::with_isolation("{}", {{{"/docker/1", "web"}, {7}}, {{"/docker/2", "db"}, {8}}});
  return profile;
}

TEST(FilterCgroup, KeepsTheProcessesOfAContainer) {
  Profile profile = of_containers();
  FilterOptions options;
  options.cgroup = "db";
  Result<Filter> filter = Filter::make(profile, options);
  ASSERT_TRUE(filter);
  for (size_t sample = 0; sample < profile.samples.size(); ++sample)
    EXPECT_EQ(filter->passes(profile, sample), sample == 3) << sample;
}

TEST(FilterCgroup, AnUnknownOneIsAnErrorWithTheKnownOnes) {
  Profile profile = of_containers();
  FilterOptions options;
  options.cgroup = "cache";
  Result<Filter> filter = Filter::make(profile, options);
  ASSERT_FALSE(filter);
  EXPECT_THAT(filter.error().message, HasSubstr("'cache'; those of the recording are: db, web"));
  profile.features.hardmeter.reset();
  EXPECT_THAT(Filter::make(profile, options).error().message,
              HasSubstr("does not have the control groups of its processes"));
}

TEST(FilterJitCode, IsCompiledCodeWithANameAlone) {
  Profile profile = example();
  profile.dsos.push_back({"/tmp/perf-12.map", ""});
  profile.dsos.push_back({"/tmp/perf-13.map", ""});
  profile.dsos.back().is_unnamed_jit = true;
  profile.locations[1].dso = 2;
  profile.locations[2].dso = 3;
  FilterOptions options;
  options.jit_code = true;
  Result<Filter> filter = Filter::make(profile, options);
  ASSERT_TRUE(filter);
  for (size_t sample = 0; sample < profile.samples.size(); ++sample)
    EXPECT_EQ(filter->passes(profile, sample), sample == 1) << sample;
}

TEST(FilterFunction, TheNameItselfComesFirst) {
  EXPECT_THAT(functions_that("parse"), ElementsAre("parse"));
  EXPECT_THAT(functions_that("parse_list"), ElementsAre("parse_list(int)"));
  EXPECT_THAT(functions_that("parse_list(int)"), ElementsAre("parse_list(int)"));
}

TEST(FilterFunction, ANameAsItIsShown) {
  Profile profile = example();
  profile.functions[3].name = "void sort<int>(int*)";
  FilterOptions options;
  options.function = "sort<…>";
  Result<Filter> filter = Filter::make(profile, options);
  ASSERT_TRUE(filter.ok()) << filter.error().message;
  EXPECT_TRUE(filter->passes(profile, 3));
  EXPECT_FALSE(filter->passes(profile, 0));
}

TEST(FilterFunction, CallersOnlyIfTheyAreIncluded) {
  Profile profile = example();
  FilterOptions options;
  options.function = "unsampled";
  profile.samples.chain_locations = {0, 4};
  EXPECT_FALSE(Filter::make(profile, options).ok());
  Result<Filter> filter = Filter::make(profile, options, nullptr, Among::kCallChains);
  ASSERT_TRUE(filter.ok());
  EXPECT_TRUE(filter->passes_location(profile, 4));
  EXPECT_FALSE(filter->passes_location(profile, 0));
}

TEST(FilterFunction, ACloneIsTheFunction) {
  EXPECT_THAT(functions_that("sort.constprop.1"), ElementsAre("sort"));
  EXPECT_THAT(functions_that("(anonymous namespace)::Reader::parse(char)"),
              ElementsAre("Reader::parse(char)"));
}

TEST(FilterFunction, APartOfTheNameWhereNoneIsCalledSo) {
  EXPECT_THAT(functions_that("list"), ElementsAre("parse_list(int)"));
  EXPECT_THAT(functions_that("Reader"), ElementsAre("Reader::parse(char)"));
}

TEST(FilterFunction, APattern) {
  EXPECT_THAT(functions_that("parse*"), ElementsAre("parse", "parse_list(int)"));
  EXPECT_THAT(functions_that("*::parse"), ElementsAre("Reader::parse(char)"));
  EXPECT_THAT(functions_that("s?rt"), ElementsAre("sort"));
}

TEST(FilterFunction, NoneIsAnErrorThatNamesTheNearest) {
  EXPECT_THAT(functions_that("sorting"), ElementsAre(HasSubstr("did you mean 'sort'?")));
  EXPECT_THAT(functions_that("no_such_function"), ElementsAre(HasSubstr("hardmeter report lists")));
  EXPECT_THAT(functions_that("unsampled"), ElementsAre(HasSubstr("no sample is in 'unsampled'")));
}

}  // namespace
}  // namespace hm::profile
