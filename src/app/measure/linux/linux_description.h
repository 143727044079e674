// SPDX-License-Identifier: MIT
// Metadata of recordings made with the kernel's PMU.
#pragma once

#include <string>
#include <vector>

#include "pmu/linux/recorder.h"
#include "pmu/source.h"

namespace hm::measure {

// Result for one event, and the request.
struct Delivery {
  linux_pmu::Event asked;
  perf_event_attr attr{};  // as the kernel accepted it
  linux_pmu::Batching batching;
  std::vector<std::string> fallbacks;
  linux_pmu::Counted counted;

  // Returns true if the count includes an excluded mode. The count of the software clock always includes both
  // modes; only its samples respect the exclusion (kernel/events/core.c, perf_swevent_hrtimer).
  [[nodiscard]] bool counts_unwanted_mode() const;
};

// Returns an entry for each event except helper events.
[[nodiscard]] std::vector<Delivery> deliveries(const linux_pmu::Session& session,
                                               const linux_pmu::Recorder& recorder);

// Returns a PERF_RECORD_READ for each event and thread that it was opened on. Counts of whole CPUs belong to
// no process.
[[nodiscard]] std::vector<std::byte> encode_counts(const linux_pmu::Session& session,
                                                   const linux_pmu::Recorder& recorder);

// Describes the delivery of an event in one line: "user and kernel mode, precise level 2, batched".
[[nodiscard]] std::string describe_delivery(const Delivery& delivery);

// Returns a sentence for each problem of the measurement: lost samples, throttling, shared counters.
[[nodiscard]] std::vector<std::string> describe_shortfalls(const std::vector<Delivery>& events,
                                                           const linux_pmu::Tally& tally);

// Returns JSON for hardmeter's own feature: the output of linux_pmu::describe_pmu(), and the delivery of each
// event.
[[nodiscard]] std::string describe_recorded(const linux_pmu::Session& session,
                                            const std::vector<Delivery>& events,
                                            const linux_pmu::Tally& tally, const pmu::Outcome& outcome,
                                            const std::vector<std::string>& command);

}  // namespace hm::measure
