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

// One that the software PMU measures in bursts, while it runs.
struct ChosenService {
  std::string name;
  double budget = 0.02;  // what that may cost it, of its own CPU time
};

struct Window {
  uint64_t lasts_ns = 10'000'000'000;
  uint64_t frequency_hz = 99;  // samples of each CPU and event
  uint64_t most_rows = store::kMostRows;
  Privacy privacy;
  int64_t clock_offset_s = 0;              // from this machine's clock to the store's
  std::optional<ChosenService> service{};  // nullopt: the whole machine
};

// Looks at a whole measurement before it is forgotten.
using WindowUser = std::function<void(const profile::Profile&, const symbol::Resolver&)>;

// Measures the machine with precise hardware events where it has them, else by the clock. `file` is where the
// recording is meanwhile. The batch has no rows where nothing ran. kNotFound where the service has no
// process.
[[nodiscard]] Result<store::Batch> measure_window(const Window& window, const std::string& host,
                                                  const std::string& file, const WindowUser& use);

}  // namespace hm::agent
