// SPDX-License-Identifier: MIT
// perf's event names, for error messages that suggest names of `hardmeter list`.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::event {

// Returns the event of `hardmeter list` that counts the same as perf's event of this name (perf-list(1)).
// Modifiers such as ":u" are ignored. Empty if there is none.
[[nodiscard]] std::string_view own_name(std::string_view perf_name);

// Returns a kInvalidArgument error for an unknown event. The message suggests an event if the name is perf's
// or similar to one of the `known`.
[[nodiscard]] Error unknown_event(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace hm::event
