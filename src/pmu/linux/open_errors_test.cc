// SPDX-License-Identifier: MIT
#include "pmu/linux/open_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "pmu/linux/fake_kernel.h"

namespace hm::linux_pmu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr PidAndCpu kProcess{50, -1};
constexpr PidAndCpu kCpu{-1, 1};

struct Explain : ::testing::Test {
  Explain() { kernel.files["/proc/sys/kernel/perf_event_paranoid"] = "2"; }

  std::string said(int error, const PidAndCpu& place = kProcess) {
    return explain_open(kernel, "cycles", attr, place, error).message;
  }

  FakeKernel kernel;
  perf_event_attr attr{};
};

TEST_F(Explain, EveryErrorIsOneSentence) {
  for (uint32_t type : {PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT, PERF_TYPE_BREAKPOINT}) {
    attr.type = type;
    for (int error = 1; error < 134; ++error) {
      for (PidAndCpu place : {kProcess, kCpu, PidAndCpu{0, -1}}) {
        std::string text = said(error, place);
        EXPECT_THAT(text, ::testing::StartsWith("cannot measure cycles"));
        EXPECT_THAT(text, AllOf(Not(HasSubstr("\n")), Not(HasSubstr(". "))));
      }
    }
  }
}

TEST_F(Explain, WhatIsForbiddenHasTheLeastThatWouldAllowIt) {
  kernel.root = false;
  EXPECT_THAT(said(EACCES, kCpu), AllOf(HasSubstr("run as root"), HasSubstr("perf_event_paranoid=0")));
  EXPECT_THAT(said(EACCES), AllOf(HasSubstr("-u"), HasSubstr("perf_event_paranoid=1")));
  attr.exclude_kernel = 1;
  kernel.files["/proc/sys/kernel/perf_event_paranoid"] = "3";
  EXPECT_THAT(said(EPERM), HasSubstr("perf_event_paranoid=2"));
  attr.type = PERF_TYPE_TRACEPOINT;
  EXPECT_THAT(said(EPERM, kCpu), AllOf(HasSubstr("tracepoints"), HasSubstr("perf_event_paranoid=-1")));
}

// With -u the event would count nothing.
TEST_F(Explain, WhatComesAboutInTheKernelIsNotAdvisedInUserMode) {
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
  EXPECT_THAT(said(EACCES), AllOf(Not(HasSubstr("-u ")), HasSubstr("perf_event_paranoid=1")));
}

TEST_F(Explain, WhatIsSoAlreadyIsNotAdvised) {
  attr.exclude_kernel = 1;
  kernel.root = false;
  EXPECT_THAT(said(EPERM), AllOf(HasSubstr("another user's"), Not(HasSubstr("sysctl"))));
  EXPECT_THAT(said(EPERM, {0, -1}), AllOf(HasSubstr("seccomp"), Not(HasSubstr("sysctl"))));
  kernel.root = true;
  EXPECT_THAT(said(EPERM), AllOf(HasSubstr("seccomp"), Not(HasSubstr("as root"))));
  EXPECT_THAT(said(EPERM, kCpu), AllOf(HasSubstr("CAP_PERFMON"), Not(HasSubstr("as root"))));
}

TEST_F(Explain, WhatIsMissingIsNamed) {
  EXPECT_THAT(said(ENODEV, {-1, 9}), HasSubstr("CPU is not online"));
  EXPECT_THAT(said(ENODEV, kCpu), HasSubstr("no hardware PMU"));
  EXPECT_THAT(explain_open(kernel, "cache-misses", attr, kProcess, ENOENT).message,
              HasSubstr("models it as l3_cache_miss"));
  attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
  EXPECT_THAT(said(EOPNOTSUPP), HasSubstr("omit -b"));
  attr.type = PERF_TYPE_BREAKPOINT;
  attr.sample_type = 0;
  EXPECT_THAT(said(ENOSPC), HasSubstr("four"));
  EXPECT_THAT(said(EINVAL), HasSubstr("aligned"));
  EXPECT_THAT(said(ESRCH), HasSubstr("no such process"));
}

TEST_F(Explain, ARingThatIsTooBigHasItsLimit) {
  kernel.files["/proc/sys/kernel/perf_event_mlock_kb"] = "516";
  EXPECT_THAT(explain_ring(kernel, size_t{1} << 20, EPERM).message,
              AllOf(HasSubstr("1024 KiB"), HasSubstr("allows 516"), HasSubstr("-m")));
  EXPECT_THAT(explain_ring(kernel, size_t{1} << 20, ENOMEM).message, HasSubstr("cannot map"));
}

}  // namespace
}  // namespace hm::linux_pmu
