// SPDX-License-Identifier: MIT
// The same program, input, environment and options give the same counts and the same samples, except for ids
// and times.
#include <gtest/gtest.h>

#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

const Words kCommand = {"perl", "-e",
                        "my %h; $h{$_ * 7919 % 10007} .= $_ for 1..3000; print scalar(keys %h), qq(\\n)"};

class Repeated : public WithPlainEnvironment {
 protected:
  void SetUp() override {
    if (!installed("perl")) GTEST_SKIP() << "there is no perl; not tested";
  }
};

// Compares the repeatable parts of two samples.
void expect_same(const Sample& a, const Sample& b) {
  ASSERT_EQ(a.event, b.event);
  ASSERT_EQ(a.ip, b.ip);
  ASSERT_EQ(a.addr, b.addr);
  ASSERT_EQ(a.period, b.period);
  ASSERT_EQ(a.weight, b.weight);
  ASSERT_EQ(a.source.val, b.source.val);
  ASSERT_EQ(a.run_cycles, b.run_cycles);
  ASSERT_EQ(a.branches, b.branches);
  ASSERT_EQ(a.call_chain, b.call_chain);
}

TEST_F(Repeated, CountsAreTheSame) {
  Words options = {"-e", "branch_retired,branch_mispredict,mob_load_replay_retired,clock"};
  EXPECT_EQ(count(options, kCommand), count(options, kCommand));
}

// On a processor whose second-level TLBs of code and data are separate.
TEST_F(Repeated, DataCountsDoNotDependOnWhetherCodeIsModelled) {
  Counts all = count({"--cpu", "zen4"}, kCommand), data = count({"--cpu", "zen4", "--l1i", "none"}, kCommand);
  for (const char* of_data :
       {"memory_loads", "memory_stores", "l1_cache_miss", "l1_store_miss", "dtlb_all_miss"})
    EXPECT_EQ(all[of_data], data[of_data]) << of_data;
  for (const char* of_code : {"icache_miss", "split_fetch_miss", "itlb_miss"}) {
    EXPECT_TRUE(all.contains(of_code)) << of_code;
    EXPECT_FALSE(data.contains(of_code)) << of_code;
  }
  EXPECT_LE(data["l2_cache_miss"], all["l2_cache_miss"]);  // code no longer evicts data there
}

void expect_same(const Recording& first, const Recording& second) {
  ASSERT_EQ(first.samples.size(), second.samples.size());
  for (size_t i = 0; i < first.samples.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_same(first.samples[i], second.samples[i])) << "sample " << i;
  }
}

TEST_F(Repeated, SamplesAreTheSame) {
  Words options = {"-e", "l1_cache_miss,instr_retired,branch_mispredict", "-c", "5000", "-b", "any", "-g"};
  Recording first = record(options, kCommand);
  ASSERT_GT(first.samples.size(), 100u);
  expect_same(first, record(options, kCommand));
}

// The C library keeps random numbers from the kernel in registers, so registers are compared only in programs
// without it.
TEST_F(Repeated, RegistersAreTheSame) {
  Words options = {"-e", "instr_retired,l1_cache_miss", "-c", "10"};
  Recording first = record(options, {program("cache")});
  Recording second = record(options, {program("cache")});
  ASSERT_GT(first.samples.size(), 1000u);
  ASSERT_NO_FATAL_FAILURE(expect_same(first, second));
  for (size_t i = 0; i < first.samples.size(); ++i) {
    ASSERT_EQ(first.samples[i].registers, second.samples[i].registers) << "sample " << i;
  }
}

}  // namespace
}  // namespace hm::soft_pmu_test
