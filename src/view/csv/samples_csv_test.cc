// SPDX-License-Identifier: MIT
#include "view/csv/samples_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::csv {
namespace {

// A load that hit the L3 cache with a lock, and a sample of which only location and time are known.
profile::Profile two_samples() {
  profile::Profile profile;
  profile.events = {{"cpu/mem-loads,ldlat=30/", {}}};
  profile.threads = {{10, 11, "the \"worker\""}};
  profile.dsos = {{"[unknown]", ""}, {"/bin/program", ""}};
  profile.functions = {{1, "Table<int, long>::find(int)", 0x1000, 100}};
  profile.locations = {{1, 0x1010, 0, 0x1010}};
  profile.objects = {{}, {}};
  profile.fields.resize(2);
  profile.fields[1].text = "struct node.next";
  profile::Samples& samples = profile.samples;
  samples.event = samples.thread = samples.location = {0, 0};
  samples.field = {1, 0};
  samples.time_ns.set(0, 1000);
  samples.time_ns.set(1, 2000);
  samples.address.set(0, 0x7f0010);
  perf_mem_data_src source{};
  source.mem_op = PERF_MEM_OP_LOAD;
  source.mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3;
  source.mem_lock = PERF_MEM_LOCK_LOCKED;
  samples.data_source.set(0, source.val);
  samples.latency_cycles.set(0, 70);
  samples.l1_class.set(0, static_cast<uint64_t>(record::MissClass::kCapacity));
  return profile;
}

TEST(SamplesCsv, NameTheirColumns) {
  EXPECT_EQ(samples_head(),
            "time_ns,event,period,pid,tid,comm,cpu,function,dso,place,address,physical_address,object,field,"
            "bytes,access,level,snoop,tlb,locked,latency_cycles,l1_class,l2_class,l3_class\r\n");
}

TEST(SamplesCsv, AreWholeAndQuoted) {
  EXPECT_EQ(sample_line(two_samples(), 0),
            "1000,\"cpu/mem-loads,ldlat=30/\",,10,11,\"the \"\"worker\"\"\",,\"Table<int, long>::find(int)\","
            "/bin/program,1010,7f0010,,,struct node.next,,load,L3 hit,N/A,N/A,yes,70,capacity,,\r\n");
}

// A thread's name may contain any bytes.
TEST(SamplesCsv, AreUtf8) {
  profile::Profile profile = two_samples();
  profile.threads[0].comm = "a\xff,\xc3";
  EXPECT_THAT(sample_line(profile, 0), ::testing::HasSubstr(",11,\"a\xef\xbf\xbd,\xef\xbf\xbd\",,"));
}

TEST(SamplesCsv, ControlCharactersAreEscaped) {
  profile::Profile profile = two_samples();
  profile.threads[0].comm = "a\r\n\x1b[2J\u009b,\u202e";
  EXPECT_THAT(sample_line(profile, 0), ::testing::HasSubstr(",\"a\\x0d\\x0a\\x1b[2J\\u009b,\\u202e\","));
}

TEST(SamplesCsv, LeaveEmptyWhatIsNotKnown) {
  EXPECT_EQ(sample_line(two_samples(), 1),
            "2000,\"cpu/mem-loads,ldlat=30/\",,10,11,\"the \"\"worker\"\"\",,\"Table<int, long>::find(int)\","
            "/bin/program,1010,,,,,,,,,,,,,,\r\n");
}

}  // namespace
}  // namespace hm::csv
