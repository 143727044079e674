// SPDX-License-Identifier: MIT
// A run models only what its events need. Counts and samples are those of a run that models everything.
#include <gtest/gtest.h>

#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

const Words kScript = {"perl", "-e",
                       "my %h; $h{$_ * 7919 % 10007} .= $_ x 20 for 1..3000; print scalar(keys %h), qq(\\n)"};

class Models : public WithPlainEnvironment {
 protected:
  void SetUp() override {
    if (!installed("perl")) GTEST_SKIP() << "there is no perl; not tested";
  }
};

// Adds an event that needs all models.
std::string with_all(const std::string& events) { return events + ",memory_wait"; }

TEST_F(Models, CountsDoNotDependOnOtherModels) {
  for (const char* events : {"instr_retired", "uop_retired,memory_moves", "branch_retired,branch_mispredict",
                             "mob_load_replay_retired", "icache_miss,itlb_miss,split_fetch_miss"}) {
    Counts few = count({"-e", events}, kScript), all = count({"-e", with_all(events)}, kScript);
    EXPECT_LT(few.size(), all.size()) << events;
    for (const auto& [event, value] : few) EXPECT_EQ(value, all[event]) << event << " of " << events;
  }
}

TEST_F(Models, WhatIsNotModelledHasNoCount) {
  Counts counts = count({"-e", "instr_retired"}, kScript);
  for (const char* event : {"cycles", "l1_cache_miss", "dtlb_load_miss", "icache_miss", "memory_wait"})
    EXPECT_FALSE(counts.contains(event)) << event;
  counts = count({"-e", "icache_miss"}, kScript);
  for (const char* event : {"cycles", "l1_cache_miss", "l2_cache_miss", "fetch_wait"})
    EXPECT_FALSE(counts.contains(event)) << event;
}

void expect_same_samples(const std::string& events, const Words& command, const Words& options) {
  Recording few = record(options + Words{"-e", events}, command);
  Recording all = record(options + Words{"-e", with_all(events)}, command);
  ASSERT_GT(few.samples.size(), 20u);
  std::erase_if(all.samples, [](const Sample& each) { return each.event == "memory_wait"; });
  ASSERT_EQ(few.samples.size(), all.samples.size());
  for (size_t i = 0; i < few.samples.size(); ++i) {
    const Sample &a = few.samples[i], &b = all.samples[i];
    ASSERT_EQ(a.event, b.event) << "sample " << i;
    ASSERT_EQ(a.ip, b.ip) << "sample " << i << " of " << a.event;
    ASSERT_EQ(a.addr, b.addr) << "sample " << i << " of " << a.event;
    ASSERT_EQ(a.period, b.period) << "sample " << i << " of " << a.event;
    ASSERT_EQ(a.call_chain, b.call_chain) << "sample " << i << " of " << a.event;
  }
}

TEST_F(Models, SamplesDoNotDependOnOtherModels) {
  for (const char* events : {"instr_retired", "memory_loads", "memory_stores,memory_moves",
                             "instr_retired,memory_loads,branch_mispredict"}) {
    SCOPED_TRACE(events);
    expect_same_samples(events, kScript, {"-c", "3000", "-g"});
  }
}

// Registers of programs without a C library have no random contents. Status flags that no instruction reads
// may be older ones.
TEST_F(Models, RegistersOfSamplesDoNotDependOnOtherModels) {
  const Words options = {"-c", "2000"};
  Recording few = record(options + Words{"-e", "memory_loads"}, {program("cache")});
  Recording all = record(options + Words{"-e", "memory_loads,memory_wait"}, {program("cache")});
  std::vector<Sample> expected = all.of("memory_loads"), found = few.of("memory_loads");
  ASSERT_GT(found.size(), 3u);
  ASSERT_EQ(found.size(), expected.size());
  constexpr int kFlags = 9;  // PERF_REG_X86_FLAGS
  for (size_t i = 0; i < found.size(); ++i) {
    found[i].registers.erase(kFlags);
    expected[i].registers.erase(kFlags);
    ASSERT_EQ(found[i].registers, expected[i].registers) << i;
  }
}

// Samples lie within repeated string instructions, and in front of and behind them.
TEST_F(Models, SamplesInStringsDoNotDependOnOtherModels) {
  expect_same_samples("instr_retired,memory_stores", {program("long_strings")}, {"-c", "2000"});
  expect_same_samples("memory_loads", {program("long_strings")}, {"-c", "2500"});
}

}  // namespace
}  // namespace hm::soft_pmu_test
