// SPDX-License-Identifier: MIT
// One short measurement of the whole machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "agent/rows.h"
#include "base/result.h"
#include "profile/profile.h"
#include "store/batch.h"
#include "symbol/resolver.h"

namespace hm::agent {

struct Window {
  uint64_t lasts_ns = 10'000'000'000;
  uint64_t frequency_hz = 99;  // samples of each CPU and event
  Privacy privacy;
  int64_t clock_offset_s = 0;  // from this machine's clock to the store's
};

// Looks at a whole measurement before it is forgotten.
using WindowUser = std::function<void(const profile::Profile&, const symbol::Resolver&)>;

// Measures with precise hardware events where the machine has them, else by the clock. `file` is where the
// recording is meanwhile. The batch has no rows where nothing ran.
[[nodiscard]] Result<store::Batch> measure_window(const Window& window, const std::string& host,
                                                  const std::string& file, const WindowUser& use);

}  // namespace hm::agent
