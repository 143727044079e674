// SPDX-License-Identifier: MIT
#include "view/text/diff_text.h"

#include <gtest/gtest.h>

namespace hm::text {
namespace {

diff::Change change(double absolute, double relative, double low, double high) {
  return {absolute, relative, diff::Interval{low, high}, low == high};
}

diff::Diff diff_example() {
  diff::Diff result;
  result.before = {{"base.json"}, true, "software", "an engine", "L1 32 KiB", "./p 1", {}};
  result.after = {{"perf.data"},          false, "software", "an engine", "L1 32 KiB", "./p 2",
                  {"5 records were lost"}};
  result.differences = {{"command", "./p 1", "./p 2"},
                        {"processor", "",
                         "a\x1b"
                         "b"}};
  result.totals = {{"miss", 10'000, 12'000, change(2000, 0.2, 2000, 2000), false, 1},
                   {"same", 7, 7, change(0, 0, 0, 0), false, 1}};
  result.only_after = {"new_event"};
  result.columns = {"function", "dso"};
  diff::Estimate unknown{std::nullopt, {0, 83.3}};
  result.rows = {{"miss", 100, 120, false, {}}};
  result.rows[0].rows = {
      {{"hot", "p"},
       20,
       45,
       {2000.4, {1500, 2500}},
       {4500, {4000, 5000}},
       change(2499.6, 1.2495, 1800.2, 3199.7)},
      {{"unknown", "p"},
       0,
       9,
       unknown,
       {900, {500, 1500}},
       {std::nullopt, std::nullopt, diff::Interval{416.7, 1500}, false}},
      {{"noise", "p"}, 5, 7, {500, {200, 900}}, {700, {300, 1200}}, change(200, 0.4, -300.5, 700.25)}};
  return result;
}

TEST(DiffReport, HeadTotalsAndRows) {
  EXPECT_EQ(diff_report(diff_example(), {}, {}), R"(# before: base.json (baseline)
# after: perf.data
#   5 records were lost
# measured by: software PMU (an engine)
# machine: L1 32 KiB
# different command:
#   before: ./p 1
#   after:  ./p 2
# different processor:
#   before: unknown
#   after:  a\x1bb
#
total  before   after  change          95 % interval
miss   10,000  12,000  +2,000  +20.0%          exact
same        7       7       0   +0.0%          exact
# only after: new_event

# miss by function: estimates from samples, 100 before and 120 after
before  after  change                95 % interval  samples  function  dso
 2,000  4,500  +2,500  +125.0%  [+1,800 .. +3,200]   20, 45  hot       p
   <83    900       -        -    [+417 .. +1,500]     0, 9  unknown   p
# 1 row changed within noise (--all shows them)
)");
}

TEST(DiffReport, AllRowsUpToALimit) {
  diff::Diff result = diff_example();
  result.rows[0].exact = true;
  std::string report = diff_report(result, {.all = true, .limit = 2}, {});
  EXPECT_EQ(report.substr(report.find("\n\n") + 2),
            R"(# miss by function: each event is a sample, 100 before and 120 after
before  after  change                95 % interval  significant  samples  function  dso
 2,000  4,500  +2,500  +125.0%  [+1,800 .. +3,200]          yes   20, 45  hot       p
   <83    900       -        -    [+417 .. +1,500]          yes     0, 9  unknown   p
# 1 more row (--limit 0 shows all)
)");
}

TEST(DiffReport, HardwareTotals) {
  diff::Diff result = diff_example();
  result.rows.clear();
  result.differences.clear();
  result.before.pmu = result.after.pmu = "hardware";
  result.before.engine = result.after.engine = "";
  result.before.command = result.after.command = "";
  result.totals = {{"miss", 100, 150, {50, 0.5, std::nullopt, false}, true, 0.5},
                   {"repeated", 96.333333, 96.666666, change(0.333333, 0.00346, -0.98, 1.64), false, 1}};
  result.only_after.clear();
  result.notes = {"one run each"};
  EXPECT_EQ(diff_report(result, {}, {}), R"(# before: base.json (baseline)
# after: perf.data
#   5 records were lost
# measured by: hardware PMU
# machine: L1 32 KiB
# note: one run each
#
total     before  after  change             95 % interval
miss         100    150     +50  +50.0%           unknown
  estimated on at least one side, from samples or from bursts
  its counter was shared and ran 50.0% of the time: scaled up
repeated   96.33  96.67   +0.33   +0.3%  [-0.98 .. +1.64]
)");
}

TEST(DiffReport, LimitsAreTold) {
  diff::Diff result = diff_example();
  result.rows.clear();
  diff::Check exact;
  exact.limit.spec = "miss:10%";
  exact.verdict = diff::Verdict::kExceeded;
  exact.before = {10'000, {10'000, 10'000}};
  exact.after = {12'000, {12'000, 12'000}};
  exact.change = change(2000, 0.2, 2000, 2000);
  diff::Check kept = exact;
  kept.limit.spec = "miss:30%";
  kept.verdict = diff::Verdict::kWithin;
  diff::Check undetermined = exact;
  undetermined.limit.spec = "miss@f:10%";
  undetermined.verdict = diff::Verdict::kUndetermined;
  undetermined.from_samples = true;
  undetermined.change = change(2000, 0.2, -100.4, 4100.2);
  diff::Check nowhere = undetermined;
  nowhere.limit.spec = "miss@nowhere:10%";
  nowhere.no_samples = true;
  result.checks = {exact, kept, undetermined, nowhere};
  EXPECT_EQ(
      limit_messages(result),
      "hardmeter: limit miss:10% exceeded: 10,000 before, 12,000 after, +2,000 (+20.00%)\n"
      "hardmeter: limit miss@f:10% cannot be checked with so few samples: about 10,000 before, about 12,000 "
      "after, +2,000 (+20.00%), 95 % interval [-100 .. +4,100]\n"
      "hardmeter: limit miss@nowhere:10% cannot be checked: it has no sample on either side\n");
  std::string report = diff_report(result, {}, {});
  EXPECT_NE(report.find("\n\n# limit miss:10% exceeded: "), std::string::npos);
  EXPECT_NE(report.find("\n# limit miss:30% kept: 10,000 before, 12,000 after, +2,000 (+20.00%)\n"),
            std::string::npos);
}

TEST(DiffReport, AFunctionThatIsGoneFailsAndProcessorsComeFirst) {
  diff::Diff result = diff_example();
  result.rows.clear();
  result.processors = "before was measured on A and after on B";
  diff::Check check;
  check.limit.spec = "miss@f:10%";
  check.limit.function = "f";
  result.checks = {check};
  EXPECT_EQ(limit_messages(result), "") << "the limit is kept";
  result.checks[0].verdict = diff::Verdict::kGone;
  EXPECT_EQ(
      limit_messages(result),
      "hardmeter: before was measured on A and after on B\n"
      "hardmeter: limit miss@f:10% failed: the program has no function f any more, nor one with similar "
      "code; name the function that replaces it, or save the baseline again without this limit\n");
}

}  // namespace
}  // namespace hm::text
