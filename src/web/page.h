// SPDX-License-Identifier: MIT
// The page's files (ui/dist), which are embedded in the program.
#pragma once

#include <string_view>

namespace hm::web {

[[nodiscard]] std::string_view page_html();
[[nodiscard]] std::string_view page_script();
[[nodiscard]] std::string_view page_style();
// Return the base64 SHA-256 of the script and of the style, for a content security policy.
[[nodiscard]] std::string_view page_script_hash();
[[nodiscard]] std::string_view page_style_hash();

}  // namespace hm::web
