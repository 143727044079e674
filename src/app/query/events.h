// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "event/hardware/hardware_events.h"

namespace hm::query {

struct EventsOptions {
  std::string pattern;  // select events with this text in their name; empty: all
  std::string cpu;      // processor for the hardware encodings; empty or "host": this one
};

// Returns the events and their encodings on the processor. Fails with kNotFound if no event matches the
// pattern, and with kInvalidArgument for an unknown processor.
[[nodiscard]] Result<event::HardwareEvents> list_events(const EventsOptions& options);

}  // namespace hm::query
