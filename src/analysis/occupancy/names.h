// SPDX-License-Identifier: MIT
// Who was measured is named by command line and number of the process: "/usr/bin/web --port 80 [4711]".
#pragma once

#include <string>
#include <string_view>

namespace hm::occupancy {

// "/usr/bin/web --port 80"; the whole name where it has no number.
[[nodiscard]] std::string_view command_of(std::string_view name);

// Of a command line: "web".
[[nodiscard]] std::string_view program_of(std::string_view command);

// "web [4711]".
[[nodiscard]] std::string short_name_of(std::string_view name);

}  // namespace hm::occupancy
