// SPDX-License-Identifier: MIT
#include "view/text/latency_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "view/text/format.h"
#include "view/text/log_plot.h"

namespace hm::text {
namespace {

using host::Curve;
using host::MemoryCosts;
using ::testing::HasSubstr;
using ::testing::Not;

Curve two_steps(double far_ns) {
  Curve curve;
  for (uint64_t size = 4096; size <= 1 << 20; size *= 2) {
    double ns = size <= 32768 ? 1 : far_ns;
    curve.push_back({size, {ns, ns, ns}, 3});
  }
  return curve;
}

MemoryCosts costs_of_two_levels() {
  host::Sweep sweep;
  sweep.cpu = 5;
  sweep.small_pages = two_steps(100);
  sweep.huge_pages = two_steps(80);
  sweep.huge_share = 1;
  sweep.elapsed_ns = 2'500'000'000;
  return memory_costs(std::move(sweep), {{1, "Data", 64, 8, 64}}, true);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(LatencyReport, HasATableOfTheLevels) {
  std::vector<std::string> lines = lines_of(latency_report(costs_of_two_levels(), {}));
  EXPECT_EQ(lines[0], "# latency of dependent loads on CPU 5 at 3.00 GHz");
  EXPECT_THAT(lines[3],
              ::testing::MatchesRegex("L1 +32 KiB +32 KiB +1.00 \\(1.00-1.00\\) +1.00 \\(1.00-1.00\\) "
                                      "+3.00 +1.00 .*"));
  EXPECT_THAT(lines[4],
              ::testing::MatchesRegex("memory +- +- +100 \\(100-100\\) +80.0 \\(80.0-80.0\\) +240 +80.0 .*"));
}

TEST(LatencyReport, ShowsWhatWasNotMeasuredAsSuch) {
  MemoryCosts costs = costs_of_two_levels();
  costs.levels[1].small_ns.reset();
  costs.levels[0].found.reset();
  std::vector<std::string> lines = lines_of(latency_report(costs, {}));
  EXPECT_THAT(lines[3], ::testing::MatchesRegex("L1 +32 KiB +not seen +- +- +- +- +-"));
  EXPECT_THAT(lines[4], ::testing::MatchesRegex("memory +- +- +- +80.0 .* +240 +- .*"));
}

TEST(LatencyReport, SaysWhatDisturbedIt) {
  MemoryCosts costs = costs_of_two_levels();
  EXPECT_THAT(latency_report(costs, {}), Not(HasSubstr("disturbed")));
  costs.unsteady_points = 4;
  costs.sweep.disturbance = {1200, 0.25};
  costs.core_ghz = host::Estimate{3, 2, 3.1};
  costs.sweep.interrupted = costs.rises_at_end = true;
  std::string report = latency_report(costs, {});
  for (const char* expected : {"disturbed: 4 of 18 points", "other threads ran on CPU 5 1,200 times",
                               "the hypervisor took 25.0% of the time", "varied from 2.00 to 3.10 GHz",
                               "nothing beyond 1 MiB was measured", "still rises at 1 MiB"}) {
    EXPECT_THAT(report, HasSubstr(expected));
  }
  EXPECT_THAT(lines_of(report)[3], Not(HasSubstr("3.00 ")));  // no cycles
}

TEST(LatencyReport, SaysThatThereWereNoHugePages) {
  MemoryCosts costs = costs_of_two_levels();
  EXPECT_THAT(latency_report(costs, {}), HasSubstr("* huge pages"));
  costs.huge_pages = false;
  costs.sweep.huge_share = 0.5;
  std::string report = latency_report(costs, {});
  EXPECT_THAT(report, HasSubstr("the kernel granted 50.0% of the requested memory"));
  EXPECT_THAT(report, Not(HasSubstr("* huge pages")));
}

TEST(LatencyReport, SaysWhereTheSystemsSizeIsNotTheCurves) {
  MemoryCosts costs = costs_of_two_levels();
  EXPECT_THAT(latency_report(costs, {}), Not(HasSubstr("the system reports")));
  costs.levels[0].reported_bytes = 1 << 20;
  EXPECT_THAT(latency_report(costs, {}),
              HasSubstr("L1: the system reports 1 MiB, the curve shows 32 KiB; this is a virtual machine"));
}

TEST(LatencyReport, OfNothingSaysSo) {
  std::string report = latency_report(host::memory_costs({}, {}, false), {});
  EXPECT_THAT(report, HasSubstr("interrupted before the first size was measured"));
}

TEST(LogPlot, DrawsARisingCurveFromTheLowerLeftToTheUpperRight) {
  PlotCurve curve{"a curve", 'x', 31, {{1024, 1}, {2048, 10}, {4096, 100}}};
  std::vector<std::string> lines = lines_of(log_plot({curve}, {{2048, "half"}}, " ns", {}));
  ASSERT_EQ(lines.size(), 1 + 16 + 3);
  EXPECT_EQ(lines[0].find("half"), 9 + 35);
  EXPECT_EQ(lines[1].back(), 'x');
  EXPECT_EQ(lines[1].size(), 9 + 70);
  EXPECT_EQ(lines[16].find('x'), 9);
  EXPECT_EQ(lines[16].substr(9 + 34), " :");
  EXPECT_THAT(lines[18], HasSubstr("1 KiB"));
  EXPECT_THAT(lines[19], HasSubstr("x a curve"));
}

TEST(LogPlot, FitsTheTerminal) {
  PlotCurve curve{"a curve", 'x', 31, {{1024, 1}, {1 << 30, 100}}};
  for (size_t width : {40, 80, 100}) {
    for (const std::string& line : lines_of(log_plot({curve}, {}, " ns", {width, false, true}))) {
      EXPECT_LE(columns_of(line), width) << line;
    }
  }
}

TEST(LogPlot, DrawsInBrailleAndColourWhereItMay) {
  PlotCurve curve{"a curve", 'x', 31, {{1024, 10}, {4096, 10}}};
  std::string plot = log_plot({curve}, {}, " ns", {40, true, true});
  EXPECT_THAT(plot, HasSubstr("\x1b[31m"));
  EXPECT_THAT(plot, HasSubstr("└"));
  EXPECT_THAT(plot, Not(HasSubstr("x")));
  EXPECT_THAT(log_plot({curve}, {}, " ns", {40, false, true}), Not(HasSubstr("\x1b")));
}

TEST(LogPlot, OfOnePointOrNone) {
  EXPECT_EQ(log_plot({}, {}, " ns", {}), "");
  EXPECT_EQ(log_plot({{"empty", 'x', 31, {}}}, {}, " ns", {}), "");
  EXPECT_THAT(log_plot({{"one", 'x', 31, {{4096, 1.0}}}}, {}, " ns", {}), HasSubstr("x one"));
}

}  // namespace
}  // namespace hm::text
