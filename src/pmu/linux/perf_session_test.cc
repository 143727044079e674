// SPDX-License-Identifier: MIT
#include "pmu/linux/perf_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pmu/linux/fake_kernel.h"
#include "pmu/linux/probe.h"
#include "pmu/linux/recorder.h"
#include "record/perf_record.h"

namespace hm::linux_pmu {
namespace {

using ::testing::HasSubstr;

constexpr size_t kRingBytes = size_t{64} << 10;

Event raw_event(const char* name, uint64_t config, unsigned group = 0) {
  Event event;
  event.name = name;
  event.programming = {.type = PERF_TYPE_RAW, .config = config};
  event.max_precise = 3;
  event.group = group;
  return event;
}

Intent sampling(std::vector<Event> events) {
  Intent intent;
  intent.events = std::move(events);
  intent.sampling = Sampling{};
  return intent;
}

TEST(Session, OneRingForEachCpuAndOneSideBand) {
  FakeKernel kernel;
  auto session =
      Session::open(kernel, sampling({raw_event("a", 1), raw_event("b", 2)}), {50, 51}, kRingBytes);
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_EQ(kernel.opened.size(), 8u);
  EXPECT_EQ(session->rings().size(), 2u);
  size_t side_bands = 0, redirected = 0;
  for (const FakeKernel::Opened& each : kernel.opened) {
    side_bands += each.attr.mmap;
    redirected += each.requests == std::vector<unsigned long>{PERF_EVENT_IOC_SET_OUTPUT};
    if (!each.requests.empty()) {
      EXPECT_EQ(kernel.of(static_cast<int>(each.argument)).place.cpu, each.place.cpu);
    }
  }
  EXPECT_EQ(side_bands, 4u);  // each thread on each CPU
  EXPECT_EQ(redirected, 6u);
}

TEST(Session, GivesUpWhatTheKernelRefusesAndSaysSo) {
  FakeKernel kernel;
  kernel.refuse = [](const perf_event_attr& attr, const PidAndCpu&) {
    if (attr.exclude_kernel == 0) return EACCES;
    return attr.precise_ip > 2 ? EOPNOTSUPP : 0;
  };
  auto session = Session::open(kernel, sampling({raw_event("a", 1)}), {50}, kRingBytes);
  ASSERT_TRUE(session.ok());
  const OpenEvent& event = session->events()[0];
  EXPECT_EQ(event.fallbacks, (std::vector{Fallback::kKernelMode, Fallback::kPrecision}));
  EXPECT_EQ(event.attr.precise_ip, 2u);
  EXPECT_EQ(kernel.refused.size(), 2u);  // the second CPU starts with the attributes that the first accepted
}

TEST(Session, GroupsHaveALeaderAtEachPlace) {
  FakeKernel kernel;
  auto session =
      Session::open(kernel, sampling({raw_event("a", 1, 1), raw_event("b", 2, 1)}), {}, kRingBytes);
  ASSERT_TRUE(session.ok());
  for (const FakeKernel::Opened& each : kernel.opened) {
    if (each.attr.config == 1) {
      EXPECT_EQ(each.group_fd, -1);
    } else {
      EXPECT_EQ(kernel.of(each.group_fd).place, each.place);
    }
  }
}

TEST(Session, ThreadsThatEndMeanwhileArePassedOver) {
  FakeKernel kernel;
  kernel.refuse = [](const perf_event_attr&, const PidAndCpu& place) { return place.pid == 50 ? ESRCH : 0; };
  auto session = Session::open(kernel, sampling({raw_event("a", 1)}), {50, 51}, kRingBytes);
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(session->events()[0].counters.size(), 2u);
  EXPECT_EQ(Session::open(kernel, sampling({raw_event("a", 1)}), {50}, kRingBytes).error().code,
            ErrorCode::kNotFound);
}

TEST(Session, ACgroupIsAFolder) {
  FakeKernel kernel;
  kernel.folders["/sys/fs/cgroup/db"] = {};
  Intent intent = sampling({raw_event("a", 1)});
  intent.target.cgroup = "db";
  ASSERT_TRUE(Session::open(kernel, intent, {}, kRingBytes).ok());
  EXPECT_EQ(kernel.opened.size(), 2u);
  EXPECT_TRUE(kernel.opened[0].flags & PERF_FLAG_PID_CGROUP);
  intent.target.cgroup = "none";
  EXPECT_THAT(Session::open(kernel, intent, {}, kRingBytes).error().message, HasSubstr("'none'"));
}

TEST(Session, ACgroupOfAnotherControllerIsSaidToBeOne) {
  FakeKernel kernel;
  kernel.folders["/sys/fs/cgroup/unified/db"] = {};
  kernel.folders["/sys/fs/cgroup/cpu"] = {};
  Event clock = raw_event("clock", PERF_COUNT_SW_CPU_CLOCK);
  clock.programming.type = PERF_TYPE_SOFTWARE;
  Intent intent = sampling({clock});
  intent.target.cgroup = "db";  // in the version 2 hierarchy, if it is mounted beside version 1
  EXPECT_TRUE(Session::open(kernel, intent, {}, kRingBytes).ok());
  intent.target.cgroup = "cpu";
  kernel.refuse = [](const perf_event_attr&, const PidAndCpu&) { return ENOENT; };
  EXPECT_THAT(Session::open(kernel, intent, {}, kRingBytes).error().message, HasSubstr("version 2"));
}

TEST(Session, AnEventsOwnModesAreTheUsersChoice) {
  FakeKernel kernel;
  kernel.refuse = [](const perf_event_attr& attr, const PidAndCpu&) {
    return attr.exclude_kernel == 0 ? EACCES : 0;
  };
  Event event = raw_event("a", 1);
  event.user = event.kernel = true;
  EXPECT_EQ(Session::open(kernel, sampling({event}), {50}, kRingBytes).error().code, ErrorCode::kPermission);
  event.user = event.kernel = std::nullopt;
  EXPECT_TRUE(Session::open(kernel, sampling({event}), {50}, kRingBytes).ok());
}

TEST(Session, WhatComesAboutInTheKernelHasNoUserPart) {
  FakeKernel kernel;
  Event switches = raw_event("context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES);
  switches.programming.type = PERF_TYPE_SOFTWARE;
  Intent intent = sampling({switches});
  intent.modes = {.user = true, .kernel = false, .chosen = true};
  EXPECT_THAT(Session::open(kernel, intent, {50}, kRingBytes).error().message, HasSubstr("omit -u"));
  EXPECT_TRUE(kernel.opened.empty());
}

TEST(Session, ErrorsHaveARemedy) {
  FakeKernel kernel;
  kernel.files["/proc/sys/kernel/perf_event_paranoid"] = "3";
  int error = 0;
  kernel.refuse = [&](const perf_event_attr&, const PidAndCpu&) { return error; };
  auto message = [&](int refused, const std::vector<pid_t>& threads) {
    error = refused;
    return Session::open(kernel, sampling({raw_event("a", 1)}), threads, kRingBytes).error().message;
  };
  EXPECT_THAT(message(EACCES, {}), HasSubstr("perf_event_paranoid at 3"));
  kernel.files["/proc/sys/kernel/perf_event_paranoid"] = "2";
  kernel.root = false;
  EXPECT_THAT(message(EACCES, {50}), HasSubstr("another user's"));
  EXPECT_THAT(message(ENOENT, {50}), HasSubstr("--pmu=soft"));
  EXPECT_THAT(message(EMFILE, {50}), HasSubstr("ulimit -Hn"));
  EXPECT_THAT(message(EBUSY, {50}), HasSubstr("another user of the PMU"));
  error = 0;
  kernel.map_error = EPERM;
  kernel.files["/proc/sys/kernel/perf_event_mlock_kb"] = "516";
  EXPECT_THAT(Session::open(kernel, sampling({raw_event("a", 1)}), {50}, kRingBytes).error().message,
              HasSubstr("mlock_kb allows 516"));
}

TEST(Session, CountsAddUpOverCpusAndTimesDoNot) {
  FakeKernel kernel;
  auto session = Session::open(kernel, sampling({raw_event("a", 1)}), {50}, kRingBytes);
  ASSERT_TRUE(session.ok());
  Counted counted = session->read()[0].at(50);
  EXPECT_EQ(counted.value, 200u);
  EXPECT_EQ(counted.time_enabled_ns, 10u);
  EXPECT_EQ(counted.time_running_ns, 20u);
}

TEST(Session, AProbeOpensTheEvent) {
  FakeKernel kernel;
  kernel.refuse = [](const perf_event_attr& attr, const PidAndCpu&) {
    return attr.precise_ip > 1 ? EOPNOTSUPP : 0;
  };
  Probed probed = probe(kernel, raw_event("a", 1));
  EXPECT_TRUE(probed.opened);
  EXPECT_EQ(probed.precise, 1u);
  kernel.refuse = [](const perf_event_attr&, const PidAndCpu&) { return ENOENT; };
  EXPECT_THAT(probe(kernel, raw_event("a", 1)).problem, HasSubstr("cannot measure a: "));
}

std::vector<std::byte> sample_of(uint64_t id, uint64_t data_source) {
  ByteWriter payload;
  for (uint64_t word :
       {id, uint64_t{0x400000}, uint64_t{0}, uint64_t{77}, uint64_t{0}, uint64_t{1}, data_source})
    payload.u64(word);
  ByteWriter record;
  EXPECT_TRUE(record::append_record(record, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, payload.bytes()).ok());
  return std::move(record).take();
}

// Hardware that samples every operation: samples without the event are dropped.
TEST(Recorder, KeepsTheSamplesThatHadTheEvent) {
  FakeKernel kernel;
  kernel.files["/sys/devices/system/cpu/online"] = "0";
  Event misses = raw_event("l1_cache_miss", 1);
  misses.sample_fields = PERF_SAMPLE_DATA_SRC;
  misses.keep.missed_cache_level = 1;
  auto session = Session::open(kernel, sampling({misses}), {}, kRingBytes);
  ASSERT_TRUE(session.ok());
  uint64_t id = session->events()[0].counters[0].id;
  perf_mem_data_src hit{}, miss{};
  hit.mem_op = miss.mem_op = PERF_MEM_OP_LOAD;
  hit.mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT;
  hit.mem_lvl_num = PERF_MEM_LVLNUM_L1;
  miss.mem_lvl = PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT;
  miss.mem_lvl_num = PERF_MEM_LVLNUM_L2;
  for (uint64_t source : {miss.val, hit.val, miss.val, hit.val})
    kernel.write_record(kernel.opened[0].fd, sample_of(id, source));
  size_t taken = 0;
  Target everything;
  everything.whole_system = true;
  Recorder recorder(*session, nullptr, everything,
                    {.take =
                         [&](Bytes records) {
                           taken += records.size();
                           return Status();
                         },
                     .look = {}});
  EXPECT_FALSE(recorder.start());
  ASSERT_TRUE(recorder.round({}).ok());
  EXPECT_FALSE(recorder.over());
  recorder.end(pmu::End::kAsked);
  EXPECT_TRUE(recorder.over());
  EXPECT_EQ(recorder.tally().samples, 2u);
  EXPECT_EQ(recorder.tally().last_sample_ns, 77u);
  EXPECT_EQ(taken, 2 * sample_of(id, 0).size());
}

}  // namespace
}  // namespace hm::linux_pmu
