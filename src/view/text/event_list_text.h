// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "event/event_template.h"
#include "view/text/table.h"

namespace hm::text {

// Lists the events in the given order, with a heading for each group.
[[nodiscard]] std::string event_list(std::span<const event::EventTemplate* const> events, const Style& style);

}  // namespace hm::text
