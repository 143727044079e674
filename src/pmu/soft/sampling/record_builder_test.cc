// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/record_builder.h"

#include <gtest/gtest.h>

#include <string>

namespace hm::soft {
namespace {

TEST(RecordBuilder, TextIsPaddedAndCut) {
  RecordBuilder record(PERF_RECORD_COMM, 0);
  record.put_text("seven..");
  EXPECT_EQ(record.size(), 16u);
  record.put_text("eight...");
  EXPECT_EQ(record.size(), 32u);
  RecordBuilder longest(PERF_RECORD_COMM, 0);
  longest.put_text(std::string(100000, 'x').c_str());
  EXPECT_EQ(longest.size(), 8u + 4096);
}

}  // namespace
}  // namespace hm::soft
