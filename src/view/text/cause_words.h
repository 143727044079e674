// SPDX-License-Identifier: MIT
// How causes are written: of a recording, and of a store.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/cause/advice.h"
#include "view/text/table.h"

namespace hm::text {

// One of the lines under a place, in as many of the terminal's as it needs.
void append_line(std::string& out, std::string_view head, const std::string& text, const Style& style);

// `share`: of all the event's that are the place's.
[[nodiscard]] std::string gain_text(const cause::Gain& gain, const std::optional<double>& share);

}  // namespace hm::text
