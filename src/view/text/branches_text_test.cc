// SPDX-License-Identifier: MIT
#include "view/text/branches_text.h"

#include <gtest/gtest.h>

namespace hm::text {
namespace {

branches::Branches two_rows() {
  branches::Branches result;
  result.samples = 1000;
  result.entries = 32000;
  result.empty_entries = 7;
  result.rows = {{{"main", "program", {}}, {"f", "lib.so", {}}, 24000, 0.75, 60, 23940, 12.34, 0.0025},
                 {{"f", "lib.so", {}}, {"main", "program", {}}, 8000, 0.25, 0, 0, {}}};
  result.all_rows = 3;
  return result;
}

TEST(BranchesTable, NotMeasuredIsNotZero) {
  EXPECT_EQ(branches_table(two_rows(), {}),
            R"(# branch stacks: 1,000 samples, 32,000 entries, 7 empty ones left out
#
share  entries  mispredicted  cycles  from  dso      to    dso
75.0%   24,000          0.2%    12.3  main  program  f     lib.so
25.0%    8,000             -       -  f     lib.so   main  program
# 1 more row
)");
}

TEST(BranchesTable, NamesAddressesWhereTheyAreRows) {
  branches::Branches result = two_rows();
  result.rows.resize(1);
  result.rows[0].from.address = 0x1139;
  result.rows[0].to.address = 0x20;
  result.empty_entries = 0;
  result.all_rows = 1;
  EXPECT_EQ(branches_table(result, {}),
            R"(# branch stacks: 1,000 samples, 32,000 entries
#
share  entries  mispredicted  cycles  from         dso      to      dso
75.0%   24,000          0.2%    12.3  0x1139 main  program  0x20 f  lib.so
)");
}

}  // namespace
}  // namespace hm::text
