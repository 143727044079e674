// SPDX-License-Identifier: MIT
// One short measurement, of the whole machine or of one service.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "agent/rows.h"
#include "base/result.h"
#include "profile/profile.h"
#include "store/batch.h"
#include "symbol/resolver.h"

namespace hm::agent {

// A service that the software PMU measures in bursts while it runs.
struct ChosenService {
  std::string name;
  double budget = 0.02;  // cost allowed, as a fraction of its own CPU time
};

struct Window {
  uint64_t lasts_ns = 10'000'000'000;
  uint64_t frequency_hz = 99;  // samples per second for each CPU and event
  uint64_t max_rows = store::kMaxRows;
  Privacy privacy;
  int64_t clock_offset_s = 0;              // from this machine's clock to the store's
  std::optional<ChosenService> service{};  // nullopt: the whole machine
};

// Called with the complete measurement before it is discarded.
using WindowUser = std::function<void(const profile::Profile&, const symbol::Resolver&)>;

// Measures the machine with precise hardware events, or with the clock if it has none. `file` temporarily
// holds the recording. The batch has no rows if nothing ran. Fails with kNotFound if the service has no
// process.
[[nodiscard]] Result<store::Batch> measure_window(const Window& window, const std::string& host,
                                                  const std::string& file, const WindowUser& use);

}  // namespace hm::agent
