// SPDX-License-Identifier: MIT
#include "app/measure/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace hm::measure {
namespace {

using ::testing::ElementsAre;

// The calls of all sources, in order.
using Calls = std::vector<std::string>;

// Delivers a record in each of its first `rounds` rounds, then ends.
class ScriptedSource final : public pmu::Source {
 public:
  ScriptedSource(std::string name, size_t rounds, Calls& calls)
      : name_(std::move(name)), rounds_(rounds), calls_(calls) {}

  void describe(record::RecordingStart&) const override {}
  Result<std::optional<pmu::Refusal>> start(pmu::Sink sink) override {
    calls_.push_back(name_ + " starts");
    sink_ = std::move(sink);
    if (!problem.empty()) return Error{ErrorCode::kIo, problem};
    return refusal;
  }
  void add_to(pmu::Wait& wait) const override { wait.at_most(0); }
  Status round(std::span<const pollfd>) override {
    if (done_ == rounds_) return {};
    ++done_;
    perf_event_header record{PERF_RECORD_SAMPLE, 0, sizeof(record)};
    return sink_(std::as_bytes(std::span(&record, 1)));
  }
  bool over() override { return ended_ || done_ == rounds_; }
  void end(pmu::End how) override {
    calls_.push_back(name_ + (how == pmu::End::kAsked ? " is asked" : " is over now"));
    ended_ = how == pmu::End::kNow || ends_when_asked;
  }
  void stop() override { calls_.push_back(name_ + " stops"); }
  Status finish() override {
    calls_.push_back(name_ + " finishes");
    return {};
  }
  void add_progress(pmu::Progress& progress) const override { progress.samples += done_; }
  std::string describe_run(const pmu::Outcome&) const override { return "{}"; }
  pmu::Report report() const override { return {}; }

  bool ends_when_asked = false;
  std::string problem;
  std::optional<pmu::Refusal> refusal;

 private:
  std::string name_;
  size_t rounds_;
  Calls& calls_;
  pmu::Sink sink_;
  size_t done_ = 0;
  bool ended_ = false;
};

class LoopTest : public ::testing::Test {
 protected:
  ScriptedSource& add(const std::string& name, size_t rounds) {
    auto source = std::make_unique<ScriptedSource>(name, rounds, calls_);
    ScriptedSource& added = *source;
    sources_.push_back(std::move(source));
    return added;
  }

  Result<measure::Run> run_all(const Observer& observer = {}, uint64_t max_ns = 0) {
    return measure::run(
        sources_,
        [this](Bytes records) {
          if (types_.size() == room_) return Status(Error{ErrorCode::kIo, "full"});
          perf_event_header header;
          std::memcpy(&header, records.data(), sizeof header);
          types_.push_back(header.type);
          return Status();
        },
        observer, max_ns);
  }

  std::vector<std::unique_ptr<pmu::Source>> sources_;
  Calls calls_;
  std::vector<uint32_t> types_;
  size_t room_ = ~size_t{0};  // maximum number of records
};

constexpr uint32_t kRoundEnd = 68;  // PERF_RECORD_FINISHED_ROUND

TEST_F(LoopTest, RunsSourcesSideBySideUntilAllAreOver) {
  add("program", 2);
  add("beside", 1);
  auto run = run_all();
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->progress.samples, 3u);
  EXPECT_FALSE(run->outcome.interrupted);
  EXPECT_THAT(types_,
              ElementsAre(PERF_RECORD_SAMPLE, PERF_RECORD_SAMPLE, kRoundEnd, PERF_RECORD_SAMPLE, kRoundEnd));
  EXPECT_THAT(calls_, ElementsAre("beside starts", "program starts", "beside stops", "program stops",
                                  "program finishes", "beside finishes"));
}

TEST_F(LoopTest, StopsWhatHasStartedWhereAnotherCannot) {
  add("program", 1).problem = "no";
  add("beside", 1);
  EXPECT_EQ(run_all().error().message, "no");
  EXPECT_THAT(calls_, ElementsAre("beside starts", "program starts", "beside stops"));
}

TEST_F(LoopTest, ARefusedCommandIsNoError) {
  add("program", 1).refusal = pmu::Refusal{126, "no"};
  auto run = run_all();
  ASSERT_TRUE(run.ok());
  ASSERT_TRUE(run->refusal);
  EXPECT_EQ(run->refusal->exit_status, 126);
  EXPECT_TRUE(types_.empty());
}

TEST_F(LoopTest, TheSecondInterruptionWaitsForNothing) {
  add("program", 1000000);
  int asked = 0;
  auto run = run_all({.progress = {}, .interrupts = [&] { return ++asked; }});
  ASSERT_TRUE(run.ok());
  EXPECT_TRUE(run->outcome.interrupted);
  EXPECT_THAT(calls_, ElementsAre("program starts", "program is asked", "program is over now",
                                  "program stops", "program finishes"));
}

TEST_F(LoopTest, ACommandRunsToItsEndWithoutASink) {
  room_ = 3;
  add("program", 4);
  auto run = run_all();
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().message, "full");
  EXPECT_THAT(types_, ElementsAre(PERF_RECORD_SAMPLE, kRoundEnd, PERF_RECORD_SAMPLE));
  EXPECT_THAT(calls_, ElementsAre("program starts", "program stops", "program is asked", "program stops",
                                  "program finishes"));
}

TEST_F(LoopTest, WhatRunsOnEndsWithItsSink) {
  room_ = 1;
  add("process", 1000000000).ends_when_asked = true;
  EXPECT_FALSE(run_all().ok());
}

TEST_F(LoopTest, EndsByItselfAfterTheTimeThatItWasGiven) {
  add("process", 1000000000).ends_when_asked = true;
  auto run = run_all({}, 1'000'000);
  ASSERT_TRUE(run.ok());
  EXPECT_FALSE(run->outcome.interrupted);
  EXPECT_GE(run->outcome.elapsed_ns, 1'000'000u);
  EXPECT_EQ(calls_[1], "process is asked");
}

}  // namespace
}  // namespace hm::measure
