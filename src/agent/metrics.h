// SPDX-License-Identifier: MIT
// The agent's own metrics for Prometheus.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hm::agent {

// Totals are since `started_s`; times are seconds since 1970. Unknown values are omitted from the exposition.
struct Metrics {
  struct Export {
    uint64_t done = 0, failed = 0;
  };
  struct Waiting {
    uint64_t batches = 0, bytes = 0;
  };
  std::string version;
  double started_s = 0;
  uint64_t windows = 0, failed_windows = 0;  // windows include failed windows
  std::optional<double> last_window_s;       // the last one that did not fail
  uint64_t batches_sent = 0, rows_sent = 0, failed_sends = 0;
  std::optional<double> last_send_s;  // the last one that the store accepted
  std::optional<Waiting> waiting;
  std::optional<Export> profiles;  // OTLP profiles, if they are enabled
  double cpu_s = 0, budget = 0;    // CPU time; fraction of one CPU
};

// Returns the metrics in Prometheus' text format, version 0.0.4.
[[nodiscard]] std::string exposition(const Metrics& metrics);

}  // namespace hm::agent
