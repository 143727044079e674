// SPDX-License-Identifier: MIT
#include "cli/snapshot_sink.h"

#include <fmt/format.h>

#include "cli/output.h"
#include "view/csv/occupancy_csv.h"
#include "view/json/occupancy_json.h"
#include "view/prometheus/occupancy_metrics.h"
#include "view/text/occupancy_text.h"

namespace hm::cli {

SnapshotSink::SnapshotSink(const SnapshotSinkOptions& options) : options_(options) {}
SnapshotSink::~SnapshotSink() = default;

Result<std::unique_ptr<SnapshotSink>> SnapshotSink::open(const SnapshotSinkOptions& options) {
  std::unique_ptr<SnapshotSink> sink(new SnapshotSink(options));
  if (options.prometheus.empty()) return sink;
  Result<std::unique_ptr<prometheus::OccupancyMetrics>> metrics =
      prometheus::OccupancyMetrics::serve(options.prometheus);
  if (!metrics) return metrics.error();
  sink->metrics_ = *std::move(metrics);
  write_message(fmt::format("hardmeter: serving metrics at {}\n", sink->metrics_->url()));
  return sink;
}

Status SnapshotSink::take(const occupancy::Snapshot& snapshot) {
  if (metrics_) metrics_->update(snapshot);
  bool prints = !metrics_ || options_.batch || options_.csv || options_.json;
  Status printed = prints ? print(snapshot) : Status();
  ++taken_;
  return printed;
}

Status SnapshotSink::print(const occupancy::Snapshot& snapshot) {
  std::string text = options_.json  ? json::occupancy_json(snapshot)
                     : options_.csv ? csv::occupancy_lines(snapshot)
                                    : text::occupancy_table(snapshot, output_style());
  if (taken_ == 0 && options_.csv) text.insert(0, csv::kOccupancyHeader);
  if (taken_ != 0 && !options_.csv && !options_.json) text.insert(0, "\n");
  return write_output(text);
}

void add_metrics_option(CommandLine& line, std::string& prometheus) {
  line.add_option(
          "--prometheus", prometheus,
          "serve metrics for Prometheus at http://ADDRESS:PORT/metrics, and print nothing without -b, --csv or --json; without ADDRESS, only to this machine")
      .type("[ADDRESS:]PORT");
}

}  // namespace hm::cli
