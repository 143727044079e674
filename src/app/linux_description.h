// SPDX-License-Identifier: MIT
// What a recording of the kernel's PMU says of itself.
#pragma once

#include <string>
#include <vector>

#include "app/linux_session.h"
#include "record/event.h"

namespace hm::app {

// PERF_RECORD_READ for each event and thread it was opened on; of whole CPUs, one of no process.
[[nodiscard]] std::vector<std::byte> encode_counts(const linux_pmu::Session& session,
                                                   const linux_pmu::RunResult& run);

// How an event was delivered, in one line: "user and kernel mode, precise level 2, batched".
[[nodiscard]] std::string describe_delivery(const Delivery& delivery);

// What a user has to know of the whole: samples lost, throttling, shared counters. A sentence each.
[[nodiscard]] std::vector<std::string> shortfalls(const LinuxResult& result);

// JSON for hardmeter's own feature: what linux_pmu::describe_pmu() says, and how each event was delivered.
[[nodiscard]] std::string describe_run(const linux_pmu::Session& session, const LinuxResult& result,
                                       const std::vector<std::string>& command);

}  // namespace hm::app
