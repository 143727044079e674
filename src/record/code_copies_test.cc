// SPDX-License-Identifier: MIT
#include "record/code_copies.h"

#include <gtest/gtest.h>

namespace hm::record {
namespace {

std::vector<CodeCopy> copies_in(const std::string& run) {
  Features features;
  features.hardmeter = run;
  return code_copies(features);
}

TEST(CodeCopies, AreReadAsTheyWereWritten) {
  std::vector<CodeCopy> copies{{7, 0x400000, 0x600000, true}, {8, 0x1000, 0x2000, false}};
  EXPECT_EQ(copies_in(with_code_copies(R"({"pmu":"kernel"})", copies)), copies);
}

TEST(CodeCopies, NothingIsAddedWithoutThem) {
  EXPECT_EQ(with_code_copies(R"({"a":1})", {}), R"({"a":1})");
  EXPECT_TRUE(copies_in(R"({"a":1})").empty());
}

TEST(CodeCopies, InvalidOnesAreLeftOut) {
  for (const char* run : {R"({"code_copies":{}})", R"({"code_copies":[1,null,{},[]]})",
                          R"({"code_copies":[{"pid":1,"start":8,"end":8}]})",
                          R"({"code_copies":[{"pid":1,"start":-8,"end":"x"}]})"})
    EXPECT_TRUE(copies_in(run).empty()) << run;
}

}  // namespace
}  // namespace hm::record
