// SPDX-License-Identifier: MIT
// JSON as everything here reads and writes it, with its parser and its writer compiled once, in json.cc.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace hm {

/// What `text` says; is_discarded() where it is not JSON.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);

/// One line. Names in a recording need not be UTF-8: what is not becomes U+FFFD, here and in indented_json.
[[nodiscard]] std::string json_line(const nlohmann::json& json);

/// Indented by one blank, with a line feed at the end.
[[nodiscard]] std::string indented_json(const nlohmann::ordered_json& json);

}  // namespace hm
