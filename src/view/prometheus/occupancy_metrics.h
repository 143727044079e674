// SPDX-License-Identifier: MIT
// Serves the occupancy of the last-level caches for Prometheus to scrape.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "analysis/occupancy/snapshot.h"
#include "base/result.h"

namespace hm::prometheus {

class OccupancyMetrics {
 public:
  // Starts to serve at an address in the format of parse_address(). The error message is one sentence.
  [[nodiscard]] static Result<std::unique_ptr<OccupancyMetrics>> serve(std::string_view address_and_port);
  OccupancyMetrics(const OccupancyMetrics&) = delete;
  OccupancyMetrics& operator=(const OccupancyMetrics&) = delete;
  ~OccupancyMetrics();

  // Returns for example "http://127.0.0.1:9400/metrics".
  [[nodiscard]] std::string url() const;

  // Sets what the next scrape gets. Call this from one thread only.
  void update(const occupancy::Snapshot& snapshot);

 private:
  struct Served;
  explicit OccupancyMetrics(std::unique_ptr<Served> served);

  std::unique_ptr<Served> served_;
};

}  // namespace hm::prometheus
