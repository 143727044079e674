// SPDX-License-Identifier: MIT
#include "analysis/diff/same_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/diff/functions.h"
#include "analysis/diff/limits.h"
#include "analysis/diff/test_recordings.h"

namespace hm::diff {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

struct TestFunction {
  std::string name, file;
  uint64_t samples = 0;
  bool has_file = false;  // in the row's name
};

Recording run_of(const std::vector<TestFunction>& functions) {
  TestRows rows;
  uint64_t samples = 0;
  std::map<std::string, FunctionOrigin> origins;
  for (const TestFunction& each : functions) {
    std::string row = each.has_file ? each.name + " (" + each.file + ")" : each.name;
    rows.emplace_back(row, each.samples);
    samples += each.samples;
    if (!each.file.empty()) origins[row] = {each.file, 1, {}, each.has_file ? each.name : ""};
  }
  Recording run = test_recording(static_cast<double>(samples * kTestPeriod), rows);
  run.knows_inlines = true;
  run.origins = std::move(origins);
  return run;
}

const std::vector<TestFunction> kBoth{
    {"walk", "one.c", 10, true}, {"walk", "two.c", 20, true}, {"main", "main.c", 1}};

TEST(MakeNamesEqual, AddsTheFileOfAFunctionThatIsAlone) {
  std::vector<Recording> before{run_of(kBoth)}, after{run_of({{"walk", "two.c", 30}, {"main", "main.c", 2}})};
  make_names_equal(before, after);
  EXPECT_THAT(rows_of(after[0]), ElementsAre(Pair("main", 2), Pair("walk (two.c)", 30)));
  EXPECT_THAT(rows_of(before[0]),
              ElementsAre(Pair("main", 1), Pair("walk (one.c)", 10), Pair("walk (two.c)", 20)));
}

TEST(MakeNamesEqual, AFunctionOfAThirdFileIsAnotherOne) {
  std::vector<Recording> before{run_of(kBoth)}, after{run_of({{"walk", "three.c", 30}})};
  make_names_equal(before, after);
  EXPECT_THAT(rows_of(after[0]), ElementsAre(Pair("walk (three.c)", 30)));
}

TEST(MakeNamesEqual, WithoutKnownFilesTheFunctionsAreSummedUp) {
  std::vector<Recording> before{run_of(kBoth)}, after{run_of({{"walk", "", 30}})};
  before[0].events[0].inlined[{{"main", "program"}, {"walk (one.c)"}}] = {1, kTestPeriod};
  make_names_equal(before, after);
  EXPECT_THAT(rows_of(before[0]), ElementsAre(Pair("main", 1), Pair("walk", 30)));
  EXPECT_THAT(rows_of(after[0]), ElementsAre(Pair("walk", 30)));
  EXPECT_THAT(before[0].events[0].inlined.begin()->first.functions, ElementsAre("walk"));
}

TEST(MakeNamesEqual, PathsThatAreShortenedDifferentlyAreSummedUp) {
  std::vector<Recording> before{run_of({{"walk", "a/one.c", 10, true}, {"walk", "b/one.c", 20, true}})};
  std::vector<Recording> after{run_of({{"walk", "one.c", 10, true}, {"walk", "two.c", 20, true}})};
  make_names_equal(before, after);
  EXPECT_THAT(rows_of(before[0]), ElementsAre(Pair("walk", 30)));
  EXPECT_THAT(rows_of(after[0]), ElementsAre(Pair("walk", 30)));
}

std::string outcome(const std::string& function, const std::vector<TestFunction>& before,
                    const std::vector<TestFunction>& after) {
  std::vector<Recording> b{run_of(before)}, a{run_of(after)};
  const MatchedSides matched = match_functions(b, a);
  Result<Check> check =
      check_limit(*parse_limit("miss@" + function + ":50%"), Side(matched.before), Side(matched.after));
  return check ? std::string(name_of(check->verdict)) : check.error().message;
}

TEST(LimitOfOneFile, IsOnThatFunctionAlone) {
  const std::vector<TestFunction> grown{{"walk", "one.c", 1000, true}, {"walk", "two.c", 4000, true}};
  const std::vector<TestFunction> small{{"walk", "one.c", 1000, true}, {"walk", "two.c", 1000, true}};
  for (const char* name : {"two.c:walk", "walk (two.c)", "/src/two.c:walk"})
    EXPECT_EQ(outcome(name, small, grown), "exceeded") << name;
  EXPECT_EQ(outcome("one.c:walk", small, grown), "within");
  EXPECT_EQ(outcome("one.c:walk", small, {{"walk", "two.c", 4000}}), "within") << "it has no sample any more";
}

TEST(LimitOfOneFile, TakesAFunctionWhoseNameIsUnique) {
  EXPECT_EQ(outcome("main.c:main", {{"main", "main.c", 1000}}, {{"main", "main.c", 4000}}), "exceeded");
  EXPECT_EQ(outcome("main", {{"main", "main.c", 1000}}, {{"main", "main.c", 4000}}), "exceeded");
}

TEST(LimitOfOneFile, AnAmbiguousOrUnknownNameIsOneSentence) {
  EXPECT_THAT(outcome("walk", kBoth, kBoth),
              HasSubstr("several functions are called 'walk'; name the file of one: one.c:walk, two.c:walk"));
  EXPECT_THAT(outcome("three.c:walk", kBoth, kBoth),
              HasSubstr("the functions of this name with samples are one.c:walk, two.c:walk"));
  EXPECT_THAT(outcome("one.c:wlak", kBoth, kBoth), HasSubstr("in a function called 'one.c:wlak'"));
}

}  // namespace
}  // namespace hm::diff
