// SPDX-License-Identifier: MIT
// What perf's users call events, for errors that point to the names of `hardmeter list`.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::event {

// The event of `hardmeter list` that counts what perf's event of this name (perf-list(1)) counts; modifiers
// such as ":u" are passed over. Empty if there is none.
[[nodiscard]] std::string_view own_name(std::string_view perf_name);

// kInvalidArgument: there is no event of this name; with what is meant instead, if it is perf's name or near
// one of the `known`.
[[nodiscard]] Error unknown_event(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace hm::event
