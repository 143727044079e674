// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "event/hardware/hardware_events.h"

namespace hm::query {

struct EventsOptions {
  std::string pattern;  // only events with this in their name; empty: all
  std::string cpu;      // the processor whose hardware is asked for; empty or "host": this one
};

// The events, and what the processor's hardware makes of each. kNotFound where none has the pattern in its
// name, kInvalidArgument for a processor that is not known.
[[nodiscard]] Result<event::HardwareEvents> list_events(const EventsOptions& options);

}  // namespace hm::query
