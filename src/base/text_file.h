// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace hm {

// All that a file holds; for files whose size nobody knows beforehand, as those of /proc and /sys. Nothing
// where it cannot be opened, or read to its end: a process may end between the two, and its files with it.
std::optional<std::string> read_text(const std::string& path);

}  // namespace hm
