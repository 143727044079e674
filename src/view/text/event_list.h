// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "event/event_template.h"
#include "view/text/table.h"

namespace hm::text {

// Under a heading for each group, in the order given.
[[nodiscard]] std::string event_list(std::span<const event::EventTemplate* const> events, const Style& style);

}  // namespace hm::text
