// SPDX-License-Identifier: MIT
#include "view/prometheus/sums.h"

#include <gtest/gtest.h>

namespace hm::prometheus {
namespace {

using occupancy::Row;

Row row(std::string name, std::optional<uint64_t> bytes) {
  Row row;
  row.key = name;
  row.name = std::move(name);
  row.occupancy_bytes = bytes;
  row.measured_share = bytes ? 1 : 0;
  row.low_bytes = row.high_bytes = bytes.value_or(77);  // meaningless without a measurement
  return row;
}

TEST(Sums, AddRowsOfOneName) {
  Row first = row("worker", 100);
  first.low_bytes = 90;
  first.high_bytes = 120;
  first.age_ns = 5;
  first.measured_share = 0.25;
  first.total_bytes_per_s = 1000;
  first.domains = {{0, 60}, {1, 40}};
  Row second = row("worker", 50);
  second.age_ns = 9;
  second.total_bytes_per_s = 500;
  second.domains = {{0, 50}, {1, std::nullopt}};
  Sums sums = sums_of({first, second});
  ASSERT_EQ(sums.names.size(), 1U);
  const NameSum& sum = sums.names[0];
  EXPECT_EQ(sum.rows, 2U);
  EXPECT_EQ(sum.rows_not_measured, 0U);
  EXPECT_EQ(sum.occupancy_bytes, 150U);
  EXPECT_EQ(sum.low_bytes, 140U);
  EXPECT_EQ(sum.high_bytes, 170U);
  EXPECT_EQ(sum.age_ns, 9U);
  EXPECT_EQ(sum.measured_share, 0.25);
  EXPECT_EQ(sum.total_bytes_per_s, 1500);
  EXPECT_EQ(sum.local_bytes_per_s, std::nullopt);
  EXPECT_EQ(sum.domains, (std::map<uint32_t, uint64_t>{{0, 110}, {1, 40}}));
}

TEST(Sums, TellOfRowsThatWereNotMeasured) {
  Sums sums = sums_of({row("a", std::nullopt), row("a", 10), row("b", std::nullopt)});
  ASSERT_EQ(sums.names.size(), 2U);
  EXPECT_EQ(sums.names[0].occupancy_bytes, 10U);
  EXPECT_EQ(sums.names[0].low_bytes, 10U);
  EXPECT_EQ(sums.names[0].rows, 2U);
  EXPECT_EQ(sums.names[0].rows_not_measured, 1U);
  EXPECT_EQ(sums.names[0].measured_share, 0);
  EXPECT_EQ(sums.names[1].occupancy_bytes, std::nullopt);
  EXPECT_EQ(sums.names[1].rows_not_measured, 1U);
}

TEST(Sums, KeepThoseThatHoldMost) {
  Sums sums = sums_of({row("a", 1), row("b", 4), row("c", 2), row("d", std::nullopt), row("c", 1)}, 2);
  ASSERT_EQ(sums.names.size(), 3U);
  EXPECT_EQ(sums.names[0].name, "b");
  EXPECT_EQ(sums.names[1].name, "c");
  EXPECT_EQ(sums.names[2].name, "other");
  EXPECT_EQ(sums.names[2].occupancy_bytes, 1U);
  EXPECT_EQ(sums.names[2].rows, 2U);
  EXPECT_EQ(sums.names[2].rows_not_measured, 1U);
  EXPECT_EQ(sums.rows_in_other, 2U);
}

TEST(Sums, OfAProgramCalledOtherAreWithTheOthers) {
  Sums sums = sums_of({row("other", 10), row("a", 5), row("b", 2)}, 2);
  ASSERT_EQ(sums.names.size(), 2U);
  EXPECT_EQ(sums.names[0].name, "other");
  EXPECT_EQ(sums.names[0].occupancy_bytes, 12U);
  EXPECT_EQ(sums.rows_in_other, 1U);
}

TEST(Sums, AreBounded) {
  std::vector<Row> rows;
  for (uint64_t i = 0; i < 5000; ++i) rows.push_back(row("program " + std::to_string(i), i));
  Sums sums = sums_of(rows);
  EXPECT_EQ(sums.names.size(), kMaxNames + 1);
  EXPECT_EQ(sums.rows_in_other, 5000 - kMaxNames);
  uint64_t bytes = 0;
  for (const NameSum& sum : sums.names) bytes += *sum.occupancy_bytes;
  EXPECT_EQ(bytes, 5000U * 4999 / 2);
}

TEST(Sums, AreOfNamesAsTheLabelsHaveThem) {
  Sums sums = sums_of({row(std::string(500, 'x') + "1", 1), row(std::string(500, 'x') + "2", 2)});
  ASSERT_EQ(sums.names.size(), 1U);
  EXPECT_EQ(sums.names[0].occupancy_bytes, 3U);
}

}  // namespace
}  // namespace hm::prometheus
