// SPDX-License-Identifier: MIT
#include "view/text/progress_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::text {
namespace {

using ::testing::ElementsAre;

pmu::Progress at_two_seconds() {
  pmu::Progress progress;
  progress.elapsed_ns = 2'000'000'000;
  progress.samples = 1;
  return progress;
}

TEST(ProgressFieldsTest, BeginWithTheTime) {
  EXPECT_THAT(progress_fields(at_two_seconds()), ElementsAre("2.0 s", "1 sample"));
}

TEST(ProgressFieldsTest, StateHowFarTheProgramIs) {
  pmu::Progress progress = at_two_seconds();
  progress.own_ns = 310'000'000;
  EXPECT_THAT(progress_fields(progress), ElementsAre("2.0 s (about 0.3 s natively)", "1 sample"));
  progress.part = 0.25;
  progress.remaining_ns = 6'000'000'000;
  EXPECT_THAT(progress_fields(progress),
              ElementsAre("2.0 s (25 % of the last run's instructions)", "about 6 s left", "1 sample"));
}

}  // namespace
}  // namespace hm::text
