// SPDX-License-Identifier: MIT
// Where `hardmeter llc` puts what it has measured: standard output, Prometheus, or both.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "analysis/occupancy/snapshot.h"
#include "base/result.h"
#include "cli/command_line.h"

namespace hm::prometheus {
class OccupancyMetrics;
}

namespace hm::cli {

struct SnapshotSinkOptions {
  bool batch = false, csv = false, json = false;
  std::string prometheus;  // ADDRESS:PORT where metrics are served; empty: nowhere
};

class SnapshotSink {
 public:
  // Where metrics are served, a line on standard error says where, and nothing is printed unless one of the
  // flags asks for it. An error where they cannot be.
  [[nodiscard]] static Result<std::unique_ptr<SnapshotSink>> open(const SnapshotSinkOptions& options);
  SnapshotSink(const SnapshotSink&) = delete;
  SnapshotSink& operator=(const SnapshotSink&) = delete;
  ~SnapshotSink();

  // An error where it cannot be written.
  [[nodiscard]] Status take(const occupancy::Snapshot& snapshot);
  // How many there have been.
  [[nodiscard]] uint64_t taken() const { return taken_; }

 private:
  explicit SnapshotSink(const SnapshotSinkOptions& options);
  Status print(const occupancy::Snapshot& snapshot);

  SnapshotSinkOptions options_;
  std::unique_ptr<prometheus::OccupancyMetrics> metrics_;  // null: none are served
  uint64_t taken_ = 0;
};

void add_metrics_option(CommandLine& line, std::string& prometheus);

}  // namespace hm::cli
