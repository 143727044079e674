// SPDX-License-Identifier: MIT
#pragma once

#include "profile/profile.h"
#include "view/json/values.h"

namespace hm::json {

// {"pmu", "command", "lost": {"records", "samples"}, "problems", "notes"}: the member "recording" of every
// result. "pmu" is what the recording says, null where it says nothing; "command" is a list of words.
[[nodiscard]] Json recording_json(const profile::Profile& profile);

}  // namespace hm::json
