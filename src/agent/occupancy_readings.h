// SPDX-License-Identifier: MIT
// Occupancy of this machine's last-level caches by service, from the kernel's resctrl (Intel CMT, AMD PQoS).
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/llc/monitor.h"
#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "store/batch.h"

namespace hm::agent {

// Each service keeps a monitoring group of the processor as long as this object lives. Lines that were in the
// cache before are not attributed.
class Occupancy {
 public:
  [[nodiscard]] static Result<Occupancy> open();

  // Returns a total row for each service: its bytes in one reading. Omits new services, and services that
  // have no group now because the processor has too few. `now_ns` is CLOCK_MONOTONIC.
  [[nodiscard]] std::vector<store::Row> read(uint64_t now_ns);

 private:
  explicit Occupancy(std::unique_ptr<rdt::Provider> provider);

  std::unique_ptr<rdt::Provider> provider_;
  llc::Monitor monitor_;
  std::set<std::string> measured_;  // services in the last reading
};

}  // namespace hm::agent
