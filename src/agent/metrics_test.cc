// SPDX-License-Identifier: MIT
#include "agent/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace hm::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(AgentMetrics, HaveAFigureForEachThing) {
  Metrics metrics;
  metrics.version = "1.2";
  metrics.started_s = 1.7e9;
  metrics.windows = 7;
  metrics.failed_windows = 2;
  metrics.last_window_s = 1'700'000'010.25;
  metrics.batches_sent = 4;
  metrics.rows_sent = 400;
  metrics.failed_sends = 3;
  metrics.last_send_s = 1'700'000'020;
  metrics.waiting = Metrics::Waiting{1, 2048};
  metrics.profiles = Metrics::Export{5, 6};
  metrics.cpu_s = 1.5;
  metrics.budget = 0.005;
  std::string text = exposition(metrics);
  for (const std::string& line : std::vector<std::string>{
           "build_info{version=\"1.2\"} 1", "start_timestamp_seconds 1700000000", "measurements_total 7",
           "measurement_failures_total 2", "last_measurement_timestamp_seconds 1700000010.25",
           "batches_sent_total 4", "rows_sent_total 400", "send_failures_total 3",
           "last_send_timestamp_seconds 1700000020", "spool_batches 1", "spool_bytes 2048",
           "otlp_exports_total 5", "otlp_export_failures_total 6", "cpu_seconds_total 1.5",
           "cpu_budget_ratio 0.005"})
    EXPECT_THAT(text, HasSubstr("\nhardmeter_agent_" + line + "\n"));
  EXPECT_THAT(text, HasSubstr("\n# TYPE hardmeter_agent_measurements_total counter\n"));
  EXPECT_THAT(text, HasSubstr("\n# TYPE hardmeter_agent_spool_bytes gauge\n"));
}

TEST(AgentMetrics, HaveNoSampleOfWhatIsNotKnown) {
  std::string text = exposition({});
  for (const char* name : {"last_", "spool", "otlp"}) EXPECT_THAT(text, Not(HasSubstr(name)));
}

}  // namespace
}  // namespace hm::agent
