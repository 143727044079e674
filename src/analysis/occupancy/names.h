// SPDX-License-Identifier: MIT
// Names of measured processes: command line and process ID, as in "/usr/bin/web --port 80 [4711]".
#pragma once

#include <string>
#include <string_view>

namespace hm::occupancy {

// Returns "/usr/bin/web --port 80"; the whole name if it contains no process ID.
[[nodiscard]] std::string_view command_of(std::string_view name);

// Returns the program of a command line: "web".
[[nodiscard]] std::string_view program_of(std::string_view command);

// Returns "web [4711]".
[[nodiscard]] std::string short_name_of(std::string_view name);

}  // namespace hm::occupancy
