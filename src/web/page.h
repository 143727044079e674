// SPDX-License-Identifier: MIT
// The page's files (ui/dist), which are part of the program.
#pragma once

#include <string_view>

namespace hm::web {

[[nodiscard]] std::string_view page_html();
[[nodiscard]] std::string_view page_script();
[[nodiscard]] std::string_view page_style();
// SHA-256 of the script and of the style, in base64: what a content security policy names them by.
[[nodiscard]] std::string_view page_script_hash();
[[nodiscard]] std::string_view page_style_hash();

}  // namespace hm::web
