// SPDX-License-Identifier: MIT
// Describes a session in a recording before the session begins.
#pragma once

#include <string>
#include <vector>

#include "pmu/linux/perf_session.h"
#include "record/event.h"

namespace hm::linux_pmu {

// Returns the events in perf's terms.
[[nodiscard]] std::vector<record::EventDescription> describe_events(const Session& session);

// Returns JSON for hardmeter's own feature (record/extension.h): "pmu" is "hardware" or "kernel", and
// "command" is present unless `command` is empty.
[[nodiscard]] std::string describe_pmu(const Session& session, const std::vector<std::string>& command);

}  // namespace hm::linux_pmu
