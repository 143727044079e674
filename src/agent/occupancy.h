// SPDX-License-Identifier: MIT
// Who holds the last-level caches of this machine, by service, as the kernel's resctrl tells (Intel CMT, AMD
// PQoS).
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

// Each service is in a group of the processor's as long as this lives: what had been in the cache before is
// not known.
class Occupancy {
 public:
  [[nodiscard]] static Result<Occupancy> open();

  // The total of each service: a count of so many bytes in one reading. Of a service that is new nothing, as
  // of one that is not measured now, where the processor has fewer groups than there are services. `now_ns`:
  // CLOCK_MONOTONIC.
  [[nodiscard]] std::vector<store::Row> read(uint64_t now_ns);

 private:
  explicit Occupancy(std::unique_ptr<rdt::Provider> provider);

  std::unique_ptr<rdt::Provider> provider_;
  llc::Monitor monitor_;
  std::set<std::string> measured_;  // at the last reading
};

}  // namespace hm::agent
