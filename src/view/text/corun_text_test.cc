// SPDX-License-Identifier: MIT
#include "view/text/corun_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::text {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const map::Cache kCache{"L2", {64, 8}, 64};

corun::Corun two_programs() {
  corun::Member first{0, 1, {2, 1, 3}}, second{1, 10, {20, 15, 25}};
  return {{64, 8}, true, {{{first, second}, {7.5, 5, 10}, corun::Fit::kCollides}}, {}};
}

TEST(CorunView, HasTwoRowsForAPair) {
  EXPECT_EQ(
      corun_view(two_programs(), {"a", "b"}, kCache, {}),
      "# L2 32 KiB of 8 ways, shared: misses of 1000 accesses to data, and both together in 1000 cycles\n"
      "# estimated from separate runs of each program, at its speed in that run by the cost model\n"
      "\n"
      "         program  beside  alone  extra        interval  both together\n"
      "collide  a        b        1.00   2.00    1.00 to 3.00           7.50\n"
      "         b        a       10.00  20.00  15.00 to 25.00\n");
}

TEST(CorunView, SaysWhatIsNotKnown) {
  corun::Corun corun = two_programs();
  corun.rates_known = false;
  corun.cache = {32, 16};
  std::string view = corun_view(corun, {"a", "b"}, kCache, {});
  EXPECT_THAT(view, HasSubstr("of 1000 accesses of each"));
  EXPECT_THAT(view, HasSubstr("speeds are unknown"));
  EXPECT_THAT(view, HasSubstr("predicted for 32 sets of 16 ways"));
  EXPECT_THAT(view, Not(HasSubstr("share a cache:")));
}

TEST(CorunView, SaysWhatShouldShareACache) {
  corun::Corun corun = two_programs();
  corun.placement = corun::Placement{{{0}, {1}}, 0, 7.5};
  EXPECT_THAT(corun_view(corun, {"a", "b"}, kCache, {}),
              HasSubstr("what should share a cache:\n  cache 1: a\n  cache 2: b\n"
                        "0.00 extra misses in 1000 cycles then, 7.50 with the worst placement\n"));
}

}  // namespace
}  // namespace hm::text
