// SPDX-License-Identifier: MIT
// Who holds the last-level caches, for Prometheus to scrape.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "analysis/occupancy/snapshot.h"
#include "base/result.h"

namespace hm::prometheus {

class OccupancyMetrics {
 public:
  // From now on; at an address as parse_address() has it. One sentence where that cannot be.
  [[nodiscard]] static Result<std::unique_ptr<OccupancyMetrics>> serve(std::string_view address_and_port);
  OccupancyMetrics(const OccupancyMetrics&) = delete;
  OccupancyMetrics& operator=(const OccupancyMetrics&) = delete;
  ~OccupancyMetrics();

  // "http://127.0.0.1:9400/metrics".
  [[nodiscard]] std::string url() const;

  // What the next scrape gets. From one thread.
  void update(const occupancy::Snapshot& snapshot);

 private:
  struct Served;
  explicit OccupancyMetrics(std::unique_ptr<Served> served);

  std::unique_ptr<Served> served_;
};

}  // namespace hm::prometheus
