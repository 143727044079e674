// SPDX-License-Identifier: MIT
// JSON parsing and formatting for the whole project. The parser and the writer are compiled only once, in
// json.cc.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace hm {

/// Returns the parsed value; its is_discarded() is true if `text` is not valid JSON.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);

/// Formats `json` on one line. Names in a recording need not be UTF-8: these functions replace invalid bytes
/// by U+FFFD. They write all control characters (is_control()) as escape sequences, because a terminal would
/// obey them.
[[nodiscard]] std::string json_line(const nlohmann::json& json);

/// Formats an object with ordered members on one line.
[[nodiscard]] std::string compact_json(const nlohmann::ordered_json& json);

/// Formats `json` indented by one blank, with a line feed at the end.
[[nodiscard]] std::string indented_json(const nlohmann::ordered_json& json);

}  // namespace hm
