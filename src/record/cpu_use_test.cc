// SPDX-License-Identifier: MIT
#include "record/cpu_use.h"

#include <gtest/gtest.h>

namespace hm::record {
namespace {

constexpr CpuUse kModelled{{90'000'000, 910'000'000}, false, true, KernelView::kGuest};

TEST(CpuUse, SurvivesTheRunDescription) {
  nlohmann::json json{{"cpu_time", cpu_use_json(kModelled)}};
  EXPECT_EQ(cpu_use_in(json), kModelled);
  EXPECT_EQ(cpu_use_in(nlohmann::json::object()), std::nullopt);
  EXPECT_EQ(cpu_use_in({{"cpu_time", 7}}), std::nullopt);
}

TEST(CpuUse, NamesTheKernelsPartIfThatWasNotSeen) {
  EXPECT_EQ(unseen_kernel_text(kModelled),
            "in the kernel, not modelled: 91.0 % of 1.000 s CPU time, engine included; `hardmeter stat "
            "--pmu=guest -k` counts its misses");
  EXPECT_EQ(
      unseen_kernel_text({{94'000'000, 6'000'000}, false, true}),
      "in the kernel, not modelled: 6.0 % of 0.100 s CPU time, engine included; `hardmeter record -k -e "
      "clock` shows it");
  EXPECT_EQ(unseen_kernel_text({{95'000'000, 5'000'000}, false, true}),
            "in the kernel, not modelled: 5.0 % of 0.100 s CPU time, engine included");
  EXPECT_EQ(unseen_kernel_text({{1'000'000, 3'000'000}, false, false}),
            "in the kernel, not measured: 75.0 % of 0.004 s CPU time");
  EXPECT_EQ(unseen_kernel_text({{1'000'000, 3'000'000}, true, false}), "");
}

}  // namespace
}  // namespace hm::record
