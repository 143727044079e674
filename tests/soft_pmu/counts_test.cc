// SPDX-License-Identifier: MIT
// Each program of tests/programs describes its work in its comment; the software PMU must count exactly that,
// and sample exactly that.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "event/event_template.h"
#include "expectations.h"
#include "measuring.h"
#include "support/paths.h"

namespace hm::soft_pmu_test {
namespace {

std::string source(const std::string& name) {
  return std::string(test_paths::kSource) + "/tests/programs/" + name + ".S";
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(test_paths::kSource) + "/tests/programs")) {
    bool expects = entry.path().extension() == ".S" && !read_comment(entry.path()).cases.empty();
    if (expects) names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

// Returns the events of a case that can be requested. Cycles are counted if an event needs all models.
std::string event_list(const Case& each) {
  std::string list;
  for (const Expectation& expected : each.expectations) {
    if (expected.event != "cycles") list += (list.empty() ? "" : ",") + expected.event;
  }
  return list;
}

// Adds an event that needs all models, and so counts cycles.
std::string with_all_models(const std::string& events) {
  const std::string waits = "memory_wait";
  return events.find(waits) != std::string::npos ? events : events + ',' + waits;
}

class Programs : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    comment_ = read_comment(source(GetParam()));
    for (const std::string& flag : comment_.needs) {
      if (!processor_has(flag)) GTEST_SKIP() << "this processor has no " << flag << "; not tested";
    }
    if (!comment_.engine.empty() && engine() != comment_.engine)
      GTEST_SKIP() << "only for the engine " << comment_.engine << "; not tested with the other";
    labels_ = labels(path_);
  }

  // Checks that every sample lies at a label that the comment allows.
  void expect_places(const Expectation& expected, const std::vector<Sample>& samples) {
    if (expected.labels.empty()) return;
    std::set<uint64_t> places;
    for (const std::string& label : expected.labels) {
      ASSERT_TRUE(labels_.contains(label)) << "the program has no label " << label;
      places.insert(labels_[label]);
    }
    for (const Sample& sample : samples) {
      ASSERT_TRUE(places.contains(sample.ip)) << expected.event << " at " << std::hex << sample.ip;
    }
  }

  std::string path_ = program(GetParam());
  ProgramComment comment_;
  std::map<std::string, uint64_t> labels_;
};

TEST_P(Programs, CountExactly) {
  for (const Case& each : comment_.cases) {
    Counts counts = count(Words{"-e", with_all_models(event_list(each))} + each.machine, {path_});
    for (const Expectation& expected : each.expectations) {
      ASSERT_TRUE(counts.contains(expected.event)) << expected.event;
      EXPECT_EQ(counts[expected.event], expected.count) << expected.event;
    }
  }
}

TEST_P(Programs, SampleEveryPeriod) {
  for (const Case& each : comment_.cases) {
    Words options = Words{"--no-jitter", "-c", std::to_string(each.period), "-e", event_list(each)};
    Recording recording = record(options + each.machine, {path_});
    for (const Expectation& expected : each.expectations) {
      if (expected.event == "cycles") continue;
      std::vector<Sample> samples = recording.of(expected.event);
      EXPECT_EQ(samples.size(), expected.count / each.period) << expected.event;
      for (const Sample& sample : samples) EXPECT_EQ(sample.period, each.period) << expected.event;
      expect_places(expected, samples);
    }
  }
}

TEST_P(Programs, PeriodsThatVarySumUpToTheTotal) {
  constexpr uint64_t kPeriod = 100;
  const Case& each = comment_.cases.front();
  Recording recording = record(Words{"-c", "100", "-e", event_list(each)} + each.machine, {path_});
  for (const Expectation& expected : each.expectations) {
    if (expected.event == "cycles") continue;
    uint64_t sum = 0;
    for (const Sample& sample : recording.of(expected.event)) sum += sample.period;
    EXPECT_LE(sum, expected.count) << expected.event;
    EXPECT_LT(expected.count - sum, kPeriod + kPeriod / 2 + 1) << expected.event;
    expect_places(expected, recording.of(expected.event));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Programs, ::testing::ValuesIn(program_names()),
                         [](const auto& name) { return name.param; });

// Every event has a program with a known count.
TEST(Programs, ThereIsOneForEveryEvent) {
  std::set<std::string> expected{"shared_line_hit", "peer_wait"};  // sharing_test.cc
  for (const std::string& name : program_names()) {
    for (const Case& each : read_comment(source(name)).cases) {
      for (const Expectation& one : each.expectations) {
        if (one.count != 0) expected.insert(one.event);
      }
    }
  }
  for (const event::EventTemplate& each : event::all_events()) {
    if (each.soft == event::SoftSupport::kNone) continue;
    EXPECT_TRUE(expected.contains(std::string(each.name))) << each.name;
  }
}

}  // namespace
}  // namespace hm::soft_pmu_test
