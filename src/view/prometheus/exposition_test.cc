// SPDX-License-Identifier: MIT
#include "view/prometheus/exposition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::prometheus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

occupancy::Snapshot example() {
  occupancy::Snapshot snapshot;
  snapshot.measured_by = "resctrl";
  snapshot.cache_bytes = 33554432;
  occupancy::Row row;
  row.name = "batch \"job\"";
  row.occupancy_bytes = 25165824;
  row.low_bytes = 20000000;
  row.high_bytes = 30000000;
  row.measured_share = 0.5;
  row.age_ns = 2'500'000'000;
  row.total_bytes_per_s = 1e9;
  row.domains = {{0, 25165824}};
  snapshot.rows = {row};
  return snapshot;
}

TEST(Exposition, HasAnUnitAndALabelForEachFigure) {
  std::string text = exposition(example(), 7);
  const std::string labels = "{name=\"batch \\\"job\\\"\",modelled=\"false\"} ";
  for (const std::string& line : std::vector<std::string>{
           "# TYPE hardmeter_llc_refreshes_total counter",
           "hardmeter_llc_refreshes_total 7",
           "hardmeter_llc_info{measured_by=\"resctrl\",by=\"process\",modelled=\"false\"} 1",
           "# TYPE hardmeter_llc_occupancy_bytes gauge",
           "hardmeter_llc_cache_size_bytes{modelled=\"false\"} 33554432",
           "hardmeter_llc_occupancy_bytes" + labels + "25165824",
           "hardmeter_llc_occupancy_low_bytes" + labels + "20000000",
           "hardmeter_llc_occupancy_high_bytes" + labels + "30000000",
           "hardmeter_llc_memory_bytes_per_second" + labels + "1000000000",
           "hardmeter_llc_measured_ratio" + labels + "0.5",
           "hardmeter_llc_reading_age_seconds" + labels + "2.5",
           "hardmeter_llc_rows" + labels + "1",
           "hardmeter_llc_rows_not_measured" + labels + "0",
           "hardmeter_llc_rows_in_other{modelled=\"false\"} 0",
       })
    EXPECT_THAT(text, HasSubstr("\n" + line + "\n"));
  EXPECT_THAT(text, Not(HasSubstr("local")));
}

TEST(Exposition, HasNoSampleOfWhatWasNotMeasured) {
  occupancy::Snapshot snapshot = example();
  snapshot.cache_bytes = 0;
  snapshot.rows[0].occupancy_bytes.reset();
  snapshot.rows[0].total_bytes_per_s.reset();
  std::string text = exposition(snapshot, 1);
  for (const char* name : {"occupancy", "reading_age", "cache_size", "bytes_per_second"})
    EXPECT_THAT(text, Not(HasSubstr(name))) << text;
  EXPECT_THAT(
      text, HasSubstr("hardmeter_llc_rows_not_measured{name=\"batch \\\"job\\\"\",modelled=\"false\"} 1\n"));
}

TEST(Exposition, TellsOfDomainsWhereThereAreSeveral) {
  occupancy::Snapshot snapshot = example();
  EXPECT_THAT(exposition(snapshot, 1), Not(HasSubstr("domain")));
  snapshot.rows[0].domains = {{0, 5}, {1, std::nullopt}, {2, 6}};
  std::string text = exposition(snapshot, 1);
  EXPECT_THAT(text, HasSubstr("name=\"batch \\\"job\\\"\",domain=\"0\",modelled=\"false\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("domain=\"2\""));
  EXPECT_THAT(text, Not(HasSubstr("domain=\"1\"")));
}

TEST(Exposition, MarksAllFiguresThatAreModelled) {
  occupancy::Snapshot snapshot = example();
  snapshot.is_modelled = true;
  std::string text = exposition(snapshot, 1);
  EXPECT_THAT(text, HasSubstr("modelled=\"true\""));
  EXPECT_THAT(text, Not(HasSubstr("modelled=\"false\"")));
}

TEST(Exposition, ForgetsRowsThatAreGone) {
  occupancy::Snapshot snapshot = example();
  snapshot.rows.clear();
  EXPECT_THAT(exposition(snapshot, 2), Not(HasSubstr("name=")));
}

TEST(Exposition, OfNothingHasNoFigures) {
  EXPECT_THAT(exposition_of_nothing(), HasSubstr("hardmeter_llc_refreshes_total 0\n"));
}

}  // namespace
}  // namespace hm::prometheus
