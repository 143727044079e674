// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/measure/doctor_findings.h"
#include "pmu/linux/fake_kernel.h"

namespace hm::measure {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string advice_of(linux_pmu::FakeKernel& kernel, std::string_view subject) {
  std::vector<Finding> findings = hardware_findings(kernel);
  auto found = std::ranges::find(findings, subject, &Finding::subject);
  return found == findings.end() ? "no such finding" : found->advice;
}

TEST(DoctorHardware, DoesNotAdviseRootToBeRoot) {
  linux_pmu::FakeKernel kernel;
  EXPECT_THAT(advice_of(kernel, "tracepoints"), HasSubstr("mount -t tracefs"));
  EXPECT_THAT(advice_of(kernel, "kernel symbols"), Not(HasSubstr("as root")));
  kernel.files["/proc/sys/kernel/kptr_restrict"] = "2";
  EXPECT_THAT(advice_of(kernel, "kernel symbols"), HasSubstr("kptr_restrict=0"));
  kernel.root = false;
  EXPECT_THAT(advice_of(kernel, "tracepoints"), HasSubstr("visible to root"));
}

TEST(DoctorHardware, AdvisesOnlyLevelsThatAreNotSoAlready) {
  linux_pmu::FakeKernel kernel;
  kernel.root = false;
  kernel.files["/proc/sys/kernel/kptr_restrict"] = "0";
  kernel.files["/proc/sys/kernel/perf_event_paranoid"] = "2";
  EXPECT_THAT(advice_of(kernel, "kernel symbols"),
              AllOf(HasSubstr("perf_event_paranoid=1"), Not(HasSubstr("kptr_restrict"))));
  kernel.files["/proc/sys/kernel/kptr_restrict"] = "1";
  kernel.files["/proc/sys/kernel/perf_event_paranoid"] = "1";
  EXPECT_THAT(advice_of(kernel, "kernel symbols"),
              AllOf(HasSubstr("kptr_restrict=0"), Not(HasSubstr("paranoid"))));
}

}  // namespace
}  // namespace hm::measure
