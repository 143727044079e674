// SPDX-License-Identifier: MIT
// Source that measures with the kernel's PMU.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/keep_symbols.h"
#include "base/result.h"
#include "event/selection.h"
#include "pmu/linux/intent.h"
#include "pmu/source.h"

namespace hm::measure {

struct LinuxOptions {
  pmu::Target target;
  std::vector<event::Selection> events;
  std::optional<linux_pmu::Sampling> sampling;  // nullopt: events are only counted, without records
  pmu::Modes modes;
  bool inherit = true;
  uint64_t max_samples =
      0;  // limit after which sampling stops; a small number of extra samples may follow; 0: no limit
  size_t ring_bytes = 0;  // size per CPU, a power of two; 0: the default
  app::KeepSymbols keep_symbols = app::KeepSymbols::kLost;
};

// Opens all events. The command is prepared but not started.
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_linux_source(const LinuxOptions& options);

}  // namespace hm::measure
