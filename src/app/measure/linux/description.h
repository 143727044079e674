// SPDX-License-Identifier: MIT
// What a recording of the kernel's PMU says of itself.
#pragma once

#include <string>
#include <vector>

#include "pmu/linux/recorder.h"
#include "pmu/source.h"

namespace hm::measure {

// What was delivered of one event, next to what was asked for.
struct Delivery {
  linux_pmu::Event asked;
  perf_event_attr attr{};  // as the kernel took it
  linux_pmu::Batching batching;
  std::vector<std::string> fallbacks;
  linux_pmu::Counted counted;

  // The software clock's count has both modes, also if one is excluded; only its samples are of one
  // (kernel/events/core.c, perf_swevent_hrtimer).
  [[nodiscard]] bool counts_unwanted_mode() const;
};

// Of each event but the helpers.
[[nodiscard]] std::vector<Delivery> deliveries(const linux_pmu::Session& session,
                                               const linux_pmu::Recorder& recorder);

// PERF_RECORD_READ for each event and thread it was opened on; of whole CPUs, one of no process.
[[nodiscard]] std::vector<std::byte> encode_counts(const linux_pmu::Session& session,
                                                   const linux_pmu::Recorder& recorder);

// How an event was delivered, in one line: "user and kernel mode, precise level 2, batched".
[[nodiscard]] std::string describe_delivery(const Delivery& delivery);

// What a user has to know of the whole: samples lost, throttling, shared counters. A sentence each.
[[nodiscard]] std::vector<std::string> describe_shortfalls(const std::vector<Delivery>& events,
                                                           const linux_pmu::Tally& tally);

// JSON for hardmeter's own feature: what linux_pmu::describe_pmu() says, and how each event was delivered.
[[nodiscard]] std::string describe_recorded(const linux_pmu::Session& session,
                                            const std::vector<Delivery>& events,
                                            const linux_pmu::Tally& tally, const pmu::Outcome& outcome,
                                            const std::vector<std::string>& command);

}  // namespace hm::measure
