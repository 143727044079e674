// SPDX-License-Identifier: MIT
// What a processor's hardware makes of events, for people to read.
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
  Result<std::vector<Encoding>> sampled;  // to be interrupted by it
};

struct HardwareEvents {
  std::string cpu;  // "AMD Zen 4"; empty where it is not known
  std::vector<HardwareEvent> events;
};

// In the order given. Nothing is opened: a kernel or a virtual machine may offer less.
[[nodiscard]] HardwareEvents hardware_events(std::span<const EventTemplate* const> events,
                                             const CpuModel& cpu);

// Equal in all that is told to the kernel and to the reader.
[[nodiscard]] bool same_encodings(const HardwareEvent& event);

// "address, latency, data source, branches": empty where a sample tells nothing but where it was taken.
[[nodiscard]] std::vector<std::string_view> sample_contents(const Encoding& encoding);

// "loads not found up to level 2": empty where all samples are kept.
[[nodiscard]] std::string kept_samples(const SampleFilter& filter);

}  // namespace hm::event
