// SPDX-License-Identifier: MIT
#include "profile/interpreters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::profile {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Has two samples in the object and one elsewhere.
Profile example(const DsoRow& object, const std::string& function, const std::string& runtime) {
  Profile profile;
  profile.dsos = {{"[unknown]", ""}, object, {runtime, ""}};
  profile.functions = {{1, function, 0, 0}, {2, "main", 0, 0}};
  profile.locations = {{1, 0, 0, 0}, {2, 0, 1, 0}};
  profile.samples.location = {0, 0, 1};
  profile.samples.event = {0, 0, 0};
  return profile;
}

DsoRow unnamed_jit() {
  DsoRow dso{"/tmp/perf-12.map", ""};
  dso.is_unnamed_jit = true;
  return dso;
}

TEST(MissingNames, SayHowEachRuntimeGivesThem) {
  EXPECT_THAT(missing_names(example(unnamed_jit(), "[JIT code]", "/usr/bin/node")),
              ElementsAre(AllOf(HasSubstr("2 of 3 samples"), HasSubstr("--perf-basic-prof"))));
  EXPECT_THAT(missing_names(example(unnamed_jit(), "[JIT code]", "/usr/lib/jvm/lib/server/libjvm.so")),
              ElementsAre(HasSubstr("-XX:+DumpPerfMapAtExit")));
  EXPECT_THAT(missing_names(example(unnamed_jit(), "[JIT code]", "/opt/own-compiler")),
              ElementsAre(HasSubstr("/tmp/perf-PID.map")));
}

TEST(MissingNames, OfPythonDependOnItsVersion) {
  DsoRow old{"/usr/bin/python3.11", ""}, recent{"/usr/lib/libpython3.12.so.1.0", ""};
  EXPECT_THAT(missing_names(example(old, "_PyEval_EvalFrameDefault", "/lib/libc.so.6")),
              ElementsAre(HasSubstr("this is 3.11")));
  EXPECT_THAT(missing_names(example(recent, "_PyEval_EvalFrameDefault", "/lib/libc.so.6")),
              ElementsAre(HasSubstr("run it with -X perf")));
}

TEST(MissingNames, OfPythonWithJitNamesAreThoseOfCallers) {
  Profile profile = example({"/usr/bin/python3.13", ""}, "_PyEval_EvalFrameDefault", "/lib/libc.so.6");
  profile.features.cmdline = {"hardmeter", "record", "--jit-names"};
  EXPECT_THAT(missing_names(profile), ElementsAre(HasSubstr("record its callers, too (-g)")));
  profile.dsos.push_back({"/tmp/perf-12.map", ""});
  EXPECT_THAT(missing_names(profile), ElementsAre(HasSubstr("record its callers"))) << "no code of it ran";
  profile.locations.push_back({.dso = static_cast<uint32_t>(profile.dsos.size() - 1)});
  EXPECT_THAT(missing_names(profile), IsEmpty()) << "callers have names";
}

TEST(MissingNames, OfStrippedFilesAreInTheirDebugSymbols) {
  Profile profile = example({"/usr/bin/server", "4f66ab"}, "[server+0x1000]", "/lib/libc.so.6");
  EXPECT_THAT(missing_names(profile), IsEmpty()) << "two samples are few";
  const auto add = [&](size_t samples, uint32_t location) {
    profile.samples.location.insert(profile.samples.location.end(), samples, location);
    profile.samples.event.insert(profile.samples.event.end(), samples, 0);
  };
  add(17, 0);
  EXPECT_THAT(
      missing_names(profile),
      ElementsAre(AllOf(HasSubstr("19 of 20 samples are in functions of server whose names are stripped"),
                        HasSubstr("of build 4f66ab"), HasSubstr("DEBUGINFOD_URLS"))));
  add(300, 1);
  EXPECT_THAT(missing_names(profile), IsEmpty()) << "most samples have names";
}

TEST(MissingNames, AreNoneWhereThereAreNames) {
  EXPECT_THAT(missing_names(example({"/tmp/perf-12.map", ""}, "LazyCompile:~f", "/usr/bin/node")), IsEmpty());
  EXPECT_THAT(missing_names(example({"/usr/bin/sort", ""}, "compare", "/lib/libc.so.6")), IsEmpty());
}

}  // namespace
}  // namespace hm::profile
