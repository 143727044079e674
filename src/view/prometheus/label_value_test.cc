// SPDX-License-Identifier: MIT
#include "view/prometheus/label_value.h"

#include <gtest/gtest.h>

namespace hm::prometheus {
namespace {

const std::string kBad = "\xEF\xBF\xBD";

TEST(LabelValue, KeepsWhatIsUtf8) {
  EXPECT_EQ(label_value("postgres"), "postgres");
  EXPECT_EQ(label_value("a \"b\\c"), "a \"b\\c");  // the library does the text format's own escaping
  EXPECT_EQ(label_value("Zähler \xE2\x82\xAC \xF0\x9F\x98\x80"), "Zähler \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST(LabelValue, ReplacesWhatIsNot) {
  EXPECT_EQ(label_value("a\xFF"), "a" + kBad);
  EXPECT_EQ(label_value("\xC3"), kBad);                        // truncated
  EXPECT_EQ(label_value("\xC0\xAF"), kBad + kBad);             // overlong form
  EXPECT_EQ(label_value("\xED\xA0\x80"), kBad + kBad + kBad);  // a surrogate
  EXPECT_EQ(label_value("\xF4\x90\x80\x80"), kBad + kBad + kBad + kBad);
  EXPECT_EQ(label_value("a\nb\x1b[2J\x7F"), "a" + kBad + "b" + kBad + "[2J" + kBad);
  EXPECT_EQ(label_value("\xC2\x85"), kBad);
  EXPECT_EQ(label_value(std::string_view("\0", 1)), kBad);
}

TEST(LabelValue, IsNeverEmpty) { EXPECT_EQ(label_value(""), "unnamed"); }

TEST(LabelValue, IsCutBetweenCharacters) {
  EXPECT_EQ(label_value(std::string(kMaxLabelBytes, 'x')), std::string(kMaxLabelBytes, 'x'));
  EXPECT_EQ(label_value(std::string(1000, 'x')), std::string(kMaxLabelBytes, 'x'));
  std::string one_too_many = std::string(kMaxLabelBytes - 1, 'x') + "ä";
  EXPECT_EQ(label_value(one_too_many), std::string(kMaxLabelBytes - 1, 'x'));
}

}  // namespace
}  // namespace hm::prometheus
