// SPDX-License-Identifier: MIT
// The kernel's PMU as a source.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "event/selection.h"
#include "pmu/linux/intent.h"
#include "pmu/source.h"

namespace hm::measure {

struct LinuxOptions {
  pmu::Target target;
  std::vector<event::Selection> events;
  std::optional<linux_pmu::Sampling> sampling;  // nullopt: events are counted, and no records come
  pmu::Modes modes;
  bool inherit = true;
  uint64_t most_samples = 0;  // then no more are taken, though a few may come; 0: no limit
  size_t ring_bytes = 0;      // of each CPU, a power of two; 0: what is usual
};

// Opens everything; the command waits to be let go.
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_linux_source(const LinuxOptions& options);

}  // namespace hm::measure
