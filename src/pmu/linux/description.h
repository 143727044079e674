// SPDX-License-Identifier: MIT
// Parts of a recording that describe a session before it begins.
#pragma once

#include <string>
#include <vector>

#include "pmu/linux/session.h"
#include "record/event.h"

namespace hm::linux_pmu {

// Describes the session's events in perf's form.
[[nodiscard]] std::vector<record::EventDescription> describe_events(const Session& session);

// Returns JSON for hardmeter's own feature (record/extension.h): "pmu" is "hardware" or "kernel", and the
// command if there is one.
[[nodiscard]] std::string describe_pmu(const Session& session, const std::vector<std::string>& command);

}  // namespace hm::linux_pmu
