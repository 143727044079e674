// SPDX-License-Identifier: MIT
// Queries as a front end makes them: plain options in, results out, nothing printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/query/check_query.h"
#include "app/query/comparison_query.h"
#include "app/query/events.h"
#include "app/query/overview.h"
#include "app/query/report_query.h"
#include "app/query/sample_export.h"
#include "app/query/timeline_query.h"
#include "record/example_recording.h"
#include "record/writer.h"
#include "symbol/file_resolver.h"

namespace hm::query {
namespace {

using ::testing::HasSubstr;

class QueryTest : public ::testing::Test {
 protected:
  // Half of the samples belong to each event.
  std::string recording(uint64_t samples) {
    std::vector<record::EventDescription> events = record::example::events();
    std::string path = folder_.file("perf.data." + std::to_string(samples));
    auto writer = record::Writer::create(path, events);
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE(writer->append(record::example::records(events, samples)).ok());
    record::Features features;
    features.hardmeter =
        R"({"pmu":"software","totals":{"cache-miss":)" + std::to_string(500 * samples) + "}}";
    EXPECT_TRUE(writer->finish(features).ok());
    return path;
  }

  record::example::TemporaryFolder folder_;
  symbol::FileResolver resolver_;
};

TEST_F(QueryTest, AReportHasWhatItsOptionsAskFor) {
  ReportOptions options;
  options.input = recording(100);
  options.sort = "comm,event";
  Result<Report> found = report(options, resolver_);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->hotspots.rows.size(), 2u);
  EXPECT_EQ(found->totals.events.size(), 2u);
  EXPECT_EQ(found->profile.samples.size(), 100u);
  options.sort = "nothing";
  EXPECT_EQ(report(options, resolver_).error().code, ErrorCode::kInvalidArgument);
  options.input = "/nonexistent";
  options.sort = "comm";
  EXPECT_FALSE(report(options, resolver_).ok());
}

TEST_F(QueryTest, ACheckCountsSamples) {
  Result<Checked> checked = check(recording(100));
  ASSERT_TRUE(checked.ok());
  EXPECT_EQ(checked->result.samples, 100u);
  EXPECT_EQ(checked->events.size(), 2u);
}

TEST_F(QueryTest, AnOverviewHasATableOfEachEvent) {
  OverviewOptions options;
  options.input = recording(100);
  Result<Overview> found = overview(options, resolver_);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->functions.size(), 2u);
}

TEST_F(QueryTest, ADumpNeedsToKnowOfWhichEvent) {
  DumpExport options;
  options.input = recording(100);
  options.dump.path = folder_.file("dump");
  EXPECT_THAT(export_dump(options).error().message, HasSubstr("choose one with -e"));
  options.event = "cache-miss";
  Result<uint64_t> samples = export_dump(options);
  ASSERT_TRUE(samples.ok());
  EXPECT_EQ(*samples, 50u);
}

TEST_F(QueryTest, ADumpThatIsCutOffIsIncomplete) {
  DumpExport options;
  options.input = recording(100);
  options.event = "cache-miss";
  options.dump.path = folder_.file("dump");
  ASSERT_TRUE(export_dump(options).ok());
  auto size = std::filesystem::file_size(options.dump.path);
  std::filesystem::resize_file(options.dump.path, size - size / 4);
  Result<Checked> checked = check(options.dump.path);
  ASSERT_TRUE(checked.ok());
  EXPECT_THAT(checked->result.problems,
              ::testing::Contains(HasSubstr("the dump is incomplete: 50 samples were written")));
}

TEST_F(QueryTest, AGateExceedsItsLimitOrNot) {
  DiffOptions options;
  options.sides = {recording(100), recording(100)};
  options.limits = {"cache-miss:1%"};
  Result<diff::Diff> same = compare(options, resolver_);
  ASSERT_TRUE(same.ok()) << same.error().message;
  EXPECT_FALSE(exceeds_a_limit(*same));
  options.sides = {recording(100)};
  EXPECT_EQ(compare(options, resolver_).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(QueryTest, ABaselineTakesARecordingsPlace) {
  Result<std::string> baseline = make_baseline({recording(100), {}, 0}, resolver_);
  ASSERT_TRUE(baseline.ok());
  std::string path = folder_.file("baseline.json");
  std::ofstream(path) << *baseline;
  Result<Gate> gate = read_gate({path}, {"cache-miss:1%"});
  ASSERT_TRUE(gate.ok()) << gate.error().message;
  ReportOptions options;
  options.input = recording(200);
  Result<Report> after = report(options, resolver_);
  ASSERT_TRUE(after.ok());
  Result<diff::Recording> run = reduced(*gate, after->profile, resolver_, "after");
  ASSERT_TRUE(run.ok()) << run.error().message;
  Result<diff::Diff> result = compare(*gate, {*run});
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE(exceeds_a_limit(*result));
  EXPECT_EQ(read_gate({path}, {"nonsense"}).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(QueryTest, ATimeLineByCyclesSaysIfThereAreNone) {
  TimelineOptions options;
  options.input = recording(100);
  options.history.way = timeline::Way::kCycles;
  Result<RecordedHistory> found = history_of(options, resolver_);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_THAT(found->profile->notes, ::testing::Contains(HasSubstr("--way dwell is used")));
  Result<ShownWindow> shown = show_window(found->history, *found->profile, {});
  ASSERT_TRUE(shown.ok()) << shown.error().message;
  EXPECT_EQ(shown->timeline.way, timeline::Way::kDwell);
}

TEST_F(QueryTest, EventsAreListedByPattern) {
  Result<event::HardwareEvents> events = list_events({.pattern = "l1_cache_miss", .cpu = "zen4"});
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(events->events.size(), 1u);
  EXPECT_EQ(list_events({.pattern = "nonsense", .cpu = ""}).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(list_events({.pattern = "l1_cache_miss", .cpu = "p4-xeon"}).ok()) << "a name of record --cpu";
  EXPECT_EQ(list_events({.pattern = "", .cpu = "nonsense"}).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace hm::query
