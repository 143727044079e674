// SPDX-License-Identifier: MIT
// Destinations of the snapshots of `hardmeter llc`: standard output, Prometheus, or both.
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
  std::string prometheus;  // ADDRESS:PORT where metrics are served; empty: not served
};

class SnapshotSink {
 public:
  // If metrics are served, writes their address to standard error, and prints snapshots only if one of the
  // flags is set. Fails if metrics cannot be served.
  [[nodiscard]] static Result<std::unique_ptr<SnapshotSink>> open(const SnapshotSinkOptions& options);
  SnapshotSink(const SnapshotSink&) = delete;
  SnapshotSink& operator=(const SnapshotSink&) = delete;
  ~SnapshotSink();

  // Fails if the snapshot cannot be written.
  [[nodiscard]] Status take(const occupancy::Snapshot& snapshot);
  // Returns the number of snapshots taken.
  [[nodiscard]] uint64_t taken() const { return taken_; }

 private:
  explicit SnapshotSink(const SnapshotSinkOptions& options);
  Status print(const occupancy::Snapshot& snapshot);

  SnapshotSinkOptions options_;
  std::unique_ptr<prometheus::OccupancyMetrics> metrics_;  // null if no metrics are served
  uint64_t taken_ = 0;
};

void add_metrics_option(CommandLine& line, std::string& prometheus);

}  // namespace hm::cli
