// SPDX-License-Identifier: MIT
// What an agent tells Prometheus about itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hm::agent {

// Totals are since `started_s`; times are seconds since 1970. What is not known has no sample.
struct Metrics {
  struct Export {
    uint64_t done = 0, failed = 0;
  };
  struct Waiting {
    uint64_t batches = 0, bytes = 0;
  };
  std::string version;
  double started_s = 0;
  uint64_t windows = 0, failed_windows = 0;  // the former with the latter
  std::optional<double> last_window_s;       // that did not fail
  uint64_t batches_sent = 0, rows_sent = 0, failed_sends = 0;
  std::optional<double> last_send_s;  // that the store took
  std::optional<Waiting> waiting;
  std::optional<Export> profiles;  // of OTLP; only where it is asked for
  double cpu_s = 0, budget = 0;    // of one CPU
};

// In Prometheus' text format, version 0.0.4.
[[nodiscard]] std::string exposition(const Metrics& metrics);

}  // namespace hm::agent
