// SPDX-License-Identifier: MIT
#include "analysis/annotate/annotation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/paths.h"
#include "symbol/file_resolver.h"
#include "symbol/files/dso.h"

namespace hm::annotate {
namespace {

using ::testing::HasSubstr;

const symbol::FileResolver kResolver;
const std::string kSubject = std::string(test_paths::kSubjects) + "/symbol_subject";

// A profile with 1, 2 and 3 samples at the first three instructions of the subject's plain_c_name. The body
// of plain_c_name is one source line.
profile::Profile example(const std::string& path) {
  profile::Profile profile;
  profile.events = {{"miss", {}}};
  profile.threads = {{7, 7, "subject"}};
  profile.dsos = {{"[unknown]", ""}, {path, ""}};
  symbol::Symbol function =
      symbol::Dso(kSubject, "").symbols().find_name("plain_c_name").value_or(symbol::Symbol());
  profile.functions = {{1, "plain_c_name", function.start, function.size}, {0, "[unknown]", 0, 0}};
  symbol::Dso subject(kSubject, "");
  Result<Bytes> code = subject.code(function.start, function.size);
  std::vector<symbol::Instruction> instructions = symbol::disassemble(*code, function.start);
  for (uint32_t i = 0; i < 3; ++i) {
    profile.locations.push_back({1, instructions[i].address, 0, instructions[i].address});
    for (uint32_t j = 0; j <= i; ++j) {
      profile.samples.period.set(profile.samples.size(), 10);
      profile.samples.thread.push_back(0);
      profile.samples.location.push_back(i);
      profile.samples.event.push_back(0);
    }
  }
  return profile;
}

TEST(Annotate, CountsOnInstructionsAndLines) {
  Result<Annotation> result = annotate(example(kSubject), kResolver, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->function, "plain_c_name");
  EXPECT_EQ(result->no_code, std::nullopt);
  ASSERT_GT(result->instructions.size(), 3u);
  for (size_t i = 0; i < result->instructions.size(); ++i) {
    EXPECT_EQ(result->instructions[i].counts[0].samples, i < 3 ? i + 1 : 0u) << i;
  }
  EXPECT_DOUBLE_EQ(result->instructions[2].counts[0].share->value, 0.5);
  ASSERT_EQ(result->lines.size(), 1u);
  EXPECT_EQ(result->lines[0].counts[0].samples, 6u);
  EXPECT_EQ(result->lines[0].counts[0].estimated, 60u);
  EXPECT_THAT(result->lines[0].source.value_or(""), HasSubstr("argument % 7"));
}

TEST(Annotate, LinesAroundThoseWithSamplesComeBehindThem) {
  Options options;
  options.context = 2;
  Result<Annotation> result = annotate(example(kSubject), kResolver, options);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->lines.size(), 5u);
  uint32_t hot = result->lines[0].line;
  EXPECT_EQ(result->lines[0].counts[0].samples, 6u);
  for (size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(result->lines[i].counts[0].samples, 0u);
    EXPECT_EQ(result->lines[i].line, hot - 3 + i + (i > 2 ? 1 : 0));
    EXPECT_NE(result->lines[i].source, std::nullopt);
  }
}

TEST(Annotate, TellsHowLongAccessesWaited) {
  profile::Profile profile = example(kSubject);
  for (size_t i = 0; i < profile.samples.size(); ++i) profile.samples.latency_cycles.set(i, 10 * (i + 1));
  Result<Annotation> plain = annotate(profile, kResolver, {});
  ASSERT_TRUE(plain.ok());
  EXPECT_FALSE(plain->instructions[0].latency);
  Result<Annotation> result = annotate(profile, kResolver, {.filter = {}, .latencies = true});
  ASSERT_TRUE(result.ok());
  ASSERT_TRUE(result->instructions[1].latency);
  EXPECT_EQ(result->instructions[1].latency->samples, 2u);
  EXPECT_EQ(result->instructions[1].latency->total, 50u);
  EXPECT_FALSE(result->instructions[3].latency) << "no sample there";
  ASSERT_TRUE(result->lines[0].latency);
  EXPECT_EQ(result->lines[0].latency->total, 210u);
  EXPECT_EQ(result->lines[0].latency->most, 60u);
}

TEST(Annotate, AnInstructionHasTheLatenciesOfAllItsAddresses) {
  profile::Profile profile = example(kSubject);
  profile.locations[1].address =
      profile.locations[0].address + 1;  // inside the first instruction, as some PMUs report
  for (size_t i = 0; i < profile.samples.size(); ++i) profile.samples.latency_cycles.set(i, 10);
  Result<Annotation> result = annotate(profile, kResolver, {.filter = {}, .latencies = true});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->instructions[0].counts[0].samples, 3u);
  ASSERT_TRUE(result->instructions[0].latency);
  EXPECT_EQ(result->instructions[0].latency->samples, 3u);
}

TEST(Annotate, WithoutCodeShowsTheSampledAddresses) {
  Result<Annotation> result = annotate(example("/no/such/program"), kResolver, {});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result->no_code.value_or(""), HasSubstr("/no/such/program"));
  EXPECT_EQ(result->instructions.size(), 3u);
  EXPECT_EQ(result->instructions[0].text, "");
  EXPECT_EQ(result->lines[0].source, std::nullopt);
}

TEST(Annotate, SaysWhichFunctionHasNoSample) {
  Options options;
  options.filter.function = "elsewhere";
  Result<Annotation> result = annotate(example(kSubject), kResolver, options);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("'elsewhere'"));
}

TEST(Annotate, ListsTheOthersThatWereMeant) {
  profile::Profile profile = example(kSubject);
  profile.functions.push_back({1, "plain_other", 0x10, 0x10});
  profile.locations.push_back({1, 0x10, 2, 0x10});
  profile.samples.period.set(profile.samples.size(), 10);
  profile.samples.thread.push_back(0);
  profile.samples.location.push_back(3);
  profile.samples.event.push_back(0);
  EXPECT_TRUE(annotate(profile, kResolver, {})->others.empty());
  Options options;
  options.filter.function = "plain*";
  Result<Annotation> result = annotate(profile, kResolver, options);
  EXPECT_EQ(result->function, "plain_c_name");
  ASSERT_EQ(result->others.size(), 1u);
  EXPECT_EQ(result->others[0].function, "plain_other");
  EXPECT_EQ(result->others[0].samples, 1u);
}

TEST(Annotate, SyntaxIsAChoice) {
  Options intel;
  intel.syntax = symbol::Syntax::kIntel;
  profile::Profile profile = example(kSubject);
  EXPECT_THAT(annotate(profile, kResolver, {})->instructions[0].text, HasSubstr("%"));
  EXPECT_THAT(annotate(profile, kResolver, intel)->instructions[0].text, ::testing::Not(HasSubstr("%")));
}

}  // namespace
}  // namespace hm::annotate
