// SPDX-License-Identifier: MIT
// What a recording says of a session before it has begun.
#pragma once

#include <string>
#include <vector>

#include "pmu/linux/session.h"
#include "record/event.h"

namespace hm::linux_pmu {

// The events as perf knows them.
[[nodiscard]] std::vector<record::EventDescription> describe_events(const Session& session);

// JSON for hardmeter's own feature (record/extension.h): "pmu" is "hardware" or "kernel"; and the command,
// where there is one.
[[nodiscard]] std::string describe_pmu(const Session& session, const std::vector<std::string>& command);

}  // namespace hm::linux_pmu
