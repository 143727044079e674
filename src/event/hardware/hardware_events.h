// SPDX-License-Identifier: MIT
// Readable descriptions of the hardware encodings of events.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/event_template.h"
#include "event/hardware/cpu_model.h"
#include "event/hardware/encoding.h"

namespace hm::event {

struct HardwareEvent {
  const EventTemplate* event = nullptr;
  Result<std::vector<Encoding>> counted;  // to read its total
  Result<std::vector<Encoding>> sampled;  // to sample it
};

struct HardwareEvents {
  std::string cpu;  // "AMD Zen 4"; empty if unknown
  std::vector<HardwareEvent> events;
};

// Returns the events in the given order. Opens none of them: a kernel or a virtual machine may offer less.
[[nodiscard]] HardwareEvents hardware_events(std::span<const EventTemplate* const> events,
                                             const CpuModel& cpu);

// Returns whether counting and sampling have equal encodings.
[[nodiscard]] bool same_encodings(const HardwareEvent& event);

// Returns for example "address, latency, data source, branches"; empty if a sample only has its instruction
// pointer.
[[nodiscard]] std::vector<std::string_view> sample_contents(const Encoding& encoding);

// Returns for example "loads not found up to level 2"; empty if all samples are kept.
[[nodiscard]] std::string kept_samples(const SampleFilter& filter);

}  // namespace hm::event
