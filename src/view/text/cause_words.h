// SPDX-License-Identifier: MIT
// Texts for causes, shared by reports on a recording and on a store.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/cause/advice.h"
#include "view/text/table.h"

namespace hm::text {

// Appends one line below a location, wrapped to the width of the terminal.
void append_line(std::string& out, std::string_view head, const std::string& text, const Style& style);

// `share`: this location's part of all events of its kind.
[[nodiscard]] std::string gain_text(const cause::Gain& gain, const std::optional<double>& share);

}  // namespace hm::text
