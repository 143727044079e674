// SPDX-License-Identifier: MIT
#include "app/measure/soft/soft_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Shortfalls, AreSaidOnlyWhereThereAreSome) { EXPECT_THAT(describe_shortfalls({}), IsEmpty()); }

TEST(Shortfalls, SayHowManyProcessesWereCutShort) {
  soft::Totals totals;
  totals.cut_short = 1;
  EXPECT_THAT(describe_shortfalls(totals), ElementsAre(HasSubstr("1 process was cut short")));
  totals.cut_short = 2;
  EXPECT_THAT(describe_shortfalls(totals), ElementsAre(HasSubstr("2 processes were cut short")));
}

TEST(Description, SaysInHowManyProgramsTheEngineCheckedItself) {
  soft::Totals totals;
  totals.checking = 2;
  EXPECT_THAT(describe_checking(totals), HasSubstr("checked itself in 2 programs (HARDMETER_CHECK=1)"));
  EXPECT_THAT(describe_shortfalls(totals), IsEmpty());
}

TEST(Shortfalls, SayHowOftenStatusFlagsWereLost) {
  soft::Totals totals;
  totals.lost_flags = 3;
  EXPECT_THAT(describe_shortfalls(totals), ElementsAre(HasSubstr("of its caller 3 times")));
}

}  // namespace
}  // namespace hm::measure
